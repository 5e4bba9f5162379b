import Synchronization

extension AccessEnabler {
    /// A store that ends with the process, for tests and previews (access-enabler 11.6).
    public final class MemoryStore: TokenStore {
        private let state: Mutex<(content: [UInt8]?, changes: Int64)>

        /// A store that holds `content`, or nothing yet.
        public init(content: [UInt8]? = nil) { self.state = Mutex((content, 0)) }

        /// See ``AccessEnabler/TokenStore/stamp()``.
        public func stamp() throws(TokenStoreError) -> TokenStoreStamp {
            TokenStoreStamp(self.state.withLock { $0.changes })
        }

        /// See ``AccessEnabler/TokenStore/content()``.
        public func content() async throws(TokenStoreError) -> TokenStoreContent {
            self.state.withLock { TokenStoreContent(bytes: $0.content, stamp: TokenStoreStamp($0.changes)) }
        }

        /// See ``AccessEnabler/TokenStore/transaction(_:)``. No former content is kept.
        public func transaction(
            _ change: @escaping @Sendable ([UInt8]?) throws(TokenStoreError) -> TokenStoreChange
        ) async throws(TokenStoreError) -> TokenStoreOutcome {
            try self.state.withLock { (state) throws(TokenStoreError) in
                let change = try change(state.content)
                if let content = change.content {
                    state.content = content
                    state.changes += 1
                }
                return TokenStoreOutcome(stamp: TokenStoreStamp(state.changes))
            }
        }
    }
}
