// The `async` twins (access-enabler 2.1, 2.3): the same engine, the same events; each returns when the callbacks of its
// call have been delivered (D-47). Cancelling the task that awaits one, and ``AccessEnabler/shutDown()``, answer it.
extension AccessEnabler {
    /// ``setRequestor(_:serviceProviders:)``.
    /// - Parameters:
    ///   - requestorID: as the operator of the server gave it.
    ///   - serviceProviders: servers of one's own choice; empty for the server of the environment.
    /// - Throws: ``AccessEnabler/ConfigurationFailure`` with the report that says why; without one after a cancellation
    ///   or ``shutDown()``.
    public func configure(requestorID: String, serviceProviders: [String] = []) async throws(ConfigurationFailure) {
        let over = ConfigurationFailure(status: nil, cause: nil)
        let failure = await self.answer(atTheEnd: over) { reply in
            .configure(requestorID: requestorID, serviceProviders: serviceProviders, reply)
        }
        if let failure { throw failure }
    }

    /// ``checkAuthentication()``.
    public func authenticationStatus() async -> AuthenticationOutcome {
        await self.answer(atTheEnd: Self.over) { .checkAuthentication($0) }
    }

    /// ``getAuthentication(_:withData:andFilter:)``. Cancelling the task is `setSelectedProvider(nil)`.
    /// - Parameters:
    ///   - force: also when a viewer is signed in.
    ///   - data: handed to the server.
    ///   - filter: which providers the platform's dialog shows.
    public func authenticate(
        force: Bool = false, data: [String: String]? = nil, filter: ProviderFilter? = nil
    ) async -> AuthenticationOutcome {
        let request = AuthenticationRequest(forced: force, data: data ?? [:], filter: filter)
        // The end of the login answers: its callbacks come first (D-47).
        return await self.answer(atTheEnd: Self.over, awaitsResult: true) { .authenticate(request, $0) }
    }

    /// ``setSelectedProvider(_:)``; returns when the choice was taken, not when the login is over.
    public func selectProvider(_ mvpdID: String?) async {
        await self.answer(atTheEnd: ()) { .selectProvider(mvpdID, $0) }
    }

    /// ``handleExternalURL(_:)``.
    public func completeNavigation(_ url: String) async -> AuthenticationOutcome {
        await self.answer(atTheEnd: Self.over) { .handleExternalURL(url, $0) }
    }

    /// ``checkAuthorization(_:withData:)`` or ``getAuthorization(_:withData:)``.
    /// - Parameters:
    ///   - resource: a channel's name or MRSS.
    ///   - data: handed to the server.
    ///   - authenticateIfNeeded: signs in first if no viewer is. Cancelling the task ends a login that was begun for
    ///     it.
    /// - Returns: the token, for the verifier of the playback back end.
    /// - Throws: ``AccessEnabler/AuthorizationFailure``.
    public func authorize(
        _ resource: String, data: [String: String]? = nil, authenticateIfNeeded: Bool = false
    ) async throws(AuthorizationFailure) -> MediaToken {
        let over = AuthorizationFailure(
            resource: resource, code: AccessEnablerError.genericAuthorization,
            description: "The request was cancelled.", cause: EntitlementError(.cancelled))
        return try await self.answer(atTheEnd: .failure(over)) {
            .authorize(
                AuthorizationArguments(
                    resource: resource, data: data ?? [:], startsLogin: authenticateIfNeeded, reply: $0))
        }.get()
    }

    /// ``checkPreauthorizedResources(_:cache:)``.
    public func preauthorizedResources(among resources: [String], cache: Bool = true) async -> [String] {
        await self.answer(atTheEnd: []) { .checkPreauthorized(resources, usesCache: cache, $0) }
    }

    /// ``preauthorize(_:didCompleteWith:)``.
    public func preauthorize(_ request: PreauthorizeRequest) async -> PreauthorizeResponse {
        let end = PreauthorizeResponse(EntitlementError(.notConfigured))
        return await self.answer(atTheEnd: end) { .preauthorize(request, $0) }
    }

    /// ``getSelectedProvider()``.
    public func selectedProvider() async -> MVPD? { await self.answer(atTheEnd: nil) { .getSelectedProvider($0) } }

    /// ``getMetadata(_:)``.
    public func metadata(_ query: MetadataQuery) async -> MetadataResult {
        await self.answer(atTheEnd: .nothing) { .getMetadata(query.arguments, $0) }
    }

    /// ``logout()``. It is not left undone when the task is cancelled; the outcome is then that of a store not cleared.
    public func signOut() async -> LogoutOutcome {
        let end = LogoutOutcome(requiresSystemSignOut: false, areTokensCleared: false, providerLogoutURL: nil)
        return await self.answer(atTheEnd: end) { .logout($0) }
    }

    private static let over = AuthenticationOutcome.notAuthenticated(code: AccessEnablerError.genericAuthentication)

    /// Sends a call and waits for its result, and for the callbacks before it.
    /// - Parameters:
    ///   - end: the result when the task is cancelled, or the library ends.
    ///   - awaitsResult: whether a cancelled task waits for the result of the call all the same.
    private nonisolated func answer<Result: Sendable>(
        atTheEnd end: Result, awaitsResult: Bool = false, _ call: (Reply<Result>) -> ApplicationCall
    ) async -> Result {
        let answer = OneAnswer<Result>()
        let reply = self.callers.reply(atTheEnd: end) { answer.give($0) }
        self.mailbox.send(call(reply), from: reply.caller)
        let result = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            if !awaitsResult { reply(end) }
            self.mailbox.withdraw(reply.caller)
        }
        await self.reporter.settle()
        return result
    }
}
