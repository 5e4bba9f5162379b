/// The `async` twins of the original calls (access-enabler 2.3), on the same engine as everything else.
extension AccessEnabler {
    /// Whether somebody is signed in on this device.
    public func authenticationStatus() async -> AuthenticationOutcome {
        do {
            guard let account = try await self.account() else {
                self.hub.send(.authenticationStatus(.error, code: AccessEnablerError.userNotAuthenticated))
                return .notAuthenticated(code: AccessEnablerError.userNotAuthenticated)
            }
            self.hub.send(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
            return .authenticated(mvpdID: account.mvpdID)
        } catch {
            return self.failed(error)
        }
    }

    /// Signs in on the second screen. The code arrives through ``events``; cancelling the task stops waiting.
    public func authenticate(force: Bool = false) async -> AuthenticationOutcome {
        do {
            switch try await self.signIn(again: force, progress: { _ in }) {
            case .signedIn(let account): return .authenticated(mvpdID: account.mvpdID)
            case .alreadySignedIn(let account):
                self.hub.send(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
                return .authenticated(mvpdID: account.mvpdID)
            case .declined, .cancelled, .expired:
                return .notAuthenticated(code: AccessEnablerError.genericAuthentication)
            }
        } catch {
            return self.failed(error)
        }
    }

    /// A media token for `resource`, right before its playback.
    public func authorize(_ resource: String) async throws(AuthorizationFailure) -> MediaToken {
        do {
            let token = try await self.mediaToken(for: resource)
            self.hub.send(.token(token))
            return token
        } catch {
            let failure = AuthorizationFailure(
                resource: resource, code: authorizationCode(error.code), description: error.detail ?? "")
            self.hub.send(.tokenRequestFailed(failure))
            throw failure
        }
    }

    /// Signs out. What cannot be told to the server now is not forgotten here either.
    public func signOut() async -> LogoutOutcome {
        do {
            try await self.endSession()
            self.hub.send(.authenticationStatus(.error, code: AccessEnablerError.userNotAuthenticated))
        } catch {
            _ = self.failed(error)
        }
        return LogoutOutcome(requiresSystemSignOut: false)
    }

    private func failed(_ error: EntitlementError) -> AuthenticationOutcome {
        let code =
            error.code == .cancelled ? AccessEnablerError.providerNotSelected : AccessEnablerError.genericAuthentication
        if let status = advancedStatus(error) { self.hub.send(.status(status)) }
        self.hub.send(.authenticationStatus(.error, code: code))
        return .notAuthenticated(code: code)
    }
}

private func authorizationCode(_ code: EntitlementError.Code) -> String {
    switch code {
    case .notAuthorized: AccessEnablerError.userNotAuthorized
    case .notSignedIn: AccessEnablerError.userNotAuthenticated
    case .state, .notConfigured: AccessEnablerError.internalAuthorization
    default: AccessEnablerError.genericAuthorization
    }
}

/// The detailed report that goes with an error (access-enabler 16.1).
private func advancedStatus(_ error: EntitlementError) -> AdvancedStatus? {
    switch error.code {
    case .unreachable: AdvancedStatus("CFG404", .error)
    case .untrusted: AdvancedStatus("SEC420", .error)
    case .credentialsRefused: AdvancedStatus("R400", .error)
    case .unauthorized, .unknownClient: AdvancedStatus("R401", .error)
    case .serverFault: AdvancedStatus("CFG\(error.status ?? 500)", .error)
    case .refused: AdvancedStatus("CFG400", .error)
    case .malformedAnswer, .throttled: AdvancedStatus("REG500", .error)
    case .state, .notConfigured: AdvancedStatus("500", .error)
    default: nil
    }
}
