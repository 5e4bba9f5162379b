extension AccessEnabler {
    /// The place where the library keeps its tokens: one content, changed as a whole or not at all (access-enabler
    /// 11.6).
    ///
    /// The content is the library's own affair. Several processes may use one store at once. A store reads
    /// everything that it wrote: it refuses to write a content that would be too large to be read again.
    public protocol TokenStore: Sendable {
        /// A value that is another after every change, by this process or another; cheap, for it is asked for all the
        /// time.
        /// - Throws: when the store cannot be used.
        func stamp() throws(TokenStoreError) -> TokenStoreStamp

        /// The content and its stamp; no content when nothing was ever kept.
        func content() async throws(TokenStoreError) -> TokenStoreContent

        /// Changes the content. Changes of another process meanwhile are not lost. On return the new content survives a
        /// power cut.
        /// - Parameter change: is given the content, and returns its change.
        func transaction(
            _ change: @escaping @Sendable (_ content: [UInt8]?) throws(TokenStoreError) -> TokenStoreChange
        ) async throws(TokenStoreError) -> TokenStoreOutcome

        /// Puts the content aside as a damaged one, without reading it: it may be too large for that. Optional: by
        /// default nothing happens.
        /// - Returns: where it is now, for the operator of the box.
        func setAside() async throws(TokenStoreError) -> String?
    }
}

extension AccessEnabler.TokenStore {
    /// Does nothing.
    public func setAside() async throws(AccessEnabler.TokenStoreError) -> String? { nil }
}

extension AccessEnabler {
    /// A change of a store's content.
    public struct TokenStoreChange: Sendable, Hashable {
        /// The fate of the former content when another takes its place.
        public enum Former: Sendable, Hashable {
            /// It goes.
            case dropped
            /// It could not be understood, and is kept beside the new one if the store can do that.
            case damaged
            /// A newer version of the library wrote it, with a schema of this number. It is kept beside the new one for
            /// that version, if the store can do that; one of the same number goes.
            case schema(Int)
        }

        /// The new content; `nil` leaves everything as it was.
        public let content: [UInt8]?
        /// The fate of the former one.
        public let former: Former

        /// Leaves the content as it was.
        public static let none = TokenStoreChange(content: nil, former: .dropped)

        /// Puts another content in the place of the former one.
        public static func replace(_ content: [UInt8], former: Former = .dropped) -> TokenStoreChange {
            TokenStoreChange(content: content, former: former)
        }
    }

    /// How a change of a store ended.
    public struct TokenStoreOutcome: Sendable, Hashable {
        /// Tells the content from the next, whether or not it was changed.
        public let stamp: TokenStoreStamp
        /// The path of the former content that was put aside, for the operator of the box; `nil` when it was not.
        public let setAside: String?

        /// The end of a change.
        public init(stamp: TokenStoreStamp, setAside: String? = nil) {
            self.stamp = stamp
            self.setAside = setAside
        }
    }

    /// Tells one content of a store from another.
    public struct TokenStoreStamp: Sendable, Hashable {
        private let parts: [Int64]

        /// A stamp of values that change with the content: a time, a size, a count.
        public init(_ parts: Int64...) { self.parts = parts }
    }

    /// The content of a store at a moment.
    public struct TokenStoreContent: Sendable {
        /// The content; `nil` when nothing was ever kept.
        public let bytes: [UInt8]?
        /// Tells it from the next.
        public let stamp: TokenStoreStamp

        /// A content and its stamp.
        public init(bytes: [UInt8]?, stamp: TokenStoreStamp) {
            self.bytes = bytes
            self.stamp = stamp
        }
    }

    /// A store could not serve a call. The content is the former one, or, when the disk failed in the last moment,
    /// the new one; never a part of either.
    public struct TokenStoreError: Error, Sendable, Hashable, CustomStringConvertible {
        /// For the operator of the box; has no token in it.
        public let description: String

        /// An error that says this.
        public init(_ description: String) { self.description = description }
    }
}
