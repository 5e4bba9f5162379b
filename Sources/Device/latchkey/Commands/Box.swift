import AccessEnabler
import Clientless
import CommandLineTool
import Cryptography
import FoundationEssentials

/// The commands, on one library object.
struct Box {
    let settings: Settings
    let reporter: Reporter
    let news = PairingNews()
    let enabler: AccessEnabler

    init(settings: Settings, reporter: Reporter) {
        self.settings = settings
        self.reporter = reporter
        var configuration = settings.configuration
        configuration.pairingProgress = self.news.tell
        configuration.storeSetAside = { path in
            reporter.warn("The state file could not be used. It is kept as \(path), and this box begins anew.")
        }
        self.enabler = AccessEnabler(credentials: settings.credentials, configuration: configuration)
    }

    func shutDown() async {
        await self.enabler.shutDown()
    }

    func status() async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            guard case .authenticated(let id) = await self.enabler.authenticationStatus() else {
                self.reporter.result(event: "status", ["signedIn": .boolean(false)], "Nobody is signed in.")
                return .notSignedIn
            }
            let account = await Account(id, self.enabler)
            self.reporter.result(
                event: "status", ["signedIn": .boolean(true)] + account.members,
                "Signed in with \(terminalSafe(account.name, limit: 80)), for \(account.lifetime) more.")
            return .success
        }
    }

    func authorize(_ resource: String) async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            let token: AccessEnabler.MediaToken
            do throws(AccessEnabler.AuthorizationFailure) {
                token = try await self.enabler.authorize(resource)
            } catch {
                throw await self.cause(of: error)
            }
            let expires = token.expires.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) } ?? 0
            // One word for scripts; playback back ends take the document and its Base64 alike (rest-v1 22.5).
            let serialized = Base64.encode(token.token.utf8)
            return self.reporter.result(
                event: "mediaToken",
                ["resource": .string(token.resource), "token": .string(serialized), "expires": .integer(expires)],
                serialized)
        }
    }

    func logOut() async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            _ = await self.enabler.signOut()
            self.reporter.event("signedOut")
            self.reporter.say("Signed out.")
            return .success
        }
    }

    private func cause(of failure: AccessEnabler.AuthorizationFailure) async -> EntitlementError {
        switch failure.code {
        case AccessEnablerError.userNotAuthenticated: return EntitlementError(.notSignedIn)
        case AccessEnablerError.userNotAuthorized:
            return EntitlementError(
                .notAuthorized, detail: failure.description.isEmpty ? nil : failure.description)
        default: return await self.enabler.lastFailure ?? EntitlementError(.malformedAnswer)
        }
    }

    /// Configures the library for the requestor of the settings.
    func configure() async throws(EntitlementError) {
        do throws(AccessEnabler.ConfigurationFailure) {
            try await self.enabler.configure(requestorID: self.settings.requestor)
        } catch {
            throw await self.enabler.lastFailure ?? EntitlementError(.refused, detail: "not a requestor ID")
        }
    }

    /// Runs `body` for the requestor of the settings, and turns a failure into its sentence and exit code.
    /// - Parameter isConfigured: leaves the configuration to `body`.
    func perform(
        isConfigured: Bool = false, _ body: () async throws(EntitlementError) -> ExitCode
    ) async -> ExitCode {
        do throws(EntitlementError) {
            if !isConfigured { try await self.configure() }
            return try await body()
        } catch {
            let failure = Sentence(error, settings: self.settings)
            self.reporter.fail(code: error.code.description, failure.text, exitCode: failure.exitCode)
            return failure.exitCode
        }
    }
}
