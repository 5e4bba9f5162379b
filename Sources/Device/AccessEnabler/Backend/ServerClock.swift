import Clientless
import Synchronization

/// Knows the server's time, from the `Date` of every answer (rest-v1 28.1).
struct ServerClock: Sendable {
    /// Less than this is the way of the answer, and not worth correcting.
    private static let tolerance: Duration = .seconds(60)

    let clock: any BoxClock
    /// By the last answer, of whichever server.
    let latest: ServerTime
    let known = ServerTime()

    /// The time by the server's clock, as far as it is known.
    var now: Timestamp { self.known.now(by: self.clock) }
    /// How far the box's clock is behind the server's now; zero if no answer of the server was a minute off.
    var offset: Duration { self.now - self.clock.now }

    func observe(_ serverTime: Timestamp) {
        let difference = serverTime - self.now
        if difference >= Self.tolerance || difference <= .zero - Self.tolerance {
            self.known.start = serverTime - self.clock.uptime
        }
        self.latest.start = self.known.start
    }
}

/// A server's time, counted on with the box's uptime: the network may set the time of day after the server's answer.
final class ServerTime: Sendable {
    private let state = Mutex<Timestamp?>(nil)

    /// The server's time when the uptime was zero; `nil` while the box's time of day is right.
    var start: Timestamp? {
        get { self.state.withLock { $0 } }
        set { self.state.withLock { $0 = newValue } }
    }

    func now(by clock: any BoxClock) -> Timestamp { self.start.map { $0 + clock.uptime } ?? clock.now }
}
