package import Clientless
import Synchronization

/// Knows how far the box's clock is off, from the `Date` of every answer (rest-v1 28.1).
package final class ServerClock: Sendable {
    /// Less than this is the way of the answer, and not worth correcting.
    private static let tolerance: Duration = .seconds(60)

    private let clock: any BoxClock
    private let state = Mutex<Duration>(.zero)

    package init(_ clock: any BoxClock) {
        self.clock = clock
    }

    /// The time by the server's clock.
    package var now: Timestamp { self.clock.now + self.offset }
    /// What to add to the box's clock.
    package var offset: Duration { self.state.withLock { $0 } }

    func sleep(for duration: Duration) async throws(CancellationError) { try await self.clock.sleep(for: duration) }

    /// Takes note of the server's time.
    package func observe(_ serverTime: Timestamp) {
        let difference = serverTime - self.clock.now
        let isWithin = difference < Self.tolerance && difference > .zero - Self.tolerance
        self.state.withLock { $0 = isWithin ? .zero : difference }
    }
}
