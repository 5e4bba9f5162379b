import Observability
import POSIX

// Calls in the style of the original (access-enabler 7): each returns at once, and answers through the delegates.
extension AccessEnabler {
    /// Sets values that go with every request from now on (access-enabler 7.3). Never waits, answers nothing.
    /// - Parameter options: by ``AccessEnabler/OptionKey`` or any other name; merged with those set before, and
    ///   ``AccessEnabler/OptionValue/null`` removes one.
    public nonisolated func setOptions(_ options: [String: OptionValue]) { self.options.merge(options) }

    /// Establishes the programmer's identity at the server of the environment (access-enabler 6, 7.4).
    ///
    /// Answers: ``EntitlementDelegate/setRequestorComplete(_:)`` once. Other calls wait for it. An error comes with a
    /// status: `CFG400` for an ID the server does not know, `CFG404` without an answer, `CFG5xx`, `R400`, `R401`,
    /// `SEC403`, `SEC420`.
    /// - Parameter requestorID: as the operator of the server gave it.
    public nonisolated func setRequestor(_ requestorID: String) {
        self.setRequestor(requestorID, serviceProviders: [])
    }

    /// Establishes the programmer's identity at servers of one's own choice (access-enabler 6.4, 7.4).
    ///
    /// Answers: as ``setRequestor(_:)``; it succeeds when one of the servers answers.
    /// - Parameters:
    ///   - requestorID: as the operator of the servers gave it.
    ///   - urls: asked at once; where two differ the fastest answer wins. Empty for the server of the environment.
    public nonisolated func setRequestor(_ requestorID: String, serviceProviders urls: [String]) {
        self.warnUnlessMainThread("setRequestor")
        self.mailbox.send(.configure(requestorID: requestorID, serviceProviders: urls, nil))
    }

    /// Repeats the last `setRequestor`, such as when the application comes back to the foreground (access-enabler 6.5).
    ///
    /// Answers: as ``setRequestor(_:)``; nothing before the first.
    public nonisolated func resynchronize() { self.mailbox.send(.resynchronize) }

    /// Checks whether a viewer is signed in. Asks no server, and never starts a flow (access-enabler 7.6).
    ///
    /// Answers: ``EntitlementDelegate/setAuthenticationStatus(_:errorCode:)`` once, with
    /// ``AccessEnablerError/userNotAuthenticated`` and the status `N000` when no viewer is. Of a platform sign-in that
    /// cannot be used any more also `VSA403`, `VSA404` or `APPL_ERROR`.
    public nonisolated func checkAuthentication() {
        self.warnUnlessMainThread("checkAuthentication")
        self.mailbox.send(.checkAuthentication(nil))
    }

    /// Starts a login, unless a viewer is signed in (access-enabler 7.7, 9.2).
    ///
    /// Answers: ``EntitlementDelegate/setAuthenticationStatus(_:errorCode:)`` once; before it, as the flow asks,
    /// ``EntitlementDelegate/displayProviderDialog(_:)``, ``EntitlementDelegate/presentTvProviderDialog(_:)``,
    /// ``EntitlementDelegate/navigateToUrl(_:)`` or the status `REGCODE`. A call during a login joins it.
    public nonisolated func getAuthentication() { self.send(AuthenticationRequest()) }

    /// ``getAuthentication()``, with or without a sign-in.
    /// - Parameters:
    ///   - forceAuthn: also when a viewer is signed in; that sign-in stays until another succeeds.
    ///   - data: handed to the server, such as the identifier of a promotional TempPass.
    public nonisolated func getAuthentication(_ forceAuthn: Bool, withData data: [String: String]?) {
        self.send(AuthenticationRequest(forced: forceAuthn, data: data ?? [:]))
    }

    /// ``getAuthentication()``, with those providers alone in the platform's dialog.
    public nonisolated func getAuthentication(filter: ProviderFilter) {
        self.send(AuthenticationRequest(filter: filter))
    }

    /// ``getAuthentication(_:withData:)``, with those providers alone in the platform's dialog.
    public nonisolated func getAuthentication(
        _ forceAuthn: Bool, withData data: [String: String]?, andFilter filter: ProviderFilter
    ) {
        self.send(AuthenticationRequest(forced: forceAuthn, data: data ?? [:], filter: filter))
    }

    private nonisolated func send(_ request: AuthenticationRequest) { self.mailbox.send(.authenticate(request, nil)) }

    /// The viewer's choice of a provider (access-enabler 7.8).
    ///
    /// Answers: in a login it goes on with that provider. With a basic TempPass the viewer is signed in at once.
    /// Otherwise the choice is kept for the next login. ``AccessEnablerError/providerNotAvailable`` for a provider that
    /// is not the requestor's; ``AccessEnablerError/providerNotSelected`` and the status `N005` for `nil`.
    /// - Parameter mvpdID: ``MVPD/id``, or `nil` when the viewer cancelled, which ends the login.
    public nonisolated func setSelectedProvider(_ mvpdID: String?) { self.mailbox.send(.selectProvider(mvpdID, nil)) }

    /// The redirect that ended a navigation (access-enabler 7.10).
    ///
    /// Answers: ``EntitlementDelegate/setAuthenticationStatus(_:errorCode:)`` of the login or the logout. Another URL,
    /// or one that nothing waits for, is ignored.
    /// - Parameter url: the address that the browser was about to load; it begins with
    ///   ``AccessEnabler/NavigationRequest/completionURLPrefix``.
    public nonisolated func handleExternalURL(_ url: String) { self.mailbox.send(.handleExternalURL(url, nil)) }

