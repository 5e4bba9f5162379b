/// A colour of the web, `#0b6a5c`, and its contrast with a ground.
package struct Colour: Hashable, Sendable {
    private let red: Double
    private let green: Double
    private let blue: Double

    static let white = Colour(red: 255, green: 255, blue: 255)
    static let black = Colour(red: 0, green: 0, blue: 0)

    package var text: String {
        let number = [self.red, self.green, self.blue].reduce(0) { $0 << 8 | Int($1.rounded()) }
        let digits = String(number, radix: 16)
        return "#\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }

    /// `share` of this colour in the rest of `other`, as it is written: in whole steps of each channel.
    func mixed(_ share: Double, with other: Colour) -> Colour {
        func channel(_ own: Double, _ foreign: Double) -> Double { (own * share + foreign * (1 - share)).rounded() }
        return Colour(
            red: channel(self.red, other.red), green: channel(self.green, other.green),
            blue: channel(self.blue, other.blue))
    }

    /// From 1 to 21 (WCAG 2.2, "contrast ratio").
    package func contrast(to other: Colour) -> Double {
        let (one, two) = (self.luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private var luminance: Double {
        func linear(_ channel: Double) -> Double {
            let part = channel / 255
            return part <= 0.04045 ? part / 12.92 : Self.power((part + 0.055) / 1.055)
        }
        return 0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// `base` to the power of 2.4, that is its square times the fifth root of its square.
    private static func power(_ base: Double) -> Double {
        let square = base * base
        guard square > 0 else { return 0 }
        // Newton's steps towards the root of x⁵ = square, from above.
        var root = 1.0
        for _ in 0..<40 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
        return square * root
    }
}

extension Colour {
    /// - Returns: `nil` for anything but `#` and six hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(
            red: Double(number >> 16 & 0xFF), green: Double(number >> 8 & 0xFF), blue: Double(number & 0xFF))
    }
}

/// The colours that a brand's one colour makes of the pages, readable on light and on dark.
package struct Palette: Hashable, Sendable {
    /// The contrast that text needs (WCAG 2.2, 1.4.3).
    static let readable = 4.5

    struct Scheme: Hashable, Sendable {
        let accent: Colour
        /// Under the pointer.
        let deep: Colour
        /// Text on the two.
        let onAccent: Colour
        /// A ground that the accent is read on.
        let tint: Colour

        var style: String {
            "--accent:\(self.accent.text);--accent-deep:\(self.deep.text);--on-accent:\(self.onAccent.text);"
                + "--tint:\(self.tint.text)"
        }
    }

    private let light: Scheme
    private let dark: Scheme

    /// - Returns: `nil` when `accent` cannot be read on the light pages, or `accentOnDark` not on the dark ones.
    package init?(accent: Colour, accentOnDark: Colour? = nil) {
        guard let light = Self.light(accent), let dark = Self.dark(accentOnDark ?? Self.lightened(accent))
        else { return nil }
        self.light = light
        self.dark = dark
    }

    /// The nearest colour that can be read on the light pages, to say what would do.
    package static func darkened(_ colour: Colour) -> Colour {
        (0...20).lazy.map { colour.mixed(1 - Double($0) / 20, with: .black) }.first { self.light($0) != nil } ?? .black
    }

    /// The nearest colour that can be read on the dark pages.
    package static func lightened(_ colour: Colour) -> Colour {
        (0...20).lazy.map { colour.mixed(1 - Double($0) / 20, with: .white) }.first { self.dark($0) != nil } ?? .white
    }

    // The grounds are those of `latchkey.css`.
    private static func light(_ accent: Colour) -> Scheme? {
        self.scheme(accent, grounds: ["#ffffff", "#f3f1ec"], tint: accent.mixed(0.08, with: .white))
    }

    private static func dark(_ accent: Colour) -> Scheme? {
        guard let card = Colour("#1a2221") else { return nil }
        return self.scheme(accent, grounds: ["#1a2221", "#111716"], tint: accent.mixed(0.12, with: card))
    }

    private static func scheme(_ accent: Colour, grounds: [String], tint: Colour) -> Scheme? {
        let isRead = (grounds.compactMap { Colour($0) } + [tint]).allSatisfy {
            accent.contrast(to: $0) >= self.readable
        }
        guard isRead, let ink = Colour("#0c1413") else { return nil }
        let isLightText = accent.contrast(to: .white) >= accent.contrast(to: ink)
        let onAccent = isLightText ? Colour.white : ink
        let deep = accent.mixed(0.82, with: isLightText ? .black : .white)
        guard onAccent.contrast(to: accent) >= self.readable, onAccent.contrast(to: deep) >= self.readable
        else { return nil }
        return Scheme(accent: accent, deep: deep, onAccent: onAccent, tint: tint)
    }

    /// The style sheet that comes after `latchkey.css`.
    var styleSheet: String {
        ":root{\(self.light.style)}@media (prefers-color-scheme:dark){:root{\(self.dark.style)}}\n"
    }
}
