package import Clientless
import POSIX

/// The box's own time, which may be wrong.
package protocol BoxClock: Sendable {
    var now: Timestamp { get }
    /// Time that only runs on, whatever becomes of the time of day; from a beginning of its own.
    var uptime: Duration { get }
    /// Waits for `duration`, also across changes of the time of day.
    /// - Throws: when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
}

package struct SystemBoxClock: BoxClock {
    private let start = ContinuousClock.now

    package init() {}

    package var uptime: Duration { ContinuousClock.now - self.start }

    package var now: Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) }
}

extension BoxClock {
    package func sleep(for duration: Duration) async throws(CancellationError) {
        guard (try? await Task.sleep(for: duration)) != nil else { throw CancellationError() }
    }
}
