import Cryptography
import Entitlement

/// The kept part of a sign-in at a provider with SAML.
struct SAMLSession: RemoteSession, Hashable, Sendable {
    /// `nil` for a viewer for whom a device's platform vouched: the provider itself gave nothing.
    let name: SAMLViewerName?
    let sessionIndex: String?
    /// The viewer's package as the provider named it; empty when the operator fixed it.
    let lineUp: [String]

    func kept() throws(ProviderError) -> ProviderSession { try ProviderSession(try self.bytes()) }

    /// The provider's name for this session when it ends it: the viewer's name and the session's index together. A name
    /// that is another one for every sign-in needs no index.
    static func sessionName(_ name: SAMLViewerName, index: String?) -> String {
        let parts = [name.text, name.isLasting ? index ?? "" : ""]
        // The length in front keeps a name that ends like an index apart from a shorter one.
        let whole = "\(parts[0].utf8.count) \(parts[0]) \(parts[1])"
        return whole.utf8.count <= ProviderLogin.maximumName ? whole : Hex.encode(Digest.sha256(whole.utf8))
    }
}
