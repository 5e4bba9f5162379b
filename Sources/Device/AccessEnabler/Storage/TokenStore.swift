/// Where the library keeps its tokens: one content, changed as a whole or not at all (access-enabler 11.6).
///
/// What the content says is the library's own affair. Several processes may use one store at once.
public protocol TokenStore: Sendable {
    /// A value that is another after every change, whoever made it; cheap, for it is asked for all the time.
    /// - Throws: when the store cannot be used.
    func stamp() throws(TokenStoreError) -> TokenStoreStamp

    /// The content and its stamp; no content when nothing was ever kept.
    func content() async throws(TokenStoreError) -> TokenStoreContent

    /// Changes the content, while nobody else can. On return the new content survives a power cut.
    /// - Parameter change: is given the content, and returns the new one; none leaves it as it was.
    func transaction(
        _ change: @escaping @Sendable (_ content: [UInt8]?) throws(TokenStoreError) -> [UInt8]?
    ) async throws(TokenStoreError) -> TokenStoreStamp

    /// Puts a content that cannot be understood out of the way, before another takes its place. Optional: by default it
    /// is lost.
    /// - Returns: where it is now, for whoever looks after the box.
    func setAside() async throws(TokenStoreError) -> String?
}

extension TokenStore {
    /// Keeps nothing.
    public func setAside() async throws(TokenStoreError) -> String? { nil }
}

/// Tells one content of a store from another.
public struct TokenStoreStamp: Sendable, Hashable {
    private let parts: [Int64]

    /// A stamp of what changes with the content: a time, a size, a count.
    public init(_ parts: Int64...) {
        self.parts = parts
    }
}

/// What a store holds at a moment.
public struct TokenStoreContent: Sendable {
    /// The content; `nil` when nothing was ever kept.
    public let bytes: [UInt8]?
    /// What tells it from the next.
    public let stamp: TokenStoreStamp

    /// A content and its stamp.
    public init(bytes: [UInt8]?, stamp: TokenStoreStamp) {
        self.bytes = bytes
        self.stamp = stamp
    }
}

/// A store could not do what was asked; nothing of it was done.
public struct TokenStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// For whoever looks after the box; has no token in it.
    public let description: String

    /// An error that says this.
    public init(_ description: String) {
        self.description = description
    }
}
