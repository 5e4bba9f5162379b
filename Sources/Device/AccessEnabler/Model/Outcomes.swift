public import FoundationEssentials

/// The two values of the original callbacks (access-enabler 3.1).
public enum AccessEnablerStatus: Int, Sendable {
    case error = 0
    case success = 1
}

/// How a question about the sign-in, or an attempt at one, ended (access-enabler 4.5).
public enum AuthenticationOutcome: Sendable, Hashable {
    case authenticated(mvpdID: String)
    /// With a code of ``AccessEnablerError``.
    case notAuthenticated(code: String)
}

/// How a logout ended. The provider's own session in the viewer's browser may live on (rest-v1 18).
public struct LogoutOutcome: Sendable, Hashable {
    /// Whether the system's own account has to be signed out too.
    public let requiresSystemSignOut: Bool
}

/// The short-lived, signed token for one playback of one resource. It is never kept.
public struct MediaToken: Sendable, Hashable {
    /// The serialized token, as the playback back end takes it.
    public let token: String
    public let resource: String
    /// When it runs out, by the server's clock.
    public let expires: Date
}

extension MediaToken: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "<media token>" }
    public var debugDescription: String { "<media token>" }
}

/// Why there is no media token (access-enabler 4.5).
public struct AuthorizationFailure: Error, Sendable, Hashable {
    public let resource: String
    /// A code of ``AccessEnablerError``.
    public let code: String
    /// A sentence for the viewer; the provider's own where it sent one.
    public let description: String
}

/// The configuration phase did not come to its end.
public struct ConfigurationFailure: Error, Sendable, Hashable {
    public let status: AdvancedStatus?
}

/// The codes the callbacks carry (access-enabler 3.2).
public enum AccessEnablerError {
    public static let userAuthenticated = ""
    public static let userNotAuthenticated = "User Not Authenticated Error"
    public static let providerNotSelected = "Provider not Selected Error"
    public static let genericAuthentication = "Generic Authentication Error"
    public static let userNotAuthorized = "User not Authorized Error"
    public static let genericAuthorization = "Generic Authorization Error"
    public static let internalAuthentication = "Internal Authentication Error"
    public static let internalAuthorization = "Internal Authorization Error"
}
