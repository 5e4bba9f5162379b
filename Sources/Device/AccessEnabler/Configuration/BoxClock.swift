package import Clientless
import Glibc

/// The box's own time, which may be wrong.
package protocol BoxClock: Sendable {
    var now: Timestamp { get }
    /// Waits for `duration`, also across changes of the time of day.
    /// - Throws: when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
}

package struct SystemClock: BoxClock {
    package init() {}

    package var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw CancellationError()
        }
    }
}
