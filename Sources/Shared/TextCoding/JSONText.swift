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
        bytes.append(UInt8(ascii: "\""))
        self.appendContent(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends what stands between the quotation marks.
    package static func appendContent(_ text: String, to bytes: inout [UInt8]) {
        let content = text.utf8.span
        guard !self.isPlain(content) else { return bytes.append(contentsOf: text.utf8) }
        guard content.isPrintable else {
            for scalar in text.unicodeScalars { self.append(scalar, to: &bytes) }
            return
        }
        // JSON within JSON, as a sealed session is.
        bytes.append(addingCapacity: 2 * content.count) { output in
            for offset in content.indices {
                let byte = content[offset]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
                output.append(byte)
            }
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"", "\\":
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(UInt8(ascii: scalar))
        case " "..."~": bytes.append(UInt8(ascii: scalar))
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

    /// Whether JSON takes the text as it is. A loop that never ends early takes many bytes in one step.
    package static func isPlain(_ text: Span<UInt8>) -> Bool {
        var marks: UInt8 = 0
        for offset in text.indices {
            let byte = text[offset]
            let isMark = (byte == UInt8(ascii: "\"") ? 1 : 0 as UInt8) | (byte == UInt8(ascii: "\\") ? 1 : 0)
            marks |= (byte &- 0x20 < 0x5F ? 0 : 1) | isMark
        }
        return marks == 0
    }
}
