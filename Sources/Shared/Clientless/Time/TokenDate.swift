import TextCoding

/// The dates of token documents: `yyyy/MM/dd HH:mm:ss GMT ±HHmm` (rest-v1 3.9 and 22).
package enum TokenDate {
    /// Writes a moment in UTC, such as `2026/01/01 00:00:00 GMT +0000`. Parts of a second are dropped.
    ///
    /// Moments outside the years 0 to 9999 are written as the nearest one inside, for the pattern has four digits.
    package static func text(for moment: Timestamp) -> String {
        CivilDate.text(milliseconds: moment.milliseconds, form: "0000/00/00 00:00:00 GMT +0000")
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
}
