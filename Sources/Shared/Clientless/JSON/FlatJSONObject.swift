/// A JSON object of a few texts, numbers and flags, as clients send one in place of a form (rest-v1 3.3) or
/// in a header (rest-v1 5).
///
/// It is read in one pass that stops at the first byte that is wrong or too much: its sender may be a stranger.
package struct FlatJSONObject {
    /// The most members of the object itself.
    package static let maximumMembers = 64
    /// The most values in all, those inside of members too.
    static let maximumValues = 256
    /// How deep values may lie in one another; RFC 8259 9 leaves that to the reader.
    static let maximumDepth = 16

    package enum Value: Hashable {
        case text(String)
        case number(String)
        case flag(Bool)
        case null
        /// An array or an object, which no endpoint reads.
        case compound
    }

    /// In their order.
    package let members: [(name: String, value: Value)]

    /// - Returns: `nil` if it is no JSON object (RFC 8259), or too large.
    package init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes: bytes)
        guard let members = reader.document() else { return nil }
        self.members = members
    }

    /// Whether a name occurs more than once. Readers of JSON keep one of the two and do not say which.
    package var hasRepeatedName: Bool {
        var seen: Set<[UInt8]> = []
        return self.members.contains { !seen.insert(Array($0.name.utf8)).inserted }
    }

    /// The value of the last member of this name that is a text.
    package func text(_ name: String) -> String? {
        for member in self.members.reversed() where member.name.utf8.elementsEqual(name.utf8) {
            if case .text(let text) = member.value { return text }
            return nil
        }
        return nil
    }
}

/// Walks the bytes of a document (RFC 8259).
private struct JSONReader {
    let bytes: [UInt8]
    var position = 0
    var values = 0

    private var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    /// The members of an object with nothing after it.
    mutating func document() -> [(name: String, value: FlatJSONObject.Value)]? {
        var members: [(name: String, value: FlatJSONObject.Value)] = []
        self.skipSpace()
        let isObject = self.object { reader, name in
            guard members.count < FlatJSONObject.maximumMembers, let value = reader.value(depth: 1) else {
                return false
            }
            members.append((name, value))
            return true
        }
        self.skipSpace()
        return isObject && self.next == nil ? members : nil
    }

    /// An object, whose members `member` reads behind their colons.
    private mutating func object(_ member: (inout JSONReader, String) -> Bool) -> Bool {
        guard self.take("{") else { return false }
        self.skipSpace()
        if self.take("}") { return true }
        while true {
            self.skipSpace()
            guard let name = self.text() else { return false }
            self.skipSpace()
            guard self.take(":"), member(&self, name) else { return false }
            self.skipSpace()
            if self.take("}") { return true }
            guard self.take(",") else { return false }
        }
    }

    private mutating func array(depth: Int) -> Bool {
        guard self.take("[") else { return false }
        self.skipSpace()
        if self.take("]") { return true }
        while true {
            guard self.value(depth: depth) != nil else { return false }
            self.skipSpace()
            if self.take("]") { return true }
            guard self.take(",") else { return false }
        }
    }

    private mutating func value(depth: Int) -> FlatJSONObject.Value? {
        self.values += 1
        guard self.values <= FlatJSONObject.maximumValues, depth <= FlatJSONObject.maximumDepth else { return nil }
        self.skipSpace()
        switch self.next {
        case UInt8(ascii: "\""): return self.text().map { .text($0) }
        case UInt8(ascii: "{"):
            return self.object { reader, _ in reader.value(depth: depth + 1) != nil } ? .compound : nil
        case UInt8(ascii: "["): return self.array(depth: depth + 1) ? .compound : nil
        case UInt8(ascii: "t"): return self.word("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return self.word("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return self.word("null") ? .null : nil
        default: return self.number()
        }
    }

    private mutating func word(_ word: String) -> Bool {
        guard self.bytes[self.position...].starts(with: word.utf8) else { return false }
        self.position += word.utf8.count
        return true
    }

    /// `-? int frac? exp?`; whole numbers keep their digits, others are written as Swift does, and what no `Double` holds
    /// is left out.
    private mutating func number() -> FlatJSONObject.Value? {
        let start = self.position
        _ = self.take("-")
        guard let lead = self.next, self.digits(), lead != UInt8(ascii: "0") || self.isAfterOneDigit(start)
        else { return nil }
        if self.take("."), !self.digits() { return nil }
        if self.take("e") || self.take("E") {
            if !self.take("+") { _ = self.take("-") }
            guard self.digits() else { return nil }
        }
        guard self.position - start <= 64 else { return .compound }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        if let whole = Int64(text) { return .number(String(whole)) }
        guard let number = Double(text), number.isFinite else { return .compound }
        return .number(Int64(exactly: number).map { String($0) } ?? String(number))
    }

    /// Whether the whole part, which begins with a zero, is that zero.
    private func isAfterOneDigit(_ start: Int) -> Bool {
        let first = self.bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        return self.position == first + 1
    }

    private mutating func digits() -> Bool {
        let start = self.position
        while let byte = self.next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { self.position += 1 }
        return self.position > start
    }

    /// A string. One that is not UTF-8 spoils the document.
    private mutating func text() -> String? {
        guard self.take("\"") else { return nil }
        var text: [UInt8] = []
        var start = self.position
        while let byte = self.next, byte >= 0x20 {
            switch byte {
            case UInt8(ascii: "\""):
                text += self.bytes[start..<self.position]
                self.position += 1
                return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += self.bytes[start..<self.position]
                self.position += 1
                guard let character = self.escaped() else { return nil }
                text += Array(String(Character(character)).utf8)
                start = self.position
            default: self.position += 1
            }
        }
        return nil
    }

    /// The character behind a backslash.
    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = self.next else { return nil }
        self.position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = self.codeUnit() else { return nil }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // Half of a pair; the other half follows, or the text is broken.
            guard (0xD800..<0xDC00).contains(unit), self.take("\\"), self.take("u"), let other = self.codeUnit(),
                (0xDC00..<0xE000).contains(other)
            else { return nil }
            return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(other) - 0xDC00))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt16? {
        guard self.position + 4 <= self.bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in self.bytes[self.position..<self.position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        self.position += 4
        return unit
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = self.next, byte == UInt8(ascii: character) else { return false }
        self.position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = self.next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { self.position += 1 }
    }
}
