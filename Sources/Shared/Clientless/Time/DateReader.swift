import TextCoding

struct DateReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some Sequence<UInt8>) { self.rest = Array(text)[...] }

    mutating func skipSpaces() { while self.rest.first == UInt8(ascii: " ") { self.rest.removeFirst() } }

    /// One to 15 digits and nothing else, or `nil` with nothing taken.
    mutating func takeMillisecondsToTheEnd() -> Int64? {
        guard (1...15).contains(self.rest.count), self.rest.allSatisfy(Self.isDigit) else { return nil }
        return self.takeNumber(digits: self.rest.count)
    }

    /// A date, a time and a zone, to the end of the text.
    mutating func takeDate() -> Timestamp? {
        guard let year = self.takeNumber(digits: 4), let separator = self.takeOne(of: "/-"),
            let month = self.takeNumber(digits: 2), self.take(separator),
            let day = self.takeNumber(digits: 2), self.takeOne(of: " T") != nil,
            let date = CivilDate(year: year, month: month, day: day),
            let hour = self.takeNumber(digits: 2), hour <= 23, self.take(UInt8(ascii: ":")),
            let minute = self.takeNumber(digits: 2), minute <= 59, self.take(UInt8(ascii: ":")),
            let second = self.takeNumber(digits: 2), second <= 59,
            let fraction = self.takeFraction(), let offset = self.takeZone()
        else { return nil }
        self.skipSpaces()
        guard self.rest.isEmpty else { return nil }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Timestamp(milliseconds: seconds * 1000 + fraction)
    }

    /// Milliseconds of `.ffffff`; 0 without a fraction.
    private mutating func takeFraction() -> Int64? {
        guard self.take(UInt8(ascii: ".")) else { return 0 }
        let digits = self.rest.prefix(while: Self.isDigit)
        guard (1...9).contains(digits.count) else { return nil }
        self.rest = self.rest.dropFirst(digits.count)
        return (digits.prefix(3) + [UInt8(ascii: "0"), UInt8(ascii: "0")]).prefix(3)
            .reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// The offset in seconds east of Greenwich: `Z`, `±HHmm` or `±HH:mm`, with or without `GMT` or `UTC` before it, or
    /// one of these words alone.
    private mutating func takeZone() -> Int64? {
        self.skipSpaces()
        if self.take(UInt8(ascii: "Z")) { return 0 }
        let hasName = self.take("GMT") || self.take("UTC")
        self.skipSpaces()
        if hasName && self.rest.isEmpty { return 0 }
        guard let sign = self.takeOne(of: "+-"), let hours = self.takeNumber(digits: 2), hours <= 23 else { return nil }
        _ = self.take(UInt8(ascii: ":"))
        guard let minutes = self.takeNumber(digits: 2), minutes <= 59 else { return nil }
        let offset = hours * 3600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    private mutating func takeNumber(digits: Int) -> Int64? {
        let number = self.rest.prefix(digits)
        guard number.count == digits, number.allSatisfy(Self.isDigit) else { return nil }
        self.rest = self.rest.dropFirst(digits)
        return number.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard self.rest.first == byte else { return false }
        self.rest.removeFirst()
        return true
    }

    private mutating func take(_ word: String) -> Bool {
        guard self.rest.starts(with: word.utf8) else { return false }
        self.rest = self.rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func takeOne(of bytes: String) -> UInt8? {
        guard let first = self.rest.first, bytes.utf8.contains(first) else { return nil }
        self.rest.removeFirst()
        return first
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
