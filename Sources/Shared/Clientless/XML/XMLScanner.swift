import Cryptography

struct XMLScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { self.bytes = Array(text.utf8) }

    var isAtEnd: Bool { self.position == self.bytes.count }

    var isAtName: Bool { !self.isAtEnd && Self.isNameByte(self.bytes[self.position], isFirst: true) }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    mutating func take(_ token: String) -> Bool {
        guard self.comes(token, at: self.position) else { return false }
        self.position += token.utf8.count
        return true
    }

    /// Skips white space, and says whether there was some.
    mutating func skipSpace() -> Bool {
        let start = self.position
        while !self.isAtEnd, Self.isSpace(self.bytes[self.position]) { self.position += 1 }
        return self.position > start
    }

    mutating func takeName() throws(XMLError) -> String {
        let start = self.position
        while !self.isAtEnd, Self.isNameByte(self.bytes[self.position], isFirst: self.position == start) {
            self.position += 1
        }
        guard self.position > start else { throw XMLError() }
        return self.text(start..<self.position)
    }

    /// Takes everything up to `token`, and `token` itself; references stay as they are.
    mutating func takeText(upTo token: String) throws(XMLError) -> String {
        let start = self.position
        while !self.isAtEnd {
            if self.comes(token, at: self.position) {
                defer { self.position += token.utf8.count }
                return self.text(start..<self.position)
            }
            self.position += 1
        }
        throw XMLError()
    }

    /// Takes character data up to the next markup, references resolved.
    mutating func takeCharacterData() throws(XMLError) -> String {
        var text: [UInt8] = []
        while !self.isAtEnd, self.bytes[self.position] != UInt8(ascii: "<") {
            let start = self.position
            while !self.isAtEnd, Self.isPlain(self.bytes[self.position]) { self.position += 1 }
            text.append(contentsOf: self.bytes[start..<self.position])
            guard self.position == start else { continue }
            guard !self.comes("]]>", at: self.position) else { throw XMLError() }
            try self.takeCharacter(into: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Takes a quoted value, references resolved; white space that is no reference is a space (XML 1.0 section 3.3.3).
    mutating func takeAttributeValue() throws(XMLError) -> String {
        guard !self.isAtEnd else { throw XMLError() }
        let quote = self.bytes[self.position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw XMLError() }
        self.position += 1
        var value: [UInt8] = []
        while !self.isAtEnd, self.bytes[self.position] != quote {
            let start = self.position
            while !self.isAtEnd, self.bytes[self.position] != quote, self.bytes[self.position] >= 0x20,
                Self.isPlain(self.bytes[self.position])
            { self.position += 1 }
            if value.isEmpty, !self.isAtEnd, self.bytes[self.position] == quote {
                // Most values are plain.
                defer { self.position += 1 }
                return self.text(start..<self.position)
            }
            value.append(contentsOf: self.bytes[start..<self.position])
            guard self.position == start else { continue }
            let byte = self.bytes[self.position]
            guard byte != UInt8(ascii: "<") else { throw XMLError() }
            try self.takeCharacter(into: &value)
            if Self.isSpace(byte) { value[value.count - 1] = 0x20 }
        }
        guard !self.isAtEnd else { throw XMLError() }
        self.position += 1
        return String(decoding: value, as: UTF8.self)
    }

    /// Line ends as XML 1.0 section 2.11 has them: a carriage return, with or without a line feed, is a line feed.
    static func withUnixLineEnds(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var bytes: [UInt8] = []
        var afterReturn = false
        for byte in text.utf8 {
            if byte == 0x0D {
                bytes.append(0x0A)
            } else if !(byte == 0x0A && afterReturn) {
                bytes.append(byte)
            }
            afterReturn = byte == 0x0D
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes one byte, one line end or one reference.
    private mutating func takeCharacter(into text: inout [UInt8]) throws(XMLError) {
        switch self.bytes[self.position] {
        case UInt8(ascii: "&"):
            self.position += 1
            let scalar = try self.takeReference()
            text.append(contentsOf: String(scalar).utf8)
        case 0x0D:
            self.position += self.comes("\r\n", at: self.position) ? 2 : 1
            text.append(0x0A)
        case let byte:
            self.position += 1
            text.append(byte)
        }
    }

    private mutating func takeReference() throws(XMLError) -> Unicode.Scalar {
        let rest = self.bytes[self.position...].prefix(Self.longestReference + 1)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw XMLError() }
        let body = rest[..<end]
        self.position = end + 1
        for (name, scalar) in Self.entities where body.elementsEqual(name.utf8) { return scalar }
        guard body.first == UInt8(ascii: "#") else { throw XMLError() }
        let isHexadecimal = body.dropFirst().first == UInt8(ascii: "x")
        guard let value = Self.number(body.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(value), XMLText.canCarry(scalar)
        else { throw XMLError() }
        return scalar
    }

    /// The longest reference, between `&` and `;`: seven digits name every character.
    private static let longestReference = 9
    private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
    ]

    /// - Returns: `nil` without a digit, and for anything that is none, such as a sign.
    private static func number(_ digits: ArraySlice<UInt8>, radix: UInt32) -> UInt32? {
        guard !digits.isEmpty else { return nil }
        var number: UInt32 = 0
        for digit in digits {
            guard let value = Hex.value(of: digit), UInt32(value) < radix else { return nil }
            // At most eight digits come here, so this cannot overflow.
            number = number * radix + UInt32(value)
        }
        return number
    }

    /// Whether a byte of character data stands for itself, and neither begins nor ends anything.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"), 0x0D: false
        default: true
        }
    }

    private func comes(_ token: String, at position: Int) -> Bool {
        let letters = token.utf8.span
        guard self.bytes.count - position >= letters.count else { return false }
        for offset in letters.indices where self.bytes[position + offset] != letters[offset] { return false }
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: self.bytes[range], as: UTF8.self) }

    private static func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }
}
