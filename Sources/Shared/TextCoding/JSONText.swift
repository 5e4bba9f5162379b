/// Strings of JSON (RFC 8259 7).
package enum JSONText {
    /// The text between quotation marks, as JSON and JSON5 read it.
    package static func string(_ text: String) -> String {
        var bytes: [UInt8] = []
        self.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text between quotation marks.
    ///
    /// JSON asks only for the first 32 characters to be escaped. DEL and the C1 controls, which a terminal obeys, the line
    /// separators of Unicode, which some readers obey, and the marks that reorder text are escaped as well: a text can
    /// neither end the line it stands on nor speak to a terminal.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        let plain = text.utf8.span
        let start = bytes.count
        bytes.append(addingCapacity: plain.count + 2) { output in
            output.append(UInt8(ascii: "\""))
            for offset in 0..<plain.count {
                guard self.isPlain(plain[offset]) else { return }
                output.append(plain[offset])
            }
            output.append(UInt8(ascii: "\""))
        }
        if bytes.count - start == plain.count + 2 { return }
        bytes.removeSubrange((start + 1)...)
        for scalar in text.unicodeScalars { self.append(scalar, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
            "\u{2066}"..."\u{2069}":
            // All of them are in the basic plane, so four digits name each.
            let digits = String(scalar.value, radix: 16)
            bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        default: bytes.append(contentsOf: scalar.utf8)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
