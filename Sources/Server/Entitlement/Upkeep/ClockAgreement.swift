package import Clientless
import Synchronization

/// Whether this node's wall clock is the one its calls may be judged by, where several nodes judge the same codes and
/// sign-ins: whether it shows what the clock of the machine shows that the store is on.
///
/// A node whose clock is a day ahead calls what others promised expired, and promises for a day too long. So it judges no
/// call until its clock is right again. A clock is compared with the store's every few seconds, and between that with what
/// the store's should show by how long the process has run, so that a jump counts at once. If the store's clock shows
/// another time than it should by then, and this one does not, then the store's clock jumped, and the node goes on. A
/// machine that was frozen as a whole and knows of no pause cannot be told from that; its time server sets it right.
package final class ClockAgreement: Sendable {
    package enum Verdict: Hashable, Sendable {
        case agreed
        /// This clock is `ahead` of that of the store's machine (behind, when negative), and not to be believed.
        case wrong(ahead: Duration)
        /// This clock is `ahead` of the other one, which jumped.
        case storeWrong(ahead: Duration)
    }

    /// How far two clocks that are set by time servers may be apart: a third of what a signed call may (rest-v1 7.3), and
    /// a sixth of a code's life.
    package static let tolerance: Duration = .seconds(300)

    /// The time of the store's clock when the process began, in milliseconds, as of the last agreement; or one of the
    /// two numbers below.
    private let start = Atomic(ClockAgreement.alone)
    /// The node found no other to compare with: there is one node, and its clock is the clock.
    private static let alone = Int64.max
    /// There was no agreement yet.
    private static let unknown = Int64.min

    /// Compares the clocks.
    /// - Parameters:
    ///   - wall: the wall clock.
    ///   - uptime: how long the process has run, by a clock that no one sets.
    ///   - storeClock: the clock of the machine that the store is on; `nil` if that is this machine.
    func look(wall: Timestamp, uptime: Duration, storeClock: Timestamp?) -> Verdict {
        guard let storeClock else {
            self.start.store(Self.alone, ordering: .relaxed)
            return .agreed
        }
        let ahead = wall.milliseconds - storeClock.milliseconds
        if Self.isNear(ahead) {
            self.start.store(storeClock.milliseconds - uptime.wholeMilliseconds, ordering: .relaxed)
            return .agreed
        }
        let start = self.start.load(ordering: .relaxed)
        guard start != Self.alone, start != Self.unknown else {
            self.start.store(Self.unknown, ordering: .relaxed)
            return .wrong(ahead: .milliseconds(ahead))
        }
        // A clock that drifts away parts from one that goes on as it did.
        let expected = start + uptime.wholeMilliseconds
        let didStoreJump = !Self.isNear(storeClock.milliseconds - expected)
        return didStoreJump && Self.isNear(wall.milliseconds - expected)
            ? .storeWrong(ahead: .milliseconds(ahead)) : .wrong(ahead: .milliseconds(ahead))
    }

    /// Whether calls may be judged by the wall clock.
    package func isRight(_ wall: Timestamp, at uptime: @autoclosure () -> Duration) -> Bool {
        switch self.start.load(ordering: .relaxed) {
        case Self.alone: true
        case Self.unknown: false
        case let start: Self.isNear(wall.milliseconds - uptime().wholeMilliseconds - start)
        }
    }

    /// The time that a call is judged by which passed the look at the clock just before a jump: by the last agreement
    /// of the clocks.
    func time(by wall: Timestamp, at uptime: @autoclosure () -> Duration) -> Timestamp {
        let expected = self.storeTime(by: wall, at: uptime())
        return Self.isNear(wall.milliseconds - expected.milliseconds) ? wall : expected
    }

    /// The time of the store's clock by the last agreement. Leases go by it: clocks that agree may be minutes apart.
    func storeTime(by wall: Timestamp, at uptime: @autoclosure () -> Duration) -> Timestamp {
        switch self.start.load(ordering: .relaxed) {
        case Self.alone, Self.unknown: wall
        case let start: Timestamp(milliseconds: start + uptime().wholeMilliseconds)
        }
    }

    private static func isNear(_ milliseconds: Int64) -> Bool {
        milliseconds.magnitude <= Self.tolerance.wholeMilliseconds.magnitude
    }
}

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
        // A lease by a clock that was wrong may last for any time.
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
