package import Clientless
import Synchronization

/// The leases that tell a store which nodes serve from it: this node holds one, and counts the holders of all.
package final class NodeLeases: Sendable {
    /// Each node that serves holds one of them: they say that the store is in use. If there are more nodes than leases
    /// some hold none, which does no harm while the others do.
    static let serving = (0..<16).map { "serve-\($0)" }

    private let store: any Store
    private let nodes: LivingNodes
    /// Which of ``serving`` this node holds.
    private let slot = Mutex<String?>(nil)
    /// The ID by which other nodes tell this one apart.
    let node = randomUUID()

    /// - Parameter nodes: is told how many nodes serve.
    package init(_ store: any Store, nodes: LivingNodes) {
        self.store = store
        self.nodes = nodes
    }

    /// Says, for as long as ``Upkeep/lease``, that this node serves from a shared store, and learns how many do. While the
    /// store is away the last number stays.
    package func noteServing(now: Timestamp) async throws(StoreError) {
        guard self.store.isShared else { return }
        try await self.keepSlot(now: now)
        self.nodes.note(try await Self.nodes(of: self.store, now: now).union([self.node]).count)
    }

    /// The IDs of the nodes that serve from a shared store.
    static func nodes(of store: any Store, now: Timestamp) async throws(StoreError) -> Set<String> {
        // Clocks may be apart; by one that is wrong a lease may last for any time.
        let held = try await store.leases(now..<now + Upkeep.lease * 2)
        return Set(held.filter { Self.serving.contains($0.key) }.values)
    }

    private func keepSlot(now: Timestamp) async throws(StoreError) {
        let held = self.slot.withLock { $0 }
        for task in [held].compactMap(\.self) + Self.serving
        where try await self.store.takeLease(task, holder: self.node, for: Upkeep.lease, now: now) {
            self.slot.withLock { $0 = task }
            return
        }
        self.slot.withLock { $0 = nil }
    }

    /// Lets another program have at once what this node holds, as it stops.
    package func leave(now: Timestamp) async throws(StoreError) {
        let held = self.slot.withLock { $0 }
        for task in [held, Upkeep.purging].compactMap(\.self)
        where try await self.store.takeLease(task, holder: self.node, for: Upkeep.lease, now: now) {
            _ = try await self.store.takeLease(task, holder: self.node, for: .zero, now: now)
        }
    }
}
