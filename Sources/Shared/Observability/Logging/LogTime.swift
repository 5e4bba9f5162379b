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
        let days = (self.milliseconds >= 0 ? self.milliseconds : self.milliseconds - 86_399_999) / 86_400_000
        let rest = self.milliseconds - days * 86_400_000
        let day = CivilDate(daysSinceEpoch: days)
        let date = "\(Self.padded(day.year, 4))-\(Self.padded(day.month, 2))-\(Self.padded(day.day, 2))"
        let hour = rest / 3_600_000
        let minute = rest / 60_000 % 60
        let second = rest / 1000 % 60
        return "\(date)T\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
            + ".\(Self.padded(rest % 1000, 3))Z"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
