package import Clientless
import Synchronization

/// Knows how far the box's clock is off, from the `Date` of every answer (rest-v1 28.1).
package final class ServerClock: Sendable {
    /// Less than this is the way of the answer, and not worth correcting.
    private static let tolerance: Duration = .seconds(60)

    private let clock: any BoxClock
    private let state = Mutex<Duration>(.zero)
    private let noteOffset: @Sendable (Duration) -> Void

    /// - Parameter noteOffset: is told the offset with every answer.
    package init(_ clock: any BoxClock, noteOffset: @escaping @Sendable (Duration) -> Void = { _ in }) {
        self.clock = clock
        self.noteOffset = noteOffset
    }

    /// The time by the server's clock.
    package var now: Timestamp { self.clock.now + self.offset }
    /// The difference to add to the box's clock.
    package var offset: Duration { self.state.withLock { $0 } }

    func sleep(for duration: Duration) async throws(CancellationError) { try await self.clock.sleep(for: duration) }

    /// Takes note of the server's time.
    package func observe(_ serverTime: Timestamp) {
        let difference = serverTime - self.clock.now
        let isWithin = difference < Self.tolerance && difference > .zero - Self.tolerance
        let offset = isWithin ? .zero : difference
        self.state.withLock { $0 = offset }
        self.noteOffset(offset)
    }
}

/// How far the box's clock was off by the answer that came last, of whichever server.
final class LatestOffset: Sendable {
    private let state = Mutex<Duration>(.zero)

    var value: Duration {
        get { self.state.withLock { $0 } }
        set { self.state.withLock { $0 = newValue } }
    }
}
