package import Clientless

/// A viewer a provider vouched for.
package struct ProviderLogin: Hashable, Sendable, Codable {
    /// The provider's own, stable ID of the viewer.
    package let upstreamUserID: String
    package let session: ProviderSession
    /// What the provider says of the viewer, by the keys of rest-v1 19.
    package let metadata: [String: MetadataValue]

    package init(upstreamUserID: String, session: ProviderSession, metadata: [String: MetadataValue] = [:]) {
        self.upstreamUserID = upstreamUserID
        self.session = session
        self.metadata = metadata
    }
}

/// What is kept of a login with its AuthN record, sealed.
package struct KeptSession: Hashable, Sendable, Codable {
    package let session: ProviderSession
    package let upstreamUserID: String
    package let metadata: [String: MetadataValue]
    /// When the metadata was last set.
    package var updated: Timestamp
    /// What the box said of itself; `nil` where it was not asked, and in records of an older program.
    package let box: KeptBox?

    package init(_ login: ProviderLogin, updated: Timestamp, box: KeptBox?) {
        self.session = login.session
        self.upstreamUserID = login.upstreamUserID
        self.metadata = login.metadata
        self.updated = updated
        self.box = box
    }
}

/// What is kept of a box with its sign-in, so that its viewer knows it again in a list.
package struct KeptBox: Hashable, Sendable, Codable {
    /// In bytes of UTF-8; a list has many of them.
    static let maximumTextLength = 128

    package let name: String?
    package let model: String?

    package init(_ box: BoxDescription) {
        self.name = box.name?.prefix(bytes: Self.maximumTextLength)
        self.model = box.model?.prefix(bytes: Self.maximumTextLength)
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
