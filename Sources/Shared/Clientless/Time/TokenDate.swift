import TextCoding

/// The dates of token documents: `yyyy/MM/dd HH:mm:ss GMT ±HHmm` (rest-v1 3.9 and 22).
package enum TokenDate {
    /// Writes a moment in UTC, such as `2026/01/01 00:00:00 GMT +0000`. Parts of a second are dropped.
    ///
    /// Moments outside the years 0 to 9999 are written as the nearest one inside, for the pattern has four digits.
    package static func text(for moment: Timestamp) -> String {
        let seconds = min(max(moment.seconds, Self.firstSecond), Self.lastSecond)
        let day = (seconds - Self.modulo(seconds, 86_400)) / 86_400
        let time = Self.modulo(seconds, 86_400)
        let date = CivilDate(daysSinceEpoch: day)
        var text = Array("0000/00/00 00:00:00 GMT +0000".utf8)
        func write(_ value: Int64, at place: Int, digits: Int = 2) {
            var rest = value
            for place in (place..<place + digits).reversed() {
                text[place] += UInt8(rest % 10)
                rest /= 10
            }
        }
        write(date.year, at: 0, digits: 4)
        write(date.month, at: 5)
        write(date.day, at: 8)
        write(time / 3600, at: 11)
        write(time / 60 % 60, at: 14)
        write(time % 60, at: 17)
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the pattern above, and what other issuers write (rest-v1 22.4): `yyyy-MM-dd HH:mm:ss Z`, ISO 8601 with a
    /// zone, and digits that count milliseconds since 1970.
    ///
    /// A date without a zone is refused: guessing one could lengthen a token's life by half a day.
    /// - Returns: `nil` for any other text, for days and times that do not exist, and outside the years 0 to 9999.
    package static func parse(_ text: some StringProtocol) -> Timestamp? {
        guard (1...40).contains(text.utf8.count) else { return nil }
        var reader = DateReader(text.utf8)
        reader.skipSpaces()
        let moment = reader.takeMillisecondsToTheEnd().map(Timestamp.init(milliseconds:)) ?? reader.takeDate()
        guard let moment, (Self.firstSecond...Self.lastSecond).contains(moment.seconds) else { return nil }
        return moment
    }

    private static let firstSecond: Int64 = -62_167_219_200
    private static let lastSecond: Int64 = 253_402_300_799

    private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
