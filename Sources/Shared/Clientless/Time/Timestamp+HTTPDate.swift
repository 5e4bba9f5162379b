import TextCoding

extension Timestamp {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The time of a `Date` field in the one form that servers send: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7).
    /// The day of the week is not looked at.
    package init?(httpDate text: String) {
        guard text.utf8.count == 29 else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
            let day = Self.number(parts[1], digits: 2), let year = Self.number(parts[3], digits: 4),
            let month = Self.months.firstIndex(of: String(parts[2])),
            let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = Self.number(time[0], digits: 2), hour <= 23,
            let minute = Self.number(time[1], digits: 2), minute <= 59,
            // A leap second.
            let second = Self.number(time[2], digits: 2), second <= 60
        else { return nil }
        self.init(seconds: date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
