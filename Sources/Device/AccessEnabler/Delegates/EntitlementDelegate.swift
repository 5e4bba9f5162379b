/// Receives the callbacks of the entitlement flows (access-enabler 8). They come one after the other, through the
/// ``AccessEnabler/CallbackDispatcher`` of the configuration.
public protocol EntitlementDelegate: AnyObject, Sendable {
    /// The configuration phase is over; once for each `setRequestor` (access-enabler 8.1).
    /// - Parameter status: whether entitlement calls can be served; a status report says why not.
    func setRequestorComplete(_ status: AccessEnablerStatus)
    /// The result of a check, a login or a logout (access-enabler 8.2).
    /// - Parameters:
    ///   - status: whether a viewer is signed in.
    ///   - code: a code of ``AccessEnablerError``; empty with success.
    func setAuthenticationStatus(_ status: AccessEnablerStatus, errorCode code: String)
    /// Shows a picker, and goes on with ``AccessEnabler/setSelectedProvider(_:)`` (access-enabler 8.3).
    /// - Parameter mvpds: the providers of the requestor, at least one.
    func displayProviderDialog(_ mvpds: [MVPD])
    /// Opens a page of the server, and tells its end to ``AccessEnabler/handleExternalURL(_:)`` (access-enabler 8.4).
    /// Only with ``AccessEnabler/Configuration/Interaction/userAgent``.
    /// - Parameter url: of a login, or of a logout, where the page stays hidden.
    func navigateToUrl(_ url: String)
    /// Opens a page of the server in the system's own browser (access-enabler 8.6). Optional: by default the same as
    /// ``navigateToUrl(_:)``.
    /// - Parameters:
    ///   - url: of a login or a logout.
    ///   - useSVC: whether only that browser will do.
    func navigateToUrl(_ url: String, useSVC: Bool)
    /// The answer to ``AccessEnabler/checkPreauthorizedResources(_:)`` (access-enabler 8.7).
    /// - Parameter resources: those of the asked ones that may be watched, in the order of the question.
    func preauthorizedResources(_ resources: [String])
    /// A resource may be watched (access-enabler 8.8).
    /// - Parameters:
    ///   - token: the media token, for the verifier of the playback back end; good for one playback.
    ///   - resource: the resource that may be watched.
    func setToken(_ token: String, forResource resource: String)
    /// There is no media token (access-enabler 8.9).
    /// - Parameters:
    ///   - resource: the resource that was asked for.
    ///   - code: a code of ``AccessEnablerError``.
    ///   - description: the provider's or server's sentence, or empty.
    func tokenRequestFailed(_ resource: String, errorCode code: String, errorDescription description: String)
    /// The answer to ``AccessEnabler/getSelectedProvider()`` (access-enabler 8.10).
    /// - Parameter mvpd: the provider in use, if any.
    func selectedProvider(_ mvpd: MVPD?)
    /// Shows the platform's dialog (access-enabler 8.11).
    /// - Parameter request: the dialog to show; it takes the viewer's answer.
    func presentTvProviderDialog(_ request: TvProviderDialogRequest)
    /// Takes the platform's dialog away (access-enabler 8.12).
    /// - Parameter request: the same object that was presented.
    func dismissTvProviderDialog(_ request: TvProviderDialogRequest)
    /// The answer to ``AccessEnabler/getMetadata(_:)`` (access-enabler 8.13).
    /// - Parameters:
    ///   - metadata: the value; `nil` when there is nothing to report.
    ///   - encrypted: whether the value is encrypted for the programmer.
    ///   - key: the opcode of the question.
    ///   - arguments: the question, as it was asked.
    func setMetadataStatus(
        _ metadata: AccessEnabler.MetadataValue?, encrypted: Bool, forKey key: Int,
        andArguments arguments: [String: AccessEnabler.MetadataArgument])
    /// Counted facts (access-enabler 8.15, 15). Optional: by default nothing.
    /// - Parameters:
    ///   - data: 7, 9 or 4 texts by the kind of event (access-enabler 15.2); empty if one does not apply.
    ///   - event: a value of ``AccessEnabler/TrackingEvent``.
    func sendTrackingData(_ data: [String], forEventType event: Int)
}

extension EntitlementDelegate {
    /// Calls ``navigateToUrl(_:)``.
    public func navigateToUrl(_ url: String, useSVC: Bool) { self.navigateToUrl(url) }
    /// Does nothing.
    public func sendTrackingData(_ data: [String], forEventType event: Int) {}
}

/// Receives advanced status and error reports (access-enabler 8.14, 16), and the registration
/// code.
public protocol EntitlementStatus: AnyObject, Sendable {
    /// A report; see ``AdvancedStatus``.
    /// - Parameter statusDictionary: `errorId` and `level` always; `message`, `resource`, `details` and further
    ///   pairs if there are any.
    func status(_ statusDictionary: [String: String])
}
