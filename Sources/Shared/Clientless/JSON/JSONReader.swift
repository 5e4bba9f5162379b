extension JSONValue {
    /// How deep values may lie in one another; RFC 8259 9 leaves that to the reader.
    static let maximumDepth = 16

    /// Reads a document (RFC 8259) in one pass that stops at the first byte that is wrong or too much: its writer may be a
    /// stranger. A number without a fraction is an integer.
    /// - Parameters:
    ///   - count: the most values that it may have.
    ///   - isStrict: whether a name that stands twice in an object and a NUL in a text spoil the document. Two readers of one
    ///     without them cannot disagree about it.
    /// - Returns: `nil` if it is no JSON in UTF-8, too large, or has a number that `Double` does not hold.
    package init?(reading bytes: [UInt8], count: Int = .max, isStrict: Bool = true) {
        var reader = JSONReader(bytes: bytes, isStrict: isStrict, left: count)
        guard let value = reader.document() else { return nil }
        self = value
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    let isStrict: Bool
    /// How many values may still come.
    var left: Int
    var position = 0

    private var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    /// A value with nothing after it.
    mutating func document() -> JSONValue? {
        self.skipSpace()
        let value = self.value(depth: 0)
        self.skipSpace()
        return self.next == nil ? value : nil
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard self.left > 0, depth <= JSONValue.maximumDepth else { return nil }
        self.left -= 1
        switch self.next {
        case UInt8(ascii: "\""): return self.text().map { .string($0) }
        case UInt8(ascii: "{"): return self.object(depth: depth + 1)
        case UInt8(ascii: "["): return self.array(depth: depth + 1)
        case UInt8(ascii: "t"): return self.word("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return self.word("false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): return self.word("null") ? .null : nil
        default: return self.number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        var members: [JSONValue.Member] = []
        let isWhole = self.items(until: "}") { reader in
            guard let name = reader.text() else { return false }
            reader.skipSpace()
            guard reader.take(":") else { return false }
            reader.skipSpace()
            guard let value = reader.value(depth: depth) else { return false }
            members.append(JSONValue.Member(name, value))
            return true
        }
        guard isWhole, !self.isStrict || Set(members.map(\.name)).count == members.count else { return nil }
        return .object(members)
    }

    private mutating func array(depth: Int) -> JSONValue? {
        var values: [JSONValue] = []
        let isWhole = self.items(until: "]") { reader in
            guard let value = reader.value(depth: depth) else { return false }
            values.append(value)
            return true
        }
        return isWhole ? .array(values) : nil
    }

    /// A bracket, items with commas between them, which `item` reads, and the bracket that closes.
    private mutating func items(until end: Unicode.Scalar, _ item: (inout JSONReader) -> Bool) -> Bool {
        self.position += 1
        self.skipSpace()
        if self.take(end) { return true }
        while item(&self) {
            self.skipSpace()
            if self.take(end) { return true }
            guard self.take(",") else { return false }
            self.skipSpace()
        }
        return false
    }

    private mutating func word(_ word: String) -> Bool {
        guard self.bytes[self.position...].starts(with: word.utf8) else { return false }
        self.position += word.utf8.count
        return true
    }

    /// `-? int frac? exp?`, of at most 64 characters.
    private mutating func number() -> JSONValue? {
        let start = self.position
        _ = self.take("-")
        guard let lead = self.next, self.digits(), lead != UInt8(ascii: "0") || self.isAfterOneDigit(start)
        else { return nil }
        if self.take("."), !self.digits() { return nil }
        if self.take("e") || self.take("E") {
            if !self.take("+") { _ = self.take("-") }
            guard self.digits() else { return nil }
        }
        guard self.position - start <= 64 else { return nil }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        if let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { return nil }
        return Int64(exactly: number).map { .integer($0) } ?? .double(number)
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
        var text = ""
        while let (plain, end) = self.plain() {
            let mark = self.bytes[end]
            self.position = end + 1
            if mark == UInt8(ascii: "\"") { return text.isEmpty ? plain : text + plain }
            guard mark == UInt8(ascii: "\\"), let character = self.escaped(), character != "\0" || !self.isStrict
            else { return nil }
            text += plain
            text.unicodeScalars.append(character)
        }
        return nil
    }

    /// The next characters of a string that stand for themselves, and where they end.
    private func plain() -> (text: String, end: Int)? {
        let bytes = self.bytes.span
        var end = self.position
        while end < bytes.count {
            let byte = bytes[end]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            end += 1
        }
        guard end < bytes.count else { return nil }
        do {
            return (String(copying: try UTF8Span(validating: bytes.extracting(self.position..<end))), end)
        } catch {
            return nil
        }
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
