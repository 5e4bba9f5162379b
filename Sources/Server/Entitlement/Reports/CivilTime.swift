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
        var bytes = Array(text.utf8)
        guard bytes.count <= 20 else { return nil }
        if bytes.last == UInt8(ascii: "Z"), bytes.count > 11 { bytes.removeLast() }
        let ends = [4, 7, 10, 13, 16, 19]
        guard ends.contains(bytes.count) else { return nil }
        // Missing parts are the first of their kind.
        let form = Array("0000-01-01T00:00:00".utf8)
        let full = bytes + form[bytes.count...]
        for (place, byte) in full.enumerated() {
            let isDigit = (0x30...0x39).contains(byte)
            guard (0x30...0x39).contains(form[place]) ? isDigit : byte == form[place] else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 { full[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1970, hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return Timestamp(seconds: date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second)
    }
}
