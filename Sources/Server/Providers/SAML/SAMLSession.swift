import Cryptography
import Entitlement
import FoundationEssentials

/// The kept part of a sign-in at a provider with SAML.
struct SAMLSession: Hashable, Sendable, Codable {
    /// `nil` for a viewer for whom a device's platform vouched: the provider itself gave nothing.
    let name: SAMLViewerName?
    let sessionIndex: String?
    /// The viewer's package as the provider named it; empty when the operator fixed it.
    let lineUp: [String]

    init(name: SAMLViewerName?, sessionIndex: String?, lineUp: [String]) {
        self.name = name
        self.sessionIndex = sessionIndex
        self.lineUp = lineUp
    }

    /// - Throws: `sessionOver` if it is no such session: the provider was of another kind when it was kept.
    init(_ session: ProviderSession) throws(ProviderError) {
        do {
            self = try JSONDecoder().decode(SAMLSession.self, from: Data(session.bytes))
        } catch {
            throw ProviderError(.sessionOver, detail: "what was kept of the sign-in is of another kind of provider")
        }
    }

    /// As it is kept.
    /// - Throws: `misconfigured` when it is too much.
    func kept() throws(ProviderError) -> ProviderSession {
        let bytes: Data
        do {
            bytes = try JSONEncoder().encode(self)
        } catch {
            throw ProviderError(detail: "a session could not be written")
        }
        return try ProviderSession(bytes)
    }

    /// The provider's name for this session when it ends it: the viewer's name and the session's index together. A name
    /// that is another one for every sign-in needs no index.
    static func sessionName(_ name: SAMLViewerName, index: String?) -> String {
        let parts = [name.text, name.isLasting ? index ?? "" : ""]
        // The length in front keeps a name that ends like an index apart from a shorter one.
        let whole = "\(parts[0].utf8.count) \(parts[0]) \(parts[1])"
        return whole.utf8.count <= ProviderLogin.maximumName ? whole : Hex.encode(Digest.sha256(whole.utf8))
    }
}
