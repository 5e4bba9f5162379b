import Entitlement
import OpenIDConnect

/// The kept part of a sign-in at a provider with OpenID Connect.
struct OpenIDConnectSession: RemoteSession, Hashable, Sendable {
    /// `nil` for a viewer for whom a device's platform vouched: the provider itself gave nothing.
    let tokens: ProviderTokens?
    /// The viewer's package as the provider last said it; empty if the operator fixed it.
    let lineUp: [String]
    /// The viewer's metadata as the provider last said them, for a renewal that says nothing of it.
    let metadata: [String: MetadataValue]

    /// As it is kept. An ID token that leaves no room stays away; a logout at the provider then asks the viewer.
    /// - Throws: `misconfigured` when there is too much even so.
    func kept() throws(ProviderError) -> ProviderSession {
        let whole = try self.with(self.tokens?.kept(withHint: true)).bytes()
        guard whole.count > ProviderSession.maximumSize else { return try ProviderSession(whole) }
        return try ProviderSession(try self.with(self.tokens?.kept(withHint: false)).bytes())
    }

    private func with(_ tokens: ProviderTokens?) -> OpenIDConnectSession {
        OpenIDConnectSession(tokens: tokens, lineUp: self.lineUp, metadata: self.metadata)
    }
}
