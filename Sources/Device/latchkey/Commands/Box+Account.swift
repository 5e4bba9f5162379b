import AccessEnabler
import Clientless
import CommandLineTool
import Cryptography
import FoundationEssentials

// The sign-in of the box: who it is, how it ends, what it may choose from.
extension Box {
    func status(isOffline: Bool) async throws(EntitlementError) -> ExitCode {
        if !isOffline { try await self.configure() }
        // First: a state file that cannot be read says nothing about who is signed in.
        let device = try await self.enabler.deviceIdentifier()
        let kept = try await self.enabler.keptSignIn(for: self.settings.requestor).flatMap { $0.isUsable ? $0 : nil }
        // Without a sign-in the server is not asked about one.
        var standing = BoxEvent.Standing(
            state: .signedOut, isChecked: !isOffline && kept != nil, server: self.settings.serverName, deviceID: device)
        if isOffline {
            standing.signIn = kept.map { BoxEvent.SignIn(mvpd: $0.mvpdID, expires: $0.expires.milliseconds) }
        } else if let found = try await self.enabler.checkedSignIn() {
            standing.signIn = BoxEvent.SignIn(
                mvpd: found.mvpd.id, mvpdName: found.mvpd.displayName, expires: found.expires.milliseconds)
        }
        if standing.signIn != nil {
            standing.state = .signedIn
        } else {
            standing.reason = await self.reason() ?? .never
            if await self.enabler.keptCode(for: self.settings.requestor) != nil { standing.state = .pairing }
        }
        return self.reporter.tell(.status(standing))
    }

    func providers() async throws(EntitlementError) -> ExitCode {
        try await self.configure()
        let offered = await self.enabler.offeredProviders ?? []
        return self.reporter.tell(.providers(offered.map { BoxEvent.Provider(id: $0.id, name: $0.displayName) }))
    }

    func logOut() async throws(EntitlementError) -> ExitCode {
        // Without a network the sign-in goes all the same; the server hears of it, and of its page, where it answers.
        var failure: EntitlementError?
        do throws(EntitlementError) {
            try await self.configure()
        } catch {
            failure = error
        }
        let outcome = await self.enabler.signOut()
        guard outcome.areTokensCleared else {
            let unknown = EntitlementError(.state, detail: "The sign-in could not be removed from the state file")
            throw failure.flatMap { $0.code == .state ? $0 : nil } ?? unknown
        }
        return self.reporter.endSignOut(outcome.providerLogoutURL, in: self.phrases)
    }
}

// The uses of a sign-in: media tokens, locks in lists, facts about the account.
extension Box {
    func authorize(_ resource: String) async -> ExitCode {
        do throws(EntitlementError) {
            try await self.configure()
            do throws(AccessEnabler.AuthorizationFailure) {
                return self.reporter.tell(try await self.enabler.authorize(resource).news)
            } catch {
                throw self.cause(of: error)
            }
        } catch {
            return await self.fail(error, resource: resource)
        }
    }

    private func cause(of failure: AccessEnabler.AuthorizationFailure) -> EntitlementError {
        switch failure.code {
        case AccessEnablerError.userNotAuthenticated: return EntitlementError(.notSignedIn)
        case AccessEnablerError.userNotAuthorized:
            return EntitlementError(.notAuthorized, detail: failure.description.isEmpty ? nil : failure.description)
        default: return failure.cause ?? EntitlementError(.malformedAnswer)
        }
    }

    func preauthorize(_ resources: [String]) async throws(EntitlementError) -> ExitCode {
        try await self.configure()
        let request = PreauthorizeRequest(resources: resources, disabledFeatures: [.localCache])
        return self.reporter.tell(
            .preauthorized(try await self.enabler.decisions(request).map(BoxEvent.Preauthorized.init)))
    }

    func metadata(_ key: String) async throws(EntitlementError) -> ExitCode {
        try await self.configure()
        guard case .authenticated = await self.enabler.authenticationStatus() else {
            throw EntitlementError(.notSignedIn)
        }
        guard let value = await self.enabler.metadata(.user(name: key)).value else {
            return self.reporter.fail(
                BoxEvent.Failure(
                    code: "not_found", message: "The provider says nothing of '\(terminalSafe(key))'."), .failure)
        }
        return self.reporter.tell(.metadata(key: key, value: value.json))
    }
}

extension AccessEnabler.MediaToken {
    /// One word for scripts; playback back ends take the document and its Base64 alike (rest-v1 22.5).
    var news: BoxEvent.News {
        .mediaToken(resource: self.resource, token: Base64.encode(self.token.utf8), expires: self.expires?.milliseconds)
    }
}

extension BoxEvent.Preauthorized {
    init(_ decision: PreauthorizeResponse.Decision) {
        let words = decision.error.flatMap { $0.details ?? $0.message } ?? ""
        self.init(resource: decision.id, isAuthorized: decision.authorized, message: words.isEmpty ? nil : words)
    }
}

extension Date {
    var milliseconds: Int64 { Int64((self.timeIntervalSince1970 * 1000).rounded()) }
}
