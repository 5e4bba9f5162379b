/// How a question about the sign-in, or an attempt at one, ended (access-enabler 4.5).
public enum AuthenticationOutcome: Sendable, Hashable {
    case authenticated(mvpdID: String)
    /// With a code of ``AccessEnablerError``.
    case notAuthenticated(code: String)
}
