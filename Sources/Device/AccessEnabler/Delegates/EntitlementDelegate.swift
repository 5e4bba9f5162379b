/// What an application hears of the entitlement flows (access-enabler 8). Calls come one after the other, through the
/// ``CallbackDispatcher`` of the configuration.
public protocol EntitlementDelegate: AnyObject, Sendable {
    /// The configuration phase is over; once for each `setRequestor` (access-enabler 8.1).
    func setRequestorComplete(_ status: AccessEnablerStatus)
    /// The result of a check, a login or a logout (access-enabler 8.2).
    /// - Parameter code: a code of ``AccessEnablerError``; empty with success.
    func setAuthenticationStatus(_ status: AccessEnablerStatus, errorCode code: String)
    /// Show a picker, and go on with ``AccessEnabler/setSelectedProvider(_:)`` (access-enabler 8.3).
    func displayProviderDialog(_ mvpds: [MVPD])
    /// Open a page of the server (access-enabler 8.4).
    func navigateToUrl(_ url: String)
    /// Open a page of the server in the system's own browser (access-enabler 8.6). Optional: by default the same as
    /// ``navigateToUrl(_:)``.
    func navigateToUrl(_ url: String, useSVC: Bool)
    /// Those of the asked resources that may be watched (access-enabler 8.7).
    func preauthorizedResources(_ resources: [String])
    /// The media token for a resource (access-enabler 8.8).
    func setToken(_ token: String, forResource resource: String)
    /// There is no media token (access-enabler 8.9).
    /// - Parameters:
    ///   - code: a code of ``AccessEnablerError``.
    ///   - description: the provider's or server's sentence, or empty.
    func tokenRequestFailed(_ resource: String, errorCode code: String, errorDescription description: String)
    /// The provider in use, if any (access-enabler 8.10).
    func selectedProvider(_ mvpd: MVPD?)
    /// Show the platform's dialog (access-enabler 8.11).
    func presentTvProviderDialog(_ request: TvProviderDialogRequest)
    /// Take the platform's dialog away; the same object that was presented (access-enabler 8.12).
    func dismissTvProviderDialog(_ request: TvProviderDialogRequest)
    /// The answer to ``AccessEnabler/getMetadata(_:)`` (access-enabler 8.13).
    /// - Parameters:
    ///   - encrypted: whether the value is encrypted for the programmer.
    ///   - key: the opcode of the question.
    ///   - arguments: the question, as it was asked.
    func setMetadataStatus(
        _ metadata: MetadataValue?, encrypted: Bool, forKey key: Int,
        andArguments arguments: [String: MetadataArgument])
    /// Counted facts (access-enabler 8.15, 15). Optional: by default nothing.
    func sendTrackingData(_ data: [String], forEventType event: Int)
}

extension EntitlementDelegate {
    public func navigateToUrl(_ url: String, useSVC: Bool) { self.navigateToUrl(url) }

    public func sendTrackingData(_ data: [String], forEventType event: Int) {}
}
