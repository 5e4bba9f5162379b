/// The two values of the original callbacks (access-enabler 3.1).
public enum AccessEnablerStatus: Int, Sendable {
    /// Configuration or authentication failed; after a logout, the logout succeeded.
    case error = 0
    /// Configuration finished, or authentication succeeded.
    case success = 1
}
