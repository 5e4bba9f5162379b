// The `async` twins (access-enabler 2.1, 2.3): the same engine, the same events; each returns when the callbacks of its
// call have been delivered (D-47).
extension AccessEnabler {
    /// ``setRequestor(_:serviceProviders:)``.
    /// - Parameters:
    ///   - requestorID: as the operator of the server gave it.
    ///   - serviceProviders: servers of one's own choice; none means the one of the environment.
    /// - Throws: ``ConfigurationFailure`` with the report that says why.
    public func configure(
        requestorID: String, serviceProviders: [String] = []
    ) async throws(ConfigurationFailure) {
        let failure = await self.answer { reply in
            .configure(requestorID: requestorID, serviceProviders: serviceProviders, reply)
        }
        if let failure { throw failure }
    }

    /// ``checkAuthentication()``.
    public func authenticationStatus() async -> AuthenticationOutcome {
        await self.answer { .checkAuthentication($0) }
    }

    /// ``getAuthentication(_:withData:andFilter:)``. Cancelling the task is `setSelectedProvider(nil)`.
    /// - Parameters:
    ///   - force: also when somebody is signed in.
    ///   - data: handed to the server.
    ///   - filter: which providers the platform's dialog shows.
    public func authenticate(
        force: Bool = false, data: [String: String]? = nil, filter: ProviderFilter? = nil
    ) async -> AuthenticationOutcome {
        let request = AuthenticationRequest(forced: force, data: data ?? [:], filter: filter)
        let wait = CancellableWait()
        return await withTaskCancellationHandler {
            let outcome = await withCheckedContinuation { continuation in
                self.mailbox.send(
                    .authenticate(request) { outcome in
                        wait.end()
                        continuation.resume(returning: outcome)
                    })
                // A task that was cancelled before: the call comes first in the mailbox, and then its end.
                if wait.begin() { self.setSelectedProvider(nil) }
            }
            await self.reporter.settle()
            return outcome
        } onCancel: {
            if wait.cancel() { self.setSelectedProvider(nil) }
        }
    }

    /// ``setSelectedProvider(_:)``; returns when the choice was taken, not when the login is over.
    public func selectProvider(_ mvpdID: String?) async {
        await self.answer { .selectProvider(mvpdID, $0) }
    }

    /// ``handleExternalURL(_:)``.
    public func completeNavigation(_ url: String) async -> AuthenticationOutcome {
        await self.answer { .handleExternalURL(url, $0) }
    }

    /// ``checkAuthorization(_:withData:)`` or ``getAuthorization(_:withData:)``.
    /// - Parameters:
    ///   - resource: a channel's name or MRSS.
    ///   - data: handed to the server.
    ///   - authenticateIfNeeded: signs in first if nobody is.
    /// - Returns: the token, for the verifier of the playback back end.
    /// - Throws: ``AuthorizationFailure``.
    public func authorize(
        _ resource: String, data: [String: String]? = nil, authenticateIfNeeded: Bool = false
    ) async throws(AuthorizationFailure) -> MediaToken {
        let request = AuthorizationRequest(
            resource: resource, data: data ?? [:], startsLogin: authenticateIfNeeded)
        return try await self.answer { .authorize(request, $0) }.get()
    }

    /// ``checkPreauthorizedResources(_:cache:)``.
    public func preauthorizedResources(among resources: [String], cache: Bool = true) async -> [String] {
        await self.answer { .checkPreauthorized(resources, usesCache: cache, $0) }
    }

    /// ``preauthorize(_:didCompleteWith:)``.
    public func preauthorize(_ request: PreauthorizeRequest) async -> PreauthorizeResponse {
        await self.answer { reply in
            .preauthorize(request, AccessEnablerCallback(onResponse: reply, onFailure: reply))
        }
    }

    /// ``getSelectedProvider()``.
    public func selectedProvider() async -> MVPD? { await self.answer { .getSelectedProvider($0) } }

    /// ``getMetadata(_:)``.
    public func metadata(_ query: MetadataQuery) async -> MetadataResult {
        await self.answer { .getMetadata(query.arguments, $0) }
    }

    /// ``logout()``.
    public func signOut() async -> LogoutOutcome { await self.answer { .logout($0) } }

    /// Sends a call and waits for its result, and for the callbacks before it.
    private nonisolated func answer<Result: Sendable>(
        _ call: (@escaping Reply<Result>) -> Call
    ) async -> Result {
        let result = await withCheckedContinuation { continuation in
            self.mailbox.send(call { continuation.resume(returning: $0) })
        }
        await self.reporter.settle()
        return result
    }
}
