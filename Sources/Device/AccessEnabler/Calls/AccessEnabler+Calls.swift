import Observability
import POSIX

// Calls in the style of the original (access-enabler 7): each returns at once, and answers through the delegates.
extension AccessEnabler {
    /// Sets values that are sent with every call from now on (access-enabler 7.3). Merges; `.null` removes.
    public nonisolated func setOptions(_ options: [String: OptionValue]) { self.options.merge(options) }

    /// Establishes the programmer's identity (access-enabler 6, 7.4). Answer: `setRequestorComplete`.
    public nonisolated func setRequestor(_ requestorID: String) {
        self.setRequestor(requestorID, serviceProviders: [])
    }

    /// The same, at servers of one's own choice; the fastest answer wins where two differ (access-enabler 6.4).
    public nonisolated func setRequestor(_ requestorID: String, serviceProviders urls: [String]) {
        self.warnUnlessMainThread("setRequestor")
        self.mailbox.send(.configure(requestorID: requestorID, serviceProviders: urls, nil))
    }

    /// Repeats the last `setRequestor`, such as when the application comes back to the foreground (access-enabler 6.5).
    /// Nothing happens before the first.
    public nonisolated func resynchronize() { self.mailbox.send(.resynchronize) }

    /// Is somebody signed in? No network, never starts a flow (access-enabler 7.6). Answer: `setAuthenticationStatus`.
    public nonisolated func checkAuthentication() {
        self.warnUnlessMainThread("checkAuthentication")
        self.mailbox.send(.checkAuthentication(nil))
    }

    /// Starts the authentication flow, unless somebody is signed in (access-enabler 7.7).
    public nonisolated func getAuthentication() { self.send(AuthenticationRequest()) }

    /// Starts the authentication flow (access-enabler 7.7).
    /// - Parameters:
    ///   - forceAuthn: also when somebody is signed in; that sign-in stays until another succeeds.
    ///   - data: handed to the server, such as the identifier of a promotional TempPass.
    public nonisolated func getAuthentication(_ forceAuthn: Bool, withData data: [String: String]?) {
        self.send(AuthenticationRequest(forced: forceAuthn, data: data ?? [:]))
    }

    /// Starts the authentication flow, with the providers of the platform's dialog (access-enabler 7.7).
    public nonisolated func getAuthentication(filter: ProviderFilter) {
        self.send(AuthenticationRequest(filter: filter))
    }

    /// Starts the authentication flow (access-enabler 7.7).
    public nonisolated func getAuthentication(
        _ forceAuthn: Bool, withData data: [String: String]?, andFilter filter: ProviderFilter
    ) {
        self.send(AuthenticationRequest(forced: forceAuthn, data: data ?? [:], filter: filter))
    }

    private nonisolated func send(_ request: AuthenticationRequest) { self.mailbox.send(.authenticate(request, nil)) }

    /// The viewer's choice of a provider; none means that they cancelled (access-enabler 7.8).
    public nonisolated func setSelectedProvider(_ mvpdID: String?) { self.mailbox.send(.selectProvider(mvpdID, nil)) }

    /// The redirect that ended a navigation (access-enabler 7.10).
    public nonisolated func handleExternalURL(_ url: String) { self.mailbox.send(.handleExternalURL(url, nil)) }

    /// Which of these may be watched? (access-enabler 7.12) Answer: `preauthorizedResources`.
    public nonisolated func checkPreauthorizedResources(_ resources: [String]) {
        self.checkPreauthorizedResources(resources, cache: true)
    }

    /// Which of these may be watched? (access-enabler 7.12)
    /// - Parameter cache: whether what was answered before counts.
    public nonisolated func checkPreauthorizedResources(_ resources: [String], cache: Bool) {
        self.mailbox.send(.checkPreauthorized(resources, usesCache: cache, nil))
    }

    /// Which of these may be watched, with the reasons? (access-enabler 7.13, 14.3)
    public nonisolated func preauthorize(
        _ request: PreauthorizeRequest, didCompleteWith callback: AccessEnablerCallback<PreauthorizeResponse>
    ) {
        self.mailbox.send(.preauthorize(request, callback))
    }

    /// A media token for a resource, if somebody is signed in (access-enabler 7.14). Answer: `setToken` or
    /// `tokenRequestFailed`.
    public nonisolated func checkAuthorization(_ resource: String) {
        self.checkAuthorization(resource, withData: nil)
    }

    /// A media token for a resource, if somebody is signed in (access-enabler 7.14).
    /// - Parameter data: handed to the server.
    public nonisolated func checkAuthorization(_ resource: String, withData data: [String: String]?) {
        self.mailbox.send(.authorize(AuthorizationRequest(resource: resource, data: data ?? [:]), nil))
    }

    /// A media token for a resource; signs in first if nobody is (access-enabler 7.15).
    public nonisolated func getAuthorization(_ resource: String) { self.getAuthorization(resource, withData: nil) }

    /// A media token for a resource; signs in first if nobody is (access-enabler 7.15).
    /// - Parameter data: handed to the server.
    public nonisolated func getAuthorization(_ resource: String, withData data: [String: String]?) {
        self.mailbox.send(
            .authorize(AuthorizationRequest(resource: resource, data: data ?? [:], startsLogin: true), nil))
    }

    /// The provider in use (access-enabler 7.9). Answer: `selectedProvider`.
    public nonisolated func getSelectedProvider() { self.mailbox.send(.getSelectedProvider(nil)) }

    /// Static or user metadata (access-enabler 7.17, 13.1). Answer: `setMetadataStatus`.
    public nonisolated func getMetadata(_ keyDictionary: [String: MetadataArgument]) {
        self.mailbox.send(.getMetadata(keyDictionary, nil))
    }

    /// Signs out: the whole store is cleared first, then the server is told (access-enabler 7.16).
    public nonisolated func logout() { self.mailbox.send(.logout(nil)) }

    private nonisolated func warnUnlessMainThread(_ call: StaticString) {
        guard self.settings.strictMainThread, !ThisThread.isMain else { return }
        self.logger.error("[AccessEnabler] called away from the main thread", [.operation: .text("\(call)")])
    }
}
