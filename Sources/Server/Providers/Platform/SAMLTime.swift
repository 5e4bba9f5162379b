import Clientless
import FoundationEssentials

/// The dates and times of SAML messages and metadata (SAML 2.0 Core 1.3.3).
enum SAMLTime {
    /// A date and time of XML Schema with its zone, such as `2026-01-01T00:00:00.000Z`.
    static func read(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        // The reader of token documents takes more forms than this one.
        guard (20...40).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            !bytes.contains(UInt8(ascii: " "))
        else { return nil }
        return TokenDate.parse(text)
    }

    static func text(_ time: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(time.seconds)).formatted(.iso8601)
    }

    /// A duration of XML Schema in weeks, days, hours, minutes and whole seconds, such as `P1DT12H`.
    static func duration(_ text: String) -> Duration? {
        guard text.utf8.count <= 32, text.utf8.first == UInt8(ascii: "P") else { return nil }
        var (seconds, number, isTime): (Int64, Int64?, Bool) = (0, nil, false)
        for byte in text.utf8.dropFirst() {
            let unit: Int64
            switch (byte, isTime) {
            case (UInt8(ascii: "0")...UInt8(ascii: "9"), _):
                let value = (number ?? 0) * 10 + Int64(byte - UInt8(ascii: "0"))
                guard value < 1_000_000_000 else { return nil }
                number = value
                continue
            case (UInt8(ascii: "T"), false):
                guard number == nil else { return nil }
                isTime = true
                continue
            case (UInt8(ascii: "W"), false): unit = 604_800
            case (UInt8(ascii: "D"), false): unit = 86_400
            case (UInt8(ascii: "H"), true): unit = 3_600
            case (UInt8(ascii: "M"), true): unit = 60
            case (UInt8(ascii: "S"), true): unit = 1
            default: return nil
            }
            guard let value = number else { return nil }
            seconds += value * unit
            number = nil
        }
        return number == nil ? .seconds(seconds) : nil
    }
}
