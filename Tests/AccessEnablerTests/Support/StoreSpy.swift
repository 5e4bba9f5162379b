import AccessEnabler
import Synchronization
import TestSupport

/// A store that counts its changes, for work that ends without a callback.
final class StoreSpy: TokenStore {
    private let store: any TokenStore
    private let count = Atomic<Int>(0)
    private let changed = Signal<Void>()

    init(_ store: any TokenStore) {
        self.store = store
    }

    /// How many transactions have ended, those that changed nothing included.
    var transactions: Int { self.count.load(ordering: .acquiring) }

    /// Returns once so many transactions have ended; one waits at a time.
    func wait(for transactions: Int) async {
        while self.transactions < transactions { _ = await self.changed.next() }
    }

    func stamp() throws(TokenStoreError) -> TokenStoreStamp { try self.store.stamp() }

    func content() async throws(TokenStoreError) -> TokenStoreContent { try await self.store.content() }

    func transaction(
        _ change: @escaping @Sendable (_ content: [UInt8]?) throws(TokenStoreError) -> TokenStoreChange
    ) async throws(TokenStoreError) -> TokenStoreOutcome {
        let outcome = try await self.store.transaction(change)
        self.count.add(1, ordering: .acquiringAndReleasing)
        self.changed.send(())
        return outcome
    }

    func setAside() async throws(TokenStoreError) -> String? { try await self.store.setAside() }
}
