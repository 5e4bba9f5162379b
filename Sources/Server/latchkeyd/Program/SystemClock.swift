package import Clientless
import POSIX

/// The clocks of the machine; the only place of the server that reads them for the domain.
package enum SystemClock {
    private static let start = ContinuousClock.now

    /// How long the process has run, by a clock that no operator or time server sets.
    @Sendable
    package static func uptime() -> Duration { self.start.duration(to: .now) }

    @Sendable
    package static func now() -> Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) }
}
