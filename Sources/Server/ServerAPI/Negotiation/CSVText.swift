/// Rows of values with commas between them (RFC 4180): accounts come in so, and reports go out.
package enum CSVText {
    package struct Fault: Error, Hashable, Sendable {
        /// Counted from 1.
        package let line: Int
        package let sentence: String
    }

    /// The rows of a text. A value may stand in quotes, and then hold commas, line ends, and quotes that are doubled. Empty
    /// lines are left out.
    /// - Parameter limit: the most rows.
    package static func rows(of text: String, limit: Int) throws(Fault) -> [(line: Int, values: [String])] {
        var reader = Reader(bytes: Array(text.utf8))
        var rows: [(line: Int, values: [String])] = []
        while let row = try reader.next() {
            guard row.values != [""] else { continue }
            guard rows.count < limit else {
                throw Fault(line: row.line, sentence: "There are more than \(limit) rows.")
            }
            rows.append(row)
        }
        return rows
    }

    package static func row(_ values: [String]) -> String { values.map(Self.value).joined(separator: ",") + "\r\n" }

    /// A value that a spreadsheet would take for a formula gets an apostrophe in front.
    private static func value(_ text: String) -> String {
        let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        let safe = isFormula ? "'\(text)" : text
        guard safe.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return safe }
        var quoted = "\""
        for character in safe.unicodeScalars {
            if character == "\"" { quoted.unicodeScalars.append(character) }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0
        var line = 1

        /// The next row; `nil` at the end.
        mutating func next() throws(Fault) -> (line: Int, values: [String])? {
            guard self.position < self.bytes.count else { return nil }
            let line = self.line
            var values: [String] = []
            while true {
                values.append(try self.value())
                guard self.position < self.bytes.count else { return (line, values) }
                let mark = self.bytes[self.position]
                self.position += 1
                if mark == UInt8(ascii: ",") { continue }
                if mark == UInt8(ascii: "\r"), self.position < self.bytes.count,
                    self.bytes[self.position] == UInt8(ascii: "\n")
                {
                    self.position += 1
                }
                self.line += 1
                return (line, values)
            }
        }

        /// A value, up to the comma or the line end behind it.
        private mutating func value() throws(Fault) -> String {
            guard self.position < self.bytes.count, self.bytes[self.position] == UInt8(ascii: "\"") else {
                let rest = self.bytes[self.position...]
                let end = rest.firstIndex(where: Self.endsValue) ?? self.bytes.count
                defer { self.position = end }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let line = self.line
            self.position += 1
            var value: [UInt8] = []
            while self.position < self.bytes.count {
                let byte = self.bytes[self.position]
                self.position += 1
                guard byte == UInt8(ascii: "\"") else {
                    if byte == UInt8(ascii: "\n") { self.line += 1 }
                    value.append(byte)
                    continue
                }
                guard self.position < self.bytes.count else { return String(decoding: value, as: UTF8.self) }
                let next = self.bytes[self.position]
                if next == UInt8(ascii: "\"") {
                    self.position += 1
                    value.append(byte)
                } else if Self.endsValue(next) {
                    return String(decoding: value, as: UTF8.self)
                } else {
                    throw Fault(line: self.line, sentence: "A quote is followed by neither a comma nor a line end.")
                }
            }
            throw Fault(line: line, sentence: "A value begins with a quote that is never closed.")
        }

        private static func endsValue(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }
    }
}
