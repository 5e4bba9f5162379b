import AccessEnabler
import Synchronization
import TestSupport

/// A store that counts its changes, and refuses them or holds them back as a test wishes.
final class SpiedStore: AccessEnabler.TokenStore {
    enum Moment: Sendable, CaseIterable {
        case before, after
    }

    private let store: any AccessEnabler.TokenStore
    private let refuses = Atomic<Bool>(false)
    private let next = Mutex<(moment: Moment?, latch: Latch)>((nil, Latch()))
    private let count = Atomic<Int>(0)
    private let readings = Atomic<Int>(0)
    private let changed = Signal<Void>()
    /// Sends a value once a change is held.
    let held = Signal<Void>()

    init(_ store: any AccessEnabler.TokenStore = AccessEnabler.MemoryStore()) { self.store = store }

    /// Takes no change from now on, like a store on a full disk.
    func refuse() { self.refuses.store(true, ordering: .releasing) }

    func accept() { self.refuses.store(false, ordering: .releasing) }

    /// Holds the next change, and those that are held already.
    func hold(_ moment: Moment) {
        self.next.withLock { next in
            next = (moment, next.latch.isOpen ? Latch() : next.latch)
        }
    }

    func release() { self.next.withLock { $0.latch }.open() }

    /// How many transactions have ended, those that changed nothing included.
    var transactions: Int { self.count.load(ordering: .acquiring) }

    /// How often the content was read.
    var reads: Int { self.readings.load(ordering: .acquiring) }

    /// Returns once so many transactions have ended; one waits at a time.
    func wait(for transactions: Int) async { while self.transactions < transactions { _ = await self.changed.next() } }

    func stamp() throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreStamp { try self.store.stamp() }

    func content() async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreContent {
        self.readings.add(1, ordering: .acquiringAndReleasing)
        return try await self.store.content()
    }

    func setAside() async throws(AccessEnabler.TokenStoreError) -> String? { try await self.store.setAside() }

    func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreChange
    ) async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreOutcome {
        guard !self.refuses.load(ordering: .acquiring) else {
            throw AccessEnabler.TokenStoreError("no space left on device")
        }
        let (moment, latch) = self.next.withLock { next in
            defer { next.moment = nil }
            return next
        }
        if moment == .before { await latch.wait(telling: self.held) }
        let outcome = try await self.store.transaction(change)
        if moment == .after { await latch.wait(telling: self.held) }
        self.count.add(1, ordering: .acquiringAndReleasing)
        self.changed.send(())
        return outcome
    }
}
