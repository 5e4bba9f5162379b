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
        var text: [UInt8] = []
        text.reserveCapacity(24)
        for (value, width, end) in [
            (day.year, 4, "-"), (day.month, 2, "-"), (day.day, 2, "T"), (rest / 3_600_000, 2, ":"),
            (rest / 60_000 % 60, 2, ":"), (rest / 1000 % 60, 2, "."), (rest % 1000, 3, "Z"),
        ] {
            let digits = String(value).utf8
            text += repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.count))
            text += digits
            text += end.utf8
        }
        return String(decoding: text, as: UTF8.self)
    }
}
