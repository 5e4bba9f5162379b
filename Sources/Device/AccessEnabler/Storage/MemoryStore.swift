import Synchronization

extension AccessEnabler {
    /// A store that ends with the process, for tests and previews (access-enabler 11.6).
    public final class MemoryStore: TokenStore {
        private struct State {
            var content: [UInt8]?
            var changes: Int64 = 0
        }

        private let state: Mutex<State>

        /// A store that holds `content`, or nothing yet.
        public init(content: [UInt8]? = nil) {
            self.state = Mutex(State(content: content))
        }

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
