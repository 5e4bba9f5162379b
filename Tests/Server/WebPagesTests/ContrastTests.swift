import Testing
import WebPages

/// The colours of the style sheet, measured as WCAG 2.2 does (1.4.3, 1.4.11).
@Suite("Colours")
struct ContrastTests {
    static let palettes: [String: [String: Int]] = {
        guard let file = WebFiles.assets.first(where: { $0.name == "latchkey.css" }) else { return [:] }
        let text = String(decoding: file.bytes, as: UTF8.self)
        // The first block of `:root` is the light palette, the second the dark one.
        let blocks = text.split(separator: ":root {", omittingEmptySubsequences: false).dropFirst().prefix(2).map {
            $0.prefix { $0 != "}" }
        }
        func colours(_ block: Substring) -> [String: Int] {
            Dictionary(
                block.matches(of: /--([a-z-]+): #([0-9a-f]{6});/).compactMap { match in
                    Int(match.2, radix: 16).map { (String(match.1), $0) }
                }, uniquingKeysWith: { $1 })
        }
        return ["light": colours(blocks[0]), "dark": colours(blocks[1])]
    }()

    static func luminance(_ colour: Int) -> Double {
        func channel(_ shift: Int) -> Double {
            let value = Double(colour >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
    }

    /// `base` to the power of 2.4, as the fifth root of its twelfth power.
    static func power(_ base: Double) -> Double {
        var twelfth = 1.0
        for _ in 0..<12 { twelfth *= base }
        var root = 0.5
        for _ in 0..<200 { root = (4 * root + twelfth / (root * root * root * root)) / 5 }
        return root
    }

    static func contrast(_ first: Int, _ second: Int) -> Double {
        let pair = [luminance(first), luminance(second)].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    @Test("Text is told from its ground by 4.5 to 1, in both palettes", arguments: ["light", "dark"])
    func text(_ palette: String) throws {
        let pairs = [
            ("ink", "card"), ("ink", "ground"), ("quiet", "card"), ("quiet", "ground"), ("accent", "card"),
            ("accent", "tint"), ("on-accent", "accent"), ("on-accent", "accent-deep"), ("on-even", "even"),
            ("on-even", "even-deep"), ("bad", "bad-tint"), ("ink", "tint"), ("ink", "far-tint"),
        ]
        let colours = try #require(Self.palettes[palette])
        for (front, back) in pairs {
            let ratio = Self.contrast(try #require(colours[front]), try #require(colours[back]))
            #expect(ratio >= 4.5, "\(palette): \(front) on \(back)")
        }
    }

    @Test("Fields, focus and marks are told from their ground by 3 to 1", arguments: ["light", "dark"])
    func controls(_ palette: String) throws {
        let colours = try #require(Self.palettes[palette])
        for (front, back) in [
            ("edge", "card"), ("accent", "card"), ("accent", "ground"), ("bad", "card"), ("even", "card"),
        ] {
            let ratio = Self.contrast(try #require(colours[front]), try #require(colours[back]))
            #expect(ratio >= 3, "\(palette): \(front) on \(back)")
        }
    }

    @Test func `The measure itself is right: black on white is 21 to 1, #767676 on white 4.54 to 1`() {
        #expect(abs(Self.contrast(0, 0xFFFFFF) - 21) < 0.01)
        #expect(abs(Self.contrast(0x767676, 0xFFFFFF) - 4.54) < 0.01)
    }
}
