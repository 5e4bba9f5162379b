package import Clientless
import Synchronization

/// Takes nonces once: through the store, so that they hold on every node, and in this process while the store keeps
/// nothing (``HeldNonces``), where no other node has the store. Calls that only read are then answered still; the nonces
/// that the store kept lately are known here, too, so that they are not taken again meanwhile.
///
/// The store need not keep them durably, which would cost each poll a commit on a disk. A server of the store that
/// crashes may lose those of its last second: one of them can then be used once more at another node, and not at the
/// node that took it.
package final class NonceGuard: Sendable {
    private let store: any Store
    private let report: @Sendable (DomainNotice) -> Void
    private let held = Mutex(HeldNonces())
    private let holding = Atomic<Bool>(false)
    /// When the nonces that the store kept for this process end, by a hash of nonce and key under a key of this process.
    /// One that is forgotten for want of room, or was taken before a restart or on another node, can be used once more
    /// while the store is in trouble.
    private let kept = BoundedMemory<Int, Timestamp>(bound: 49_152)

    init(store: any Store, report: @escaping @Sendable (DomainNotice) -> Void) {
        self.store = store
        self.report = report
    }

    /// Takes a nonce of a key pair, once until `end`. While the store keeps none, this process remembers it.
    /// - Returns: whether the nonce was fresh.
    /// - Throws: `storeUnavailable` when the store is damaged or other nodes have it, and when memory can hold no more
    ///   either.
    package func take(
        _ nonce: String, of key: String, until end: Timestamp, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        if self.held.withLock({ $0.holds(nonce, of: key, at: now) }) { return false }
        let hash = [key, nonce].hashValue
        if let end = self.kept[hash], now < end { return false }
        do {
            let isFresh = try await self.store.takeNonce(nonce, publicKey: key, expires: end, now: now, isPassing: true)
            if self.holding.exchange(false, ordering: .acquiringAndReleasing) { self.report(.noncesKeptAgain) }
            if isFresh { self.kept.update(hash, initial: end) { $0 = end } }
            return isFresh
        } catch {
            // Another node would take it once more.
            guard error.code.isPassing, !self.store.isShared,
                let isFresh = self.held.withLock({ $0.take(nonce, of: key, until: end, now: now) })
            else { throw EntitlementError(error) }
            if !self.holding.exchange(true, ordering: .acquiringAndReleasing) { self.report(.noncesHeldInMemory) }
            return isFresh
        }
    }
}

/// Nonces that could not be stored, held by this node until they end or the store is back.
///
/// A full disk or a lock held for too long must not turn signed reads away, and their nonces are still good for one
/// call on this node, which has the store for itself.
struct HeldNonces: Sendable {
    /// The most that are held; beyond it calls are refused, since a forgotten nonce could be used again.
    private static let bound = 200_000
    private var ends: [String: Timestamp] = [:]
    private var lastEnd = Timestamp(milliseconds: .min)

    /// Whether a nonce is held and has not ended. Forgets all when all have.
    mutating func holds(_ nonce: String, of key: String, at now: Timestamp) -> Bool {
        guard now < self.lastEnd else {
            if !self.ends.isEmpty { self.ends = [:] }
            return false
        }
        guard let end = self.ends[Self.name(nonce, key)] else { return false }
        return now < end
    }

    /// Holds a nonce until `end`.
    /// - Returns: `nil` when there is no room; else whether it was fresh.
    mutating func take(_ nonce: String, of key: String, until end: Timestamp, now: Timestamp) -> Bool? {
        if self.holds(nonce, of: key, at: now) { return false }
        if self.ends.count >= Self.bound { self.ends = self.ends.filter { now < $0.value } }
        guard self.ends.count < Self.bound else { return nil }
        self.ends[Self.name(nonce, key)] = end
        self.lastEnd = max(self.lastEnd, end)
        return true
    }

    /// A key has no line end.
    private static func name(_ nonce: String, _ key: String) -> String { "\(key)\n\(nonce)" }
}
