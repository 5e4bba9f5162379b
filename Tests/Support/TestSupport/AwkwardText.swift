/// Texts that trip up writers of markup, from a seeded generator.
package struct AwkwardText {
    private static let pieces = [
        "<", ">", "&", "\"", "'", "]]>", "]]", "<![CDATA[", "-->", "<!--", "<?x?>", "&amp;", "&lt;", "&#0;",
        "&#x1F600;",
        "&e;", "</a>", "<a/>", " ", "  ", "\t", "\n", "\r", "\r\n", "\u{85}", "\u{A0}", "\u{2028}", "\u{FEFF}", "%00",
        "é", "e\u{301}", "\u{301}", "ß", "日本", "שלום", "\u{202E}", "👩‍👩‍👧", "𝄞", "\u{FFFD}", "\u{D7FF}", "\u{E000}",
        "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{10FFFF}", "\u{0}", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}",
        "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "a", "North Sport HD", "0",
    ]

    private var generator: SeededGenerator

    package init(seed: UInt64) { self.generator = SeededGenerator(seed: seed) }

    /// Mostly short, sometimes empty, now and then 20,000 characters.
    package mutating func next() -> String {
        let count: Int
        switch Int.random(in: 0..<200, using: &self.generator) {
        case 0: count = 20_000
        case 1..<20: count = 0
        case 20..<60: count = Int.random(in: 8..<60, using: &self.generator)
        default: count = Int.random(in: 1..<8, using: &self.generator)
        }
        var text = String.UnicodeScalarView()
        for _ in 0..<count { text.append(contentsOf: self.piece()) }
        return String(text)
    }

    package mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.generator) }

    private mutating func piece() -> String.UnicodeScalarView {
        if self.number(in: 0...2) > 0 { return Self.pieces[self.number(in: 0...Self.pieces.count - 1)].unicodeScalars }
        // Any character there is; those of a pair of surrogates are none.
        let scalar = Unicode.Scalar(UInt32(self.number(in: 0...0x10FFFF))) ?? "\u{FFFD}"
        return String.UnicodeScalarView([scalar])
    }
}
