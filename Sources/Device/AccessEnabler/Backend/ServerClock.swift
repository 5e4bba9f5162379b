import Clientless
import Synchronization

/// Knows how far the box's clock is off, from the `Date` of every answer (rest-v1 28.1).
struct ServerClock: Sendable {
    /// Less than this is the way of the answer, and not worth correcting.
    private static let tolerance: Duration = .seconds(60)

    let clock: any BoxClock
    /// By the last answer, of whichever server.
    let latest: ClockOffset
    private let own = ClockOffset()

    /// The time by the server's clock, as far as it is known.
    var now: Timestamp { self.clock.now + self.offset }
    /// How far the box's clock is behind the server's; zero while it is less than a minute.
    var offset: Duration { self.own.value }

    func observe(_ serverTime: Timestamp) {
        let difference = serverTime - self.clock.now
        let isWithin = difference < Self.tolerance && difference > .zero - Self.tolerance
        self.own.value = isWithin ? .zero : difference
        self.latest.value = self.own.value
    }
}

/// How far the box's clock was off by the answer that came last.
final class ClockOffset: Sendable {
    private let state = Mutex<Duration>(.zero)

    var value: Duration {
        get { self.state.withLock { $0 } }
        set { self.state.withLock { $0 = newValue } }
    }
}
