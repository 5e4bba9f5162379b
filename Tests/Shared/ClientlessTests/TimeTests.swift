import Clientless
import FoundationEssentials
import TestSupport
import Testing

@Suite("A token date")
struct TokenDateTests {
    @Test(
        arguments: [
            (1_767_225_600_000, "2026/01/01 00:00:00 GMT +0000"), (1_767_225_600_999, "2026/01/01 00:00:00 GMT +0000"),
            (-1, "1969/12/31 23:59:59 GMT +0000"), (951_827_696_000, "2000/02/29 12:34:56 GMT +0000"),
            (Int64.min, "0000/01/01 00:00:00 GMT +0000"), (Int64.max, "9999/12/31 23:59:59 GMT +0000"),
        ] as [(Int64, String)])
    func `is written in UTC to the second`(_ milliseconds: Int64, _ text: String) {
        #expect(TokenDate.text(for: Timestamp(milliseconds: milliseconds)) == text)
    }

    @Test(
        arguments: [
            ("2026/01/01 00:00:00 GMT +0000", 1_767_225_600_000), ("2011/03/19 02:29:34 GMT +0200", 1_300_494_574_000),
            ("2026/01/01 00:00:00 GMT -0530", 1_767_245_400_000), ("2026/01/01 00:00:00 GMT", 1_767_225_600_000),
            ("2026-01-01 00:00:00 +0000", 1_767_225_600_000), ("2026-01-01 01:00:00 +0100", 1_767_225_600_000),
            ("2026-01-01T00:00:00Z", 1_767_225_600_000), ("2026-01-01T00:00:00.250Z", 1_767_225_600_250),
            ("2026-01-01T00:00:00.2+01:00", 1_767_222_000_200), ("2026-01-01 00:00:00 UTC", 1_767_225_600_000),
            ("1767225600000", 1_767_225_600_000), ("253402300799999", 253_402_300_799_999),
            (" 2026/01/01 00:00:00 GMT +0000 ", 1_767_225_600_000), ("0", 0),
            ("2024/02/29 00:00:00 GMT +0000", 1_709_164_800_000), ("2026-01-01T00:00:00.123456789Z", 1_767_225_600_123),
        ] as [(String, Int64)])
    func `is read in all of its forms`(_ text: String, _ milliseconds: Int64) {
        #expect(TokenDate.parse(text) == Timestamp(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", " ", "now", "2026/01/01", "2026/01/01 00:00:00", "2026-01-01T00:00:00", "2026/13/01 00:00:00 GMT +0000",
        "2026/00/01 00:00:00 GMT +0000", "2026/02/29 00:00:00 GMT +0000", "1900/02/29 00:00:00 GMT +0000",
        "2026/04/31 00:00:00 GMT +0000", "2026/01/01 24:00:00 GMT +0000", "2026/01/01 00:60:00 GMT +0000",
        "2026/01/01 00:00:60 GMT +0000", "2026/01/01 00:00:00 GMT +00", "2026/01/01 00:00:00 GMT 0000",
        "2026/01-01 00:00:00 GMT +0000", "2026/01/01 00:00:00 GMT +2460", "26/01/01 00:00:00 GMT +0000",
        "2026/01/01 00:00:00 GMT +0000 x", "2026/01/01 00:00:00. GMT +0000", "1767225600000000", "253402300800000",
        "9999/12/31 23:59:59 GMT -0001", "-5", "1e3",
        "2026/01/01 00:00:00 PST", "٢٠٢٦/01/01 00:00:00 GMT +0000", "2026/01/00 00:00:00 GMT +0000",
    ])
    func `is not read from anything else`(_ text: String) { #expect(TokenDate.parse(text) == nil) }

    @Test func `agrees with Foundation from the year 1 to 9999, and comes back as it was`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
            let text = TokenDate.text(for: Timestamp(seconds: seconds))
            // Foundation's calendar is Julian before 1582, as this one is not.
            if seconds >= -12_000_000_000 {
                let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
                #expect(
                    text.prefix(10).replacing("/", with: "-") + "T" + text.dropFirst(11).prefix(8) + "Z" == expected)
            }
            #expect(TokenDate.parse(text) == Timestamp(seconds: seconds))
        }
    }

    @Test func `that was changed is read or refused, and never stops the program`() {
        let corpus = ["2026/01/01 00:00:00 GMT +0000", "2026-01-01T00:00:00.250Z", "1767225600000"]
        var (read, refused) = (0, 0)
        for text in Mutations(of: corpus, count: 20_000, seed: 3) {
            if let moment = TokenDate.parse(text) {
                #expect(TokenDate.parse(TokenDate.text(for: moment)) == Timestamp(seconds: moment.seconds))
                read += 1
            } else {
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
    }
}

@Suite("A timestamp")
struct TimestampTests {
    @Test func `rounds down to seconds before and after 1970`() {
        #expect(Timestamp(milliseconds: 1999).seconds == 1)
        #expect(Timestamp(milliseconds: -1).seconds == -1)
        #expect(Timestamp(milliseconds: -1000).seconds == -1)
        #expect(Timestamp(milliseconds: .min).seconds == Int64.min / 1000 - 1)
        #expect(Timestamp(milliseconds: .max).seconds == Int64.max / 1000)
    }

    @Test func `stops at the first and the last moment instead of overflowing`() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(last + .seconds(1) == last)
        #expect(first - .seconds(1) == first)
        #expect(first + .seconds(-1) == first)
        #expect(last - .seconds(-1) == last)
        #expect(last + .seconds(Int64.max) == last)
        #expect(Timestamp(seconds: .max) == last)
        #expect(Timestamp(seconds: .min) == first)
        #expect(last - first == .milliseconds(Int64.max))
        #expect(Duration.milliseconds(-1500).wholeMilliseconds == -1500)
        for milliseconds in [0, 1, 260_000_000, 400_000_000_000] as [Int64] {
            #expect((.milliseconds(milliseconds) + .nanoseconds(999_999)).wholeMilliseconds == milliseconds)
        }
    }
}
