import AccessEnabler
import Synchronization
import TestSupport

/// A store that counts its changes, for work that ends without a callback.
final class StoreSpy: AccessEnabler.TokenStore {
    private let store: any AccessEnabler.TokenStore
    private let count = Atomic<Int>(0)
    private let changed = Signal<Void>()

    init(_ store: any AccessEnabler.TokenStore) {
        self.store = store
    }

    /// How many transactions have ended, those that changed nothing included.
    var transactions: Int { self.count.load(ordering: .acquiring) }

    /// Returns once so many transactions have ended; one waits at a time.
    func wait(for transactions: Int) async {
        while self.transactions < transactions { _ = await self.changed.next() }
    }

    func stamp() throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreStamp { try self.store.stamp() }

    func content() async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreContent {
        try await self.store.content()
    }

    func transaction(
        _ change:
            @escaping @Sendable (_ content: [UInt8]?) throws(AccessEnabler.TokenStoreError) ->
            AccessEnabler.TokenStoreChange
    ) async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreOutcome {
        let outcome = try await self.store.transaction(change)
        self.count.add(1, ordering: .acquiringAndReleasing)
        self.changed.send(())
        return outcome
    }

    func setAside() async throws(AccessEnabler.TokenStoreError) -> String? { try await self.store.setAside() }
}
