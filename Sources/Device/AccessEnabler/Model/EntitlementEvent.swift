/// Everything the library reports, as one stream (access-enabler 4.5).
public enum EntitlementEvent: Sendable {
    case requestorComplete(AccessEnablerStatus)
    case authenticationStatus(AccessEnablerStatus, code: String)
    case registrationCode(RegistrationCode)
    case token(MediaToken)
    case tokenRequestFailed(AuthorizationFailure)
    case status(AdvancedStatus)
}
