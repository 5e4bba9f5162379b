/// An older storage area that tokens are imported from (access-enabler 11.9). It is read only, and left untouched.
package protocol LegacyStoreReader: Sendable {
    /// Its content, in the format of today or of before; `nil` when it holds nothing or cannot be read.
    func bytes() async -> [UInt8]?
}

/// A store that an application used before, such as its private file before it joined a vendor group.
package struct FormerStore: LegacyStoreReader {
    let store: any AccessEnabler.TokenStore

    package init(_ store: any AccessEnabler.TokenStore) {
        self.store = store
    }

    package func bytes() async -> [UInt8]? { try? await self.store.content().bytes }
}
