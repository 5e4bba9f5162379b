import Clientless
import TextCoding

/// The text of a SAML document, found safe to parse.
struct SAMLText {
    /// The largest metadata document read, in bytes.
    static let maximumMetadataSize = 1024 * 1024

    let text: String

    /// - Throws: `tooLarge`; `notXML` if it is not UTF-8, or declares another encoding; `documentType`.
    init(_ bytes: [UInt8], maximumSize: Int) throws(AssertionFault) {
        guard bytes.count <= maximumSize else { throw .tooLarge }
        // In other encodings the words looked for below could hide: the parser must read what is searched here.
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.span.holds(0), Self.isDeclaredUTF8(bytes)
        else { throw .notXML }
        // A text without a document type has no entities, neither growing ones nor files or addresses to fetch.
        for start in bytes.indices.dropLast(bytes.span.holds(UInt8(ascii: "!")) ? 1 : bytes.count)
        where bytes[start] == UInt8(ascii: "<") && bytes[start + 1] == UInt8(ascii: "!") {
            for name in ["<!DOCTYPE", "<!ENTITY"] where Self.comes(name, in: bytes[start...]) { throw .documentType }
        }
        self.text = text
    }

    /// A text that ``SAMLDocument`` wrote.
    init(written bytes: [UInt8]) { self.text = String(decoding: bytes, as: UTF8.self) }

    /// Whether the XML declaration, if there is one, names UTF-8 or no encoding.
    private static func isDeclaredUTF8(_ bytes: [UInt8]) -> Bool {
        // Behind a byte order mark the declaration would be looked for in the wrong place; behind white space there is
        // none.
        guard let first = bytes.first, "< \t\r\n".utf8.contains(first) else { return false }
        guard bytes.starts(with: "<?xml".utf8) else { return true }
        guard let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: ">")) else { return false }
        let declaration = Array(bytes[..<end])
        return !Self.contains("ENCODING", in: declaration) || Self.contains("\"UTF-8\"", in: declaration)
            || Self.contains("'UTF-8'", in: declaration)
    }

    /// - Parameter word: in upper case; found in any case.
    private static func contains(_ word: String, in bytes: [UInt8]) -> Bool {
        bytes.indices.contains { Self.comes(word, in: bytes[$0...]) }
    }

    private static func comes(_ word: String, in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= word.utf8.count && zip(word.utf8, bytes).allSatisfy { $0 == Self.upperCase($1) }
    }

    private static func upperCase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
    }
}

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