    /// Asks which resources may be watched, for symbols in a list (access-enabler 7.12, 14).
    ///
    /// Answers: ``EntitlementDelegate/preauthorizedResources(_:)`` once, with an empty list when no viewer is signed in
    /// or the server gives no answer; `P100` when it refuses the question.
    /// - Parameter resources: the resources in question; those with an answer from before are not asked about again.
    public nonisolated func checkPreauthorizedResources(_ resources: [String]) {
        self.checkPreauthorizedResources(resources, cache: true)
    }

    /// ``checkPreauthorizedResources(_:)``, and whether answers from before count.
    public nonisolated func checkPreauthorizedResources(_ resources: [String], cache: Bool) {
        self.mailbox.send(.checkPreauthorized(resources, usesCache: cache, nil))
    }

    /// Asks which resources may be watched, with the reasons (access-enabler 7.13, 14.3). It is not queued: before the
    /// configuration it fails with `requestor_not_configured`.
    /// - Parameters:
    ///   - request: the question.
    ///   - callback: of which one closure is called, once. Failures: `authentication_session_missing`,
    ///     `authentication_session_expired`, `network_error`, `server_response_format_unknown`.
    public nonisolated func preauthorize(
        _ request: PreauthorizeRequest, didCompleteWith callback: AccessEnablerCallback<PreauthorizeResponse>
    ) {
        let reporter = self.reporter
        let reply = self.callers.reply(atTheEnd: PreauthorizeResponse(EntitlementError(.notConfigured))) { response in
            reporter.report(callback: {
                if response.isServed { callback.onResponse(response) } else { callback.onFailure(response) }
            })
        }
        self.mailbox.send(.preauthorize(request, reply))
    }

    /// Asks for a media token for a resource, if a viewer is signed in (access-enabler 7.14, 9.5).
    ///
    /// Answers: ``EntitlementDelegate/setToken(_:forResource:)``, or
    /// ``EntitlementDelegate/tokenRequestFailed(_:errorCode:errorDescription:)`` with the status of access-enabler
    /// 16.3. When no viewer is signed in, ``EntitlementDelegate/setAuthenticationStatus(_:errorCode:)`` comes first.
    /// - Parameter resource: a channel's name or MRSS, the same on every platform.
    public nonisolated func checkAuthorization(_ resource: String) {
        self.checkAuthorization(resource, withData: nil)
    }

    /// ``checkAuthorization(_:)``, with data for the server.
    public nonisolated func checkAuthorization(_ resource: String, withData data: [String: String]?) {
        self.mailbox.send(.authorize(AuthorizationArguments(resource: resource, data: data ?? [:])))
    }

    /// Asks for a media token for a resource; a login comes first if no viewer is signed in (access-enabler 7.15).
    ///
    /// Answers: as ``checkAuthorization(_:)``. Those of ``getAuthentication()`` come before, if there is a login.
    public nonisolated func getAuthorization(_ resource: String) { self.getAuthorization(resource, withData: nil) }

    /// ``getAuthorization(_:)``, with data for the server, for the login too.
    public nonisolated func getAuthorization(_ resource: String, withData data: [String: String]?) {
        self.mailbox.send(.authorize(AuthorizationArguments(resource: resource, data: data ?? [:], startsLogin: true)))
    }

    /// The provider in use (access-enabler 7.9).
    ///
    /// Answers: ``EntitlementDelegate/selectedProvider(_:)`` once, with `nil` when there is none.
    public nonisolated func getSelectedProvider() { self.mailbox.send(.getSelectedProvider(nil)) }

    /// Static or user metadata (access-enabler 7.17, 13.1).
    ///
    /// Answers: ``EntitlementDelegate/setMetadataStatus(_:encrypted:forKey:andArguments:)`` once, with `nil` when there
    /// is nothing to report.
    /// - Parameter keyDictionary: an opcode under ``AccessEnabler/MetadataKey/opcode``, and its arguments; see
    ///   ``AccessEnabler/MetadataQuery``.
    public nonisolated func getMetadata(_ keyDictionary: [String: MetadataArgument]) {
        self.mailbox.send(.getMetadata(keyDictionary, nil))
    }

    /// Signs out: the whole store is cleared first, then the server is told (access-enabler 7.16, 9.7).
    ///
    /// Answers: ``EntitlementDelegate/setAuthenticationStatus(_:errorCode:)`` with ``AccessEnablerStatus/error`` and
    /// ``AccessEnablerError/userNotAuthenticated``, which means here that it succeeded; ``AccessEnablerError/internalAuthentication``
    /// and the status `500` when the store cannot be written. With
    /// ``AccessEnabler/Configuration/Interaction/userAgent`` a hidden navigation comes before. `VSA203` after a
    /// platform sign-in.
    public nonisolated func logout() { self.mailbox.send(.logout(nil)) }

    private nonisolated func warnUnlessMainThread(_ call: StaticString) {
        guard self.settings.strictMainThread, !ThisThread.isMain else { return }
        self.logger.error("[AccessEnabler] called away from the main thread", [.operation: .text("\(call)")])
    }
}
