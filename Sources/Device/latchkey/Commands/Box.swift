import AccessEnabler
import CommandLineTool
import POSIX

/// The commands, on one library object.
struct Box: CommandedBox {
    let settings: Settings
    let reporter: Reporter
    /// The language of the sentences for viewers; English for commands that operators run.
    let phrases: BoxPhrases
    let news = PairingNews()
    let enabler: AccessEnabler

    init(settings: Settings, reporter: Reporter, phrases: BoxPhrases = .english) {
        let reporter = reporter.about(settings.requestor)
        self.settings = settings
        self.reporter = reporter
        self.phrases = phrases
        var configuration = settings.configuration
        configuration.pairingProgress = self.news.tell
        configuration.storeSetAside = { path in
            reporter.warn("The state file could not be used. It is kept as \(path), and this box begins anew.")
        }
        self.enabler = AccessEnabler(credentials: settings.credentials, configuration: configuration)
    }

    func shutDown() async { await self.enabler.shutDown() }

    func configure() async throws(EntitlementError) {
        do throws(AccessEnabler.ConfigurationFailure) {
            try await self.enabler.configure(requestorID: self.settings.requestor)
        } catch {
            throw error.cause ?? EntitlementError(.refused, detail: "not a requestor ID")
        }
    }

    /// Tells a failure of a command.
    /// - Parameter resource: what was asked for, where it was one.
    func fail(_ error: EntitlementError, resource: String? = nil) async -> ExitCode {
        var reason: BoxEvent.Reason?
        switch error.code {
        case .notSignedIn, .sessionExpired, .sessionRevoked, .deviceMismatch: reason = await self.reason()
        default: break
        }
        let failure = error.sentence(
            server: self.settings.serverName, clock: await self.clockDoubt(error), reason: reason,
            requestor: self.settings.requestor, settings: self.settings, in: self.phrases)
        let words = error.code == .notAuthorized ? error.detail.map { terminalSafe($0) } : nil
        return self.reporter.fail(
            BoxEvent.Failure(
                code: error.eventCode, message: failure.text, resource: resource, providerMessage: words,
                reason: reason), failure.exitCode)
    }

    /// Why there is no sign-in; `nil` if it is not known.
    func reason() async -> BoxEvent.Reason? { await self.enabler.signInEnding(of: self.settings.requestor) }

    /// The known facts of the clock, where a certificate did not verify; `nil` for any other failure.
    func clockDoubt(_ error: EntitlementError) async -> ClockDoubt? {
        guard error.code == .untrusted else { return nil }
        return await ServerProbe(settings: self.settings).doubt(error.certificateFault)
    }

    /// The account of the sign-in the library knows.
    func signIn(_ mvpdID: String) async -> BoxEvent.SignIn {
        let name = await self.enabler.selectedProvider()?.displayName
        let expiry = await self.enabler.metadata(.authenticationExpiry).date
        return BoxEvent.SignIn(mvpd: mvpdID, mvpdName: name, expires: expiry?.milliseconds)
    }
}

extension BoxEvent.SignIn {
    /// The provider as viewers know it; its ID if the server does not say.
    var displayName: String { terminalSafe(self.mvpdName ?? self.mvpd, limit: 80) }

    /// How long until it runs out, rounded, in the largest unit that is at least one; `nil` if that is not known.
    var lifetime: String? {
        guard let expires = self.expires else { return nil }
        let seconds = max(0, expires / 1000 - WallClock.milliseconds() / 1000)
        for (unit, length) in [("day", Int64(86_400)), ("hour", 3600), ("minute", 60)] where seconds >= length {
            let count = (seconds + length / 2) / length
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return "\(seconds) seconds"
    }
}
