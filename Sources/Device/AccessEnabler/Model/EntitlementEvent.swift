/// Everything the library reports, as one stream (access-enabler 4.5). No event carries an authentication or
/// authorization token.
public enum EntitlementEvent: Sendable {
    /// ``EntitlementDelegate/setRequestorComplete(_:)``.
    case requestorComplete(AccessEnablerStatus)
    /// ``EntitlementDelegate/setAuthenticationStatus(_:errorCode:)``.
    case authenticationStatus(AccessEnablerStatus, code: String)
    /// ``EntitlementDelegate/displayProviderDialog(_:)``.
    case providerDialog([MVPD])
    /// ``EntitlementDelegate/navigateToUrl(_:)``, with or without a secure browser.
    case navigate(AccessEnabler.NavigationRequest)
    /// A code to show, beside the status `REGCODE`.
    case registrationCode(AccessEnabler.RegistrationCode)
    /// ``EntitlementDelegate/preauthorizedResources(_:)``.
    case preauthorizedResources([String])
    /// ``EntitlementDelegate/setToken(_:forResource:)``.
    case token(AccessEnabler.MediaToken)
    /// ``EntitlementDelegate/tokenRequestFailed(_:errorCode:errorDescription:)``.
    case tokenRequestFailed(AccessEnabler.AuthorizationFailure)
    /// ``EntitlementDelegate/selectedProvider(_:)``.
    case selectedProvider(MVPD?)
    /// ``EntitlementDelegate/presentTvProviderDialog(_:)``.
    case presentTvProviderDialog(TvProviderDialogRequest)
    /// ``EntitlementDelegate/dismissTvProviderDialog(_:)``.
    case dismissTvProviderDialog(TvProviderDialogRequest)
    /// ``EntitlementDelegate/setMetadataStatus(_:encrypted:forKey:andArguments:)``.
    case metadata(AccessEnabler.MetadataResult, key: Int, arguments: [String: AccessEnabler.MetadataArgument])
    /// ``EntitlementDelegate/sendTrackingData(_:forEventType:)``.
    case tracking(event: Int, data: [String])
    /// ``EntitlementStatus/status(_:)``, also `REGCODE`.
    case status(AdvancedStatus)
}

extension AccessEnabler {
    /// The events of ``EntitlementDelegate/sendTrackingData(_:forEventType:)`` (access-enabler 3.6, D-06).
    public enum TrackingEvent {
        /// `authenticationDetection`: seven entries.
        public static let authentication = 0
        /// `authorizationDetection`: nine entries.
        public static let authorization = 1
        /// `mvpdSelection`: four entries.
        public static let selectedProvider = 2
    }
}
