import AccessEnabler
import Synchronization

/// A store in memory that takes no more changes once it is told so, like one on a full disk.
final class RefusingStore: TokenStore {
    private let store = MemoryStore()
    private let refuses = Atomic<Bool>(false)

    func refuse() { self.refuses.store(true, ordering: .releasing) }

    func stamp() throws(TokenStoreError) -> TokenStoreStamp { try self.store.stamp() }

    func content() async throws(TokenStoreError) -> TokenStoreContent { try await self.store.content() }

    func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(TokenStoreError) -> TokenStoreChange
    ) async throws(TokenStoreError) -> TokenStoreOutcome {
        guard !self.refuses.load(ordering: .acquiring) else { throw TokenStoreError("no space left on device") }
        return try await self.store.transaction(change)
    }
}
