import AccessEnabler
import Clientless
import POSIX

/// The box's time of day when the agent started, and from then on only forward.
///
/// The library adds to it what the servers' clocks are ahead. Were it the time of day itself, a box that starts in 1970 would
/// hold every sign-in for over from the moment its clock is set to the next answer of a server.
struct SteadyClock: BoxClock {
    private let begin = Timestamp(milliseconds: WallClock.milliseconds())
    private let start = ContinuousClock.now

    var uptime: Duration { ContinuousClock.now - self.start }
    var now: Timestamp { self.begin + self.uptime }
}
