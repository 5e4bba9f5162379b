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
