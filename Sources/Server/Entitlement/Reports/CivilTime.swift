package import Clientless

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
        // Counted in eras of 400 years, which all have 146,097 days, and in years that begin in March.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        self.month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
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
        guard (1970...9999).contains(year), (1...12).contains(month), hour < 24, minute < 60, second < 60
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days =
            shiftedYear / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        // 30 February becomes a day of March.
        let read = CivilTime(hours: days * 24)
        guard read.year == year, read.month == month, read.day == day else { return nil }
        return Timestamp(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }
}
