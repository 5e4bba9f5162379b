/// Everything the library reports, as one stream (access-enabler 4.5). No event carries an authentication or
/// authorization token.
public enum EntitlementEvent: Sendable {
    case requestorComplete(AccessEnablerStatus)
    case authenticationStatus(AccessEnablerStatus, code: String)
    case providerDialog([MVPD])
    case navigate(NavigationRequest)
    case registrationCode(RegistrationCode)
    case preauthorizedResources([String])
    case token(MediaToken)
    case tokenRequestFailed(AuthorizationFailure)
    case selectedProvider(MVPD?)
    case presentTvProviderDialog(TvProviderDialogRequest)
    case dismissTvProviderDialog(TvProviderDialogRequest)
    case metadata(MetadataResult, key: Int, arguments: [String: MetadataArgument])
    case tracking(event: Int, data: [String])
    /// Also `REGCODE`.
    case status(AdvancedStatus)
}
