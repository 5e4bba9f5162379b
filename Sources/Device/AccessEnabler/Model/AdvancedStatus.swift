/// A detailed report beside the callbacks (access-enabler 4.4 and 16).
public struct AdvancedStatus: Sendable, Hashable {
    /// How serious a report is (access-enabler 16).
    public enum Level: String, Sendable {
        /// Good to know.
        case info
        /// It works, but the operator of the box should look.
        case warning
        /// It does not work.
        case error
        /// It worked.
        case success
    }

    /// A code of access-enabler 16, such as `REGCODE` or `N130`, as it stands in ``dictionary``; see ``code``.
    public let errorId: String
    /// How serious it is.
    public let level: Level
    /// A sentence, or the registration code of `REGCODE`.
    public let message: String?
    /// The resource that the report is about; every Z code has one.
    public let resource: String?
    /// The cause, in words for the operator of the box.
    public let details: String?
    /// Further pairs, such as the `loginURL` of `REGCODE`.
    public let further: [String: String]

    /// A report, such as a test shows.
    public init(
        _ errorId: String, _ level: Level, message: String? = nil, resource: String? = nil, details: String? = nil,
        further: [String: String] = [:]
    ) {
        self.errorId = errorId
        self.level = level
        self.message = message
        self.resource = resource
        self.details = details
        self.further = further
    }

    /// The same as ``errorId``, to be compared with the constants of ``Code``.
    public var code: Code { Code(self.errorId) }

    /// The form the `status` callback receives: ``further``, and each of the other properties under its own name.
    public var dictionary: [String: String] {
        var dictionary = self.further
        dictionary["errorId"] = self.errorId
        dictionary["level"] = self.level.rawValue
        dictionary["message"] = self.message
        dictionary["resource"] = self.resource
        dictionary["details"] = self.details
        return dictionary
    }
}

/// The two values of the original callbacks (access-enabler 3.1).
public enum AccessEnablerStatus: Int, Sendable {
    /// Configuration or authentication failed; after a logout, the logout succeeded.
    case error = 0
    /// Configuration finished, or authentication succeeded.
    case success = 1
}

/// The codes the callbacks carry (access-enabler 3.2, D-06).
public enum AccessEnablerError {
    /// With every success.
    public static let userAuthenticated = ""
    /// No viewer is signed in; also after a logout.
    public static let userNotAuthenticated = "User Not Authenticated Error"
    /// The choice of a provider was cancelled.
    public static let providerNotSelected = "Provider not Selected Error"
    /// No network, an abandoned flow, or a cause without a better code.
    public static let genericAuthentication = "Generic Authentication Error"
    /// No provider can be offered, or the chosen one is not known.
    public static let providerNotAvailable = "Provider not Available Error"
    /// A fault of the system while authenticating.
    public static let internalAuthentication = "Internal Authentication Error"
    /// The viewer may not watch the resource.
    public static let userNotAuthorized = "User not Authorized Error"
    /// Unknown or unpublished cause, such as the network.
    public static let genericAuthorization = "Generic Authorization Error"
    /// A fault of the system while authorizing.
    public static let internalAuthorization = "Internal Authorization Error"
    /// A fault of the system.
    public static let `internal` = "Internal Error"
}
