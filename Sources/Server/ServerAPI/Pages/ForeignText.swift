import Clientless

/// A stranger's name for something, made fit to be read: one line of bounded length without invisible characters.
///
/// Boxes name themselves, and a name can lie: with characters that reverse the writing direction it could make the
/// words around it say something else, with enough of them it could push the question off the screen. A page shows a
/// value of this type isolated from its surroundings.
package struct ForeignText: Hashable, Sendable {
    package let text: String

    /// - Parameter limit: the most characters to keep; a longer text ends in `…`.
    /// - Returns: `nil` when nothing readable is left.
    package init?(_ raw: some StringProtocol, limit: Int = 64) {
        // Most names are a few plain words.
        if raw.utf8.count <= limit, Self.isPlain(raw.utf8) {
            self.text = String(raw)
            return
        }
        var line = ""
        var pendingSpace = false
        var marks = 0
        // Reading stops early: what comes after so many scalars is not shown anyway.
        for scalar in raw.unicodeScalars.prefix(limit * 16) {
            switch Self.kind(of: scalar) {
            case .space:
                pendingSpace = !line.isEmpty
            case .hidden:
                continue
            case .mark:
                // Stacks of accents reach into the lines above and below.
                marks += 1
                if marks <= 2, !line.isEmpty { line.unicodeScalars.append(scalar) }
            case .joiner:
                if !line.isEmpty { line.unicodeScalars.append(scalar) }
            case .visible:
                marks = 0
                if pendingSpace { line += " " }
                pendingSpace = false
                line.unicodeScalars.append(scalar)
            }
        }
        guard !line.isEmpty else { return nil }
        self.text = line.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    /// Whether it holds nothing but what is written from left to right and what follows its surroundings in that: printable
    /// characters of ASCII, and Latin letters. Among words from left to right it needs no isolation (UAX #9).
    var isPlainlyLeftToRight: Bool {
        self.text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case " "..."~", "\u{C0}"..."\u{24F}", "…": true
            default: false
            }
        }
    }

    /// Whether all of it is shown as it is: printable characters of ASCII, and single spaces between them.
    private static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        let space = UInt8(ascii: " ")
        var last = space
        for byte in bytes {
            guard byte > space ? byte < 0x7F : byte == space && last != space else { return false }
            last = byte
        }
        return last != space
    }

    private enum Kind { case visible, space, mark, joiner, hidden }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .space
        case .nonspacingMark, .enclosingMark: return .mark
        case .control: return scalar == "\t" || scalar == "\n" || scalar == "\r" ? .space : .hidden
        // Emoji and several scripts need U+200C and U+200D between letters.
        case .format: return scalar == "\u{200C}" || scalar == "\u{200D}" ? .joiner : .hidden
        case .surrogate, .privateUse, .unassigned: return .hidden
        default: return Self.blanks.contains(scalar) ? .hidden : .visible
        }
    }

    /// Letters that look like nothing.
    private static let blanks: Set<Unicode.Scalar> = ["\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{2800}"]
}

/// Markup that needs no escaping any more.
///
/// A `String` is never markup; the only ways to get this type are escaping and the initializer that says what it skips.
package struct HTML: Hashable, Sendable {
    package let markup: String

    /// Takes `markup` as it is. It must hold no text from outside.
    package init(unescaped markup: String) { self.markup = markup }

    /// The markup that shows `text`, in an element as well as in a quoted attribute.
    package init(escaping text: some StringProtocol) {
        var markup: [UInt8] = []
        Self.escape(text, into: &markup)
        self.markup = String(decoding: markup, as: UTF8.self)
    }

    /// `text` from left to right among words of any direction, as addresses and codes are read.
    package static func leftToRight(_ text: some StringProtocol) -> HTML {
        HTML(unescaped: "<bdi dir=\"ltr\">\(HTML(escaping: text).markup)</bdi>")
    }

    /// Appends `text` to `markup`, escaped. Control characters that no markup can carry become U+FFFD.
    static func escape(_ text: some StringProtocol, into markup: inout [UInt8]) {
        let text = String(text)
        // Most text needs none, and goes over in one piece.
        guard !XMLText.isPlain(text.utf8.span) else {
            markup += text.utf8
            return
        }
        let bytes = Array(text.utf8)
        // The beginning of what goes over as it is.
        var start = 0
        for place in bytes.indices {
            var reference = "\u{FFFD}"
            var width = 1
            switch bytes[place] {
            case UInt8(ascii: "&"): reference = "&amp;"
            case UInt8(ascii: "<"): reference = "&lt;"
            case UInt8(ascii: ">"): reference = "&gt;"
            case UInt8(ascii: "\""): reference = "&quot;"
            case UInt8(ascii: "'"): reference = "&#39;"
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case 0..<0x20, 0x7F: break
            // U+0080 to U+009F; U+FFFE and U+FFFF.
            case 0xC2 where bytes[place + 1] < 0xA0: width = 2
            case 0xEF where bytes[place + 1] == 0xBF && bytes[place + 2] > 0xBD: width = 3
            default: continue
            }
            markup += bytes[start..<place]
            markup += reference.utf8
            start = place + width
        }
        markup += bytes[start...]
    }
}
