import Clientless

/// A login that a provider, a trial or a degradation rule said yes to, and what the sign-in will be. Kept sealed with
/// the attempt until the viewer has confirmed the box.
struct AcceptedLogin: Hashable, Sendable, Codable {
    let login: ProviderLogin
    let origin: AuthNOrigin
    /// When the sign-in ends at the latest; none leaves that to the integration.
    let end: Timestamp?

    init(_ login: ProviderLogin, origin: AuthNOrigin = .regular, until end: Timestamp? = nil) {
        self.login = login
        self.origin = origin
        self.end = end
    }
}
