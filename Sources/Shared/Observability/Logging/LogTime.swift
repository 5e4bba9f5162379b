import POSIX
import TextCoding

/// The moment of a log line.
package struct LogTime: Sendable {
    /// Since 1970-01-01T00:00:00Z.
    private let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func now() -> LogTime {
        LogTime(milliseconds: WallClock.milliseconds())
    }

    /// `2025-01-31T23:59:59.999Z` (RFC 3339).
    package var text: String {
        CivilDate.text(milliseconds: self.milliseconds, form: "0000-00-00T00:00:00.000Z")
    }
}
