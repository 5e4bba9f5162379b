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
        var text = Array("0000-00-00T00:00:00.000Z".utf8)
        // The number, and the place of its last digit.
        for (number, place) in [
            (day.year, 3), (day.month, 6), (day.day, 9), (rest / 3_600_000, 12), (rest / 60_000 % 60, 15),
            (rest / 1000 % 60, 18), (rest % 1000, 22),
        ] {
            var (number, place) = (number, place)
            while number > 0, place >= 0 {
                text[place] += UInt8(number % 10)
                (number, place) = (number / 10, place - 1)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
