import AccessEnabler
import Synchronization

/// The store of one vendor group. What is in it is the members' affair: the agent keeps bytes.
///
/// A member replaces the content as a whole, and only the one that it knows: of two that change it at once, the second
/// is told so and begins again with the first one's content.
final class SharedStore: Sendable {
    /// As much as the library writes.
    static let contentLimit = 4 << 20
    /// The numbers of schemas whose contents are kept beside the one in use, so that their count is bounded.
    static let schemas = 1...9

    /// A content, `nil` where nothing was ever kept, and its version.
    struct Content: Sendable {
        let bytes: [UInt8]?
        let version: ContentVersion
    }

    /// How a replacement ended.
    enum Replacement: Hashable, Sendable {
        /// - Parameters:
        ///   - isNew: whether the content is another one than before.
        ///   - setAside: where the former one is; `nil` when it is nowhere.
        case kept(ContentVersion, isNew: Bool, setAside: String?)
        /// The content is not the one that the member knows.
        case outdated
    }

    private let file: AccessEnabler.PrivateFileStore
    /// The version of the file of this stamp: a member that asks whether anything changed costs no reading.
    private let known = Mutex<(stamp: AccessEnabler.TokenStoreStamp, version: ContentVersion)?>(nil)

    init(path: String) {
        self.file = AccessEnabler.PrivateFileStore(path: path)
    }

    func version() async throws(AccessEnabler.TokenStoreError) -> ContentVersion {
        let stamp = try self.file.stamp()
        if let known = self.known.withLock({ $0 }), known.stamp == stamp { return known.version }
        return try await self.content().version
    }

    func content() async throws(AccessEnabler.TokenStoreError) -> Content {
        let content = try await self.file.content()
        let version = ContentVersion(of: content.bytes)
        self.known.withLock { $0 = (content.stamp, version) }
        return Content(bytes: content.bytes, version: version)
    }

    /// Puts a content in the place of the one that the member knows. On return it survives a power cut.
    func replace(
        with content: [UInt8], knowing version: ContentVersion, former: AccessEnabler.TokenStoreChange.Former
    ) async throws(AccessEnabler.TokenStoreError) -> Replacement {
        let new = ContentVersion(of: content)
        let isCurrent = Mutex(false)
        let outcome = try await self.file.transaction { (present) throws(AccessEnabler.TokenStoreError) in
            guard ContentVersion(of: present) == version else { return .none }
            isCurrent.withLock { $0 = true }
            return new == version ? .none : .replace(content, former: former)
        }
        guard isCurrent.withLock({ $0 }) else { return .outdated }
        self.known.withLock { $0 = (outcome.stamp, new) }
        return .kept(new, isNew: new != version, setAside: outcome.setAside)
    }

    /// Puts the content aside as a damaged one. - Returns: where it is.
    func setAside() async throws(AccessEnabler.TokenStoreError) -> String? { try await self.file.setAside() }

    /// The content that was put aside as one of this schema.
    func contentSetAside(schema: Int) async throws(AccessEnabler.TokenStoreError) -> [UInt8]? {
        try await self.file.contentSetAside(schema: schema)
    }
}
