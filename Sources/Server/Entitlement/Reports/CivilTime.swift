package import Clientless
import TextCoding

/// A moment in the calendar (UTC), to the hour or to the minute.
package struct CivilTime: Hashable, Sendable {
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// 1 to 31.
    package let day: Int64
    /// 0 to 23.
    package let hour: Int64
    /// 0 to 59; `nil` if only the hour is known.
    package let minute: Int?

    /// - Parameters:
    ///   - hours: since 1970.
    ///   - minute: of that hour.
    package init(hours: Int64, minute: Int? = nil) {
        self.minute = minute
        let days = hours >= 0 ? hours / 24 : (hours - 23) / 24
        let date = CivilDate(daysSinceEpoch: days)
        (self.year, self.month, self.day) = (date.year, date.month, date.day)
        self.hour = hours - days * 24
    }

    /// Reads a moment or a beginning of one: `2026`, `2026-01`, `2026-01-31`, `2026-01-31T20`, `2026-01-31T20:00`,
    /// `2026-01-31T20:00:00`, the last three perhaps with `Z` (rest-v1 E).
    /// - Returns: where the period that is named begins; `nil` for anything else, and for a date that does not exist.
    package static func moment(_ text: String) -> Timestamp? {
        let named = text.utf8.count > 11 && text.hasSuffix("Z") ? text.dropLast() : text[...]
        // Other forms of dates have a slash or a blank.
        guard [4, 7, 10, 13, 16, 19].contains(named.utf8.count), !named.utf8.contains(where: "/ ".utf8.contains)
        else { return nil }
        // Missing parts are the first of their kind.
        let rest = "0000-01-01T00:00:00Z".utf8.dropFirst(named.utf8.count)
        let moment = TokenDate.parse(named + String(decoding: rest, as: UTF8.self))
        return moment.flatMap { $0.seconds >= 0 ? $0 : nil }
    }
}
