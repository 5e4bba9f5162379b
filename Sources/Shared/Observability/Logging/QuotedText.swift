/// Strangers' text between quotation marks, as JSON and JSON5 read it.
package enum QuotedText {
    /// A JSON string. Control characters, also the C1 ones and the Unicode line separators that some readers obey, and
    /// the marks that reorder text are escaped, so that a text can neither end the line nor speak to a terminal.
    package static func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where self.isEscaped(scalar):
                let code = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: max(0, 4 - code.utf8.count)) + code
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Every scalar here is in the basic plane, so four digits name it.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
