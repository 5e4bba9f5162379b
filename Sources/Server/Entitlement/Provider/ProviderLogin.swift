/// A viewer a provider vouched for.
package struct ProviderLogin: Hashable, Sendable, Codable {
    /// The provider's own, stable ID of the viewer.
    package let upstreamUserID: String
    package let session: ProviderSession

    package init(upstreamUserID: String, session: ProviderSession) {
        self.upstreamUserID = upstreamUserID
        self.session = session
    }
}

/// What a provider needs again later to decide, refresh or log out. Kept sealed under the server's key.
package struct ProviderSession: Hashable, Sendable, Codable {
    /// The account at the provider, in the provider's own terms.
    package let account: String

    package init(account: String) {
        self.account = account
    }
}
