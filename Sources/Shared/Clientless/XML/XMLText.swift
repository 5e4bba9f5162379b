/// Text inside XML 1.0 documents.
package enum XMLText {
    /// The text as character data or as an attribute value, for either kind of quote.
    ///
    /// Tabs and line ends become references, so that a document stays on one line and a reader gets them back
    /// unchanged. Characters that XML 1.0 cannot carry in any form – most control characters, U+FFFE, U+FFFF – are
    /// dropped: a caller that must not lose them asks ``canCarry(_:)`` first.
    package static func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t": escaped += "&#9;"
            case "\n": escaped += "&#10;"
            case "\r": escaped += "&#13;"
            default: if Self.canCarry(scalar) { escaped.unicodeScalars.append(scalar) }
            }
        }
        return escaped
    }

    /// Whether XML 1.0 can carry every character of the text (section 2.2, `Char`).
    package static func canCarry(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy(Self.canCarry)
    }

    static func canCarry(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
