import Entitlement
import FoundationEssentials
import OpenIDConnect

/// The kept part of a sign-in at a provider with OpenID Connect.
struct OpenIDConnectSession: Hashable, Sendable, Codable {
    /// `nil` for a viewer for whom a device's platform vouched: the provider itself gave nothing.
    let tokens: ProviderTokens?
    /// The viewer's package as the provider last said it; empty if the operator fixed it.
    let lineUp: [String]
    /// The viewer's metadata as the provider last said them, for a renewal that says nothing of it.
    let metadata: [String: MetadataValue]

    init(tokens: ProviderTokens?, lineUp: [String], metadata: [String: MetadataValue]) {
        self.tokens = tokens
        self.lineUp = lineUp
        self.metadata = metadata
    }

    /// - Throws: `sessionOver` if it is no such session: the provider was of another kind when it was kept.
    init(_ session: ProviderSession) throws(ProviderError) {
        do {
            self = try JSONDecoder().decode(OpenIDConnectSession.self, from: Data(session.bytes))
        } catch {
            throw ProviderError(.sessionOver, detail: "what was kept of the sign-in is of another kind of provider")
        }
    }

    /// As it is kept. An ID token that leaves no room stays away; a logout at the provider then asks the viewer.
    /// - Throws: `misconfigured` when there is too much even so.
    func kept() throws(ProviderError) -> ProviderSession {
        let whole = try Self.bytes(self.with(self.tokens?.kept(withHint: true)))
        guard whole.count > ProviderSession.maximumSize else { return try ProviderSession(whole) }
        return try ProviderSession(try Self.bytes(self.with(self.tokens?.kept(withHint: false))))
    }

    private func with(_ tokens: ProviderTokens?) -> OpenIDConnectSession {
        OpenIDConnectSession(tokens: tokens, lineUp: self.lineUp, metadata: self.metadata)
    }

    private static func bytes(_ session: OpenIDConnectSession) throws(ProviderError) -> Data {
        do {
            return try JSONEncoder().encode(session)
        } catch {
            throw ProviderError(detail: "a session could not be written")
        }
    }
}
