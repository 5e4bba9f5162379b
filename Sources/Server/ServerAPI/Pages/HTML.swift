import Clientless

/// Markup that needs no escaping any more.
///
/// A `String` is never markup; the only ways to get this type are escaping and the initializer that says what it skips.
package struct HTML: Hashable, Sendable {
    package let markup: String

    /// Takes `markup` as it is. It must hold no text from outside.
    package init(unescaped markup: String) {
        self.markup = markup
    }

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
        let scalars = text.unicodeScalars
        // The beginning of what goes over as it is.
        var start = scalars.startIndex
        for place in scalars.indices {
            let reference: String
            switch scalars[place] {
            case "&": reference = "&amp;"
            case "<": reference = "&lt;"
            case ">": reference = "&gt;"
            case "\"": reference = "&quot;"
            case "'": reference = "&#39;"
            case "\t", "\n", "\r": continue
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}"..."\u{FFFF}": reference = "\u{FFFD}"
            default: continue
            }
            markup += text[start..<place].utf8
            markup += reference.utf8
            start = scalars.index(after: place)
        }
        markup += text[start...].utf8
    }
}
