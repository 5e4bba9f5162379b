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
        switch self.start.load(ordering: .relaxed) {
        case Self.alone, Self.unknown: return wall
        case let start:
            let expected = Timestamp(milliseconds: start + uptime().wholeMilliseconds)
            return Self.isNear(wall.milliseconds - expected.milliseconds) ? wall : expected
        }
    }

    private static func isNear(_ milliseconds: Int64) -> Bool {
        milliseconds.magnitude <= Self.tolerance.wholeMilliseconds.magnitude
    }
}
