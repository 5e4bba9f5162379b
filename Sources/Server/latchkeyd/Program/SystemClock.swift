package import Clientless
import FoundationEssentials

/// The wall clock; the only place of the server that reads it for the domain.
package enum SystemClock {
    @Sendable
    package static func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
