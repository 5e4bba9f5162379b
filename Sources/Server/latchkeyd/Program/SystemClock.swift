package import Clientless
import POSIX

/// The wall clock; the only place of the server that reads it for the domain.
package enum SystemClock {
    @Sendable
    package static func now() -> Timestamp {
        Timestamp(milliseconds: WallClock.milliseconds())
    }
}
