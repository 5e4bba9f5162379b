/// The words and marks of a JSON5 text, one after the other, each with its line. It only finds where things stand;
/// what they mean is the decoder's to say.
struct JSON5Tokens {
    enum Kind: Equatable {
        /// One of `{`, `}`, `[`, `]`, `:` and `,`.
        case mark(UInt8)
        /// A string without its quotes, escapes as written.
        case string(String)
        /// Anything else up to the next mark or space, such as a number or a bare key.
        case word(String)
        /// A string or comment without an end.
        case unfinished(String)
    }

    typealias Token = (kind: Kind, line: Int)

    private let bytes: [UInt8]
    private var position = 0
    private(set) var line = 1

    /// A byte order mark, which some editors write, is passed over.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: JSON5Places.byteOrderMark) { self.position = 3 }
    }

    /// The next token; `nil` at the end.
    mutating func next() -> Token? {
        if let unfinished = self.skipSpaceAndComments() { return unfinished }
        guard let byte = self.byte() else { return nil }
        let (line, start) = (self.line, self.position)
        if Self.isMark(byte) {
            self.position += 1
            return (.mark(byte), line)
        }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return (self.string(endingWith: byte), line) }
        while let byte = self.byte(), !Self.isMark(byte), !Self.isSpace(byte), !self.isComment() { self.position += 1 }
        return (.word(String(decoding: self.bytes[start..<self.position], as: UTF8.self)), line)
    }

    private mutating func string(endingWith quote: UInt8) -> Kind {
        self.position += 1
        let start = self.position
        while let byte = self.byte() {
            if byte == quote {
                defer { self.position += 1 }
                return .string(String(decoding: self.bytes[start..<self.position], as: UTF8.self))
            }
            if byte == UInt8(ascii: "\\") {
                // The next character is part of the string, even a line end.
                self.position += 1
                if self.byte() == UInt8(ascii: "\n") { self.line += 1 }
            } else if byte == UInt8(ascii: "\n") {
                return .unfinished("a text begins that has no closing quote on its line")
            }
            self.position += 1
        }
        return .unfinished("a text begins that has no closing quote")
    }

    private mutating func skipSpaceAndComments() -> Token? {
        while let byte = self.byte() {
            if byte == UInt8(ascii: "\n") { self.line += 1 }
            if Self.isSpace(byte) {
                self.position += 1
            } else if self.isComment() {
                let line = self.line
                guard self.skipComment() else { return (.unfinished("a comment begins that has no end"), line) }
            } else {
                return nil
            }
        }
        return nil
    }

    private mutating func skipComment() -> Bool {
        let isBlock = self.byte(1) == UInt8(ascii: "*")
        self.position += 2
        while let byte = self.byte() {
            if isBlock, byte == UInt8(ascii: "*"), self.byte(1) == UInt8(ascii: "/") {
                self.position += 2
                return true
            }
            if byte == UInt8(ascii: "\n") {
                // The line end after `//` is left to the caller, which counts lines.
                guard isBlock else { return true }
                self.line += 1
            }
            self.position += 1
        }
        return !isBlock
    }

    private func byte(_ ahead: Int = 0) -> UInt8? {
        let index = self.position + ahead
        return index < self.bytes.count ? self.bytes[index] : nil
    }

    private func isComment() -> Bool {
        guard self.byte() == UInt8(ascii: "/") else { return false }
        return self.byte(1) == UInt8(ascii: "/") || self.byte(1) == UInt8(ascii: "*")
    }

    private static func isMark(_ byte: UInt8) -> Bool { "{}[]:,".utf8.contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}
