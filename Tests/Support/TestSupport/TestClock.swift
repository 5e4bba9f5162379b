package import Clientless
import Synchronization

/// A clock that moves only when a test says so.
package final class TestClock: Sendable {
    /// 2026-01-01T00:00:00Z, the time of the published signing vectors.
    package static let start = Timestamp(milliseconds: 1_767_225_600_000)

    private let moment: Mutex<Timestamp>

    package init(at start: Timestamp = TestClock.start) { self.moment = Mutex(start) }

    package var now: Timestamp { self.moment.withLock { $0 } }

    package func advance(by duration: Duration) { self.moment.withLock { $0 = $0 + duration } }
}
