import TextCoding

/// Text inside XML 1.0 documents.
package enum XMLText {
    package enum Place: Sendable {
        case content, attribute
        /// Either of them, within either kind of quote, on one line.
        case anywhere
        /// The same two with the references of Canonical XML 1.0, 2.3.
        case canonicalContent, canonicalAttribute

        fileprivate var isContent: Bool { self == .content || self == .canonicalContent }
        fileprivate var isCanonical: Bool { self == .canonicalContent || self == .canonicalAttribute }
    }

    /// The text as character data or as an attribute value, for either kind of quote.
    ///
    /// Tabs and line ends become references, so that a document stays on one line and a reader gets them back
    /// unchanged. Characters that XML 1.0 cannot carry in any form – most control characters, U+FFFE, U+FFFF – are
    /// dropped: ``canCarry(_:)`` tells beforehand.
    package static func escaped(_ text: some StringProtocol) -> String {
        var escaped: [UInt8] = []
        self.append(text, in: .anywhere, to: &escaped)
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Appends the text with the escapes of its place. A reader turns a bare CR into LF everywhere, and TAB and LF into
    /// spaces in attributes (XML 1.0 2.11, 3.3.3). Characters that XML 1.0 cannot carry are dropped.
    package static func append(_ text: some StringProtocol, in place: Place, to output: inout [UInt8]) {
        self.append(String(text), in: place, to: &output)
    }

    /// The same for a string: a generic text would be asked for each character anew.
    /// - Returns: whether no character was dropped.
    @discardableResult
    package static func append(_ text: String, in place: Place, to output: inout [UInt8]) -> Bool {
        if Self.isPlain(text.utf8.span) {
            output.append(contentsOf: text.utf8)
            return true
        }
        var isWhole = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append(contentsOf: "&amp;".utf8)
            case "<": output.append(contentsOf: "&lt;".utf8)
            case ">" where place != .canonicalAttribute: output.append(contentsOf: "&gt;".utf8)
            case "\r": output.append(contentsOf: (place.isCanonical ? "&#xD;" : "&#13;").utf8)
            case "\"" where !place.isContent: output.append(contentsOf: "&quot;".utf8)
            case "\n" where !place.isContent: output.append(contentsOf: (place.isCanonical ? "&#xA;" : "&#10;").utf8)
            case "\t" where !place.isContent: output.append(contentsOf: (place.isCanonical ? "&#x9;" : "&#9;").utf8)
            case "'" where place == .anywhere: output.append(contentsOf: "&#39;".utf8)
            case " "..."~": output.append(UInt8(ascii: scalar))
            case _ where Self.canCarry(scalar): output.append(contentsOf: scalar.utf8)
            default: isWhole = false
            }
        }
        return isWhole
    }

    /// Whether XML 1.0 can carry every character of the text (section 2.2, `Char`).
    package static func canCarry(_ text: String) -> Bool {
        text.utf8.span.isPrintable || text.unicodeScalars.allSatisfy(Self.canCarry)
    }

    /// Whether all bytes are characters that are the same at every place, in XML and HTML. A loop that never ends early
    /// takes many bytes in one step.
    package static func isPlain(_ text: Span<UInt8>) -> Bool {
        var marks: UInt8 = 0
        for offset in text.indices {
            let byte = text[offset]
            let isQuote = (byte == UInt8(ascii: "\"") ? 1 : 0 as UInt8) | (byte == UInt8(ascii: "'") ? 1 : 0)
            let isTag = (byte == UInt8(ascii: "<") ? 1 : 0 as UInt8) | (byte == UInt8(ascii: ">") ? 1 : 0)
            marks |= (byte &- 0x20 < 0x5F ? 0 : 1) | (byte == UInt8(ascii: "&") ? 1 : 0) | isQuote | isTag
        }
        return marks == 0
    }

    /// The text without white space around it.
    package static func trimmed(_ text: Substring) -> Substring {
        guard let first = text.utf8.firstIndex(where: { !XMLScanner.isSpace($0) }),
            let last = text.utf8.lastIndex(where: { !XMLScanner.isSpace($0) })
        else { return "" }
        return text[first..<text.utf8.index(after: last)]
    }

    static func canCarry(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
