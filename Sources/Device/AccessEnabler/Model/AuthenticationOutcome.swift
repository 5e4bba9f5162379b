extension AccessEnabler {
    /// How a question about the sign-in, or an attempt at one, ended (access-enabler 4.5).
    public enum AuthenticationOutcome: Sendable, Hashable {
        /// A viewer is signed in, at this provider.
        case authenticated(mvpdID: String)
        /// With a code of ``AccessEnablerError``.
        case notAuthenticated(code: String)
    }
}
