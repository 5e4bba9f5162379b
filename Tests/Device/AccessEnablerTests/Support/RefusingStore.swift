import AccessEnabler
import Synchronization

/// A store in memory that takes no changes while it is told so, like one on a full disk.
final class RefusingStore: AccessEnabler.TokenStore {
    private let store = AccessEnabler.MemoryStore()
    private let refuses = Atomic<Bool>(false)

    func refuse() { self.refuses.store(true, ordering: .releasing) }

    func accept() { self.refuses.store(false, ordering: .releasing) }

    func stamp() throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreStamp { try self.store.stamp() }

    func content() async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreContent {
        try await self.store.content()
    }

    func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreChange
    ) async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreOutcome {
        guard !self.refuses.load(ordering: .acquiring) else {
            throw AccessEnabler.TokenStoreError("no space left on device")
        }
        return try await self.store.transaction(change)
    }
}
