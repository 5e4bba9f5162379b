/// A day of the Gregorian calendar, counted from 1970-01-01, without a calendar object.
///
/// The count runs on years that begin on 1 March, so that the leap day is a year's last, and in eras of 400 years,
/// which all have 146,097 days.
package struct CivilDate: Hashable, Sendable {
    /// 0 to 9999 in texts; any other when counted.
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// 1 to 31.
    package let day: Int64

    private static let daysPerEra: Int64 = 146_097
    /// Days from 1 March of year 0 to 1 January 1970.
    private static let daysBeforeEpoch: Int64 = 719_468

    /// - Returns: `nil` when there is no such day.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length: Int64 =
            switch month {
            case 2: isLeapYear ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        guard day <= length else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day `days` days after 1970-01-01.
    package init(daysSinceEpoch days: Int64) {
        let shifted = days + Self.daysBeforeEpoch
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysPerEra - 1)) / Self.daysPerEra
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Five months from March on always have 153 days together.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    }

    /// A moment of UTC in digits, or the nearest one of the years 0 to 9999.
    /// - Parameters:
    ///   - milliseconds: since 1970-01-01T00:00:00Z.
    ///   - form: such as `0000-00-00T00:00:00.000Z`; the milliseconds may be missing, and other marks may part the digits.
    package static func text(milliseconds: Int64, form: String) -> String {
        let milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let time = (milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let date = CivilDate(daysSinceEpoch: (milliseconds - time) / 86_400_000)
        var text = Array(form.utf8)
        // The number, and the place of its last digit.
        for (number, place) in [
            (date.year, 3), (date.month, 6), (date.day, 9), (time / 3_600_000, 12), (time / 60_000 % 60, 15),
            (time / 1000 % 60, 18), (time % 1000, 22),
        ] {
            var (number, place) = (number, place)
            while number > 0, place < text.count, text[place] == UInt8(ascii: "0") {
                text[place] += UInt8(number % 10)
                (number, place) = (number / 10, place - 1)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Days since 1970-01-01.
    package var daysSinceEpoch: Int64 {
        let year = self.month <= 2 ? self.year - 1 : self.year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let monthFromMarch = self.month > 2 ? self.month - 3 : self.month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + self.day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysBeforeEpoch
    }
}
