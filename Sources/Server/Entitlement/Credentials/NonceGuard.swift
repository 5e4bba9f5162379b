import Clientless
import Synchronization

/// Takes nonces once: through the store, so that they hold on every node, and in this process while the store keeps
/// nothing. Calls that only read are then answered still.
///
/// A nonce that the store took before it failed, or that another node takes meanwhile, is not known here: for as long
/// as that lasts, a signed call can be replayed within its window to a node that has not seen it.
final class NonceGuard: Sendable {
    /// As many as fit into the window of signed calls at a thousand calls a second.
    private static let bound = 1 << 20

    private struct Name: Hashable, Sendable {
        let owner: String
        let nonce: String
    }

    private let store: any Store
    private let report: @Sendable (DomainNotice) -> Void
    private let held = BoundedMemory<Name, Timestamp>(bound: bound)
    private let isHolding = Atomic<Bool>(false)
    private let lastEnd = Atomic<Int64>(.min)
    private let number = Atomic<Int>(0)

    init(store: any Store, report: @escaping @Sendable (DomainNotice) -> Void) {
        self.store = store
        self.report = report
    }

    /// How many nonces were held in memory since the start.
    var heldInMemory: Int { self.number.load(ordering: .relaxed) }

    /// Whether the store kept no nonce when it was last asked to.
    var isInMemory: Bool { self.isHolding.load(ordering: .acquiring) }

    /// Takes a nonce of `owner`, once until `end`.
    /// - Returns: whether it was fresh.
    /// - Throws: `storeUnavailable` when the store is damaged; one that is full, locked or away does for now without.
    func take(_ nonce: String, of owner: String, until end: Timestamp, now: Timestamp) async throws(EntitlementError)
        -> Bool
    {
        let name = Name(owner: owner, nonce: nonce)
        do {
            let isFresh = try await self.store.takeNonce(nonce, publicKey: owner, expires: end, now: now)
            if self.isHolding.exchange(false, ordering: .acquiringAndReleasing) { self.report(.noncesKeptAgain) }
            // One that was taken while the store was away is used, though the store has just heard of it first.
            guard isFresh, now.milliseconds < self.lastEnd.load(ordering: .acquiring) else { return isFresh }
            return self.held[name].map { $0 <= now } ?? true
        } catch {
            guard error.code.isPassing else { throw EntitlementError(error) }
            if !self.isHolding.exchange(true, ordering: .acquiringAndReleasing) { self.report(.noncesHeldInMemory) }
            return self.hold(name, until: end, now: now)
        }
    }

    private func hold(_ name: Name, until end: Timestamp, now: Timestamp) -> Bool {
        let isFresh = self.held.update(name, initial: now) { held in
            guard held <= now else { return false }
            held = end
            return true
        }
        self.lastEnd.max(end.milliseconds, ordering: .releasing)
        self.number.add(1, ordering: .relaxed)
        return isFresh
    }
}
