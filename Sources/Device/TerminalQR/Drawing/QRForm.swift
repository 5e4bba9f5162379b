/// How a QR code is put on a terminal.
package enum QRForm: String, CaseIterable, Sendable {
    /// `▀`, `▄`, `█` and space, black on white: a cell is one module wide and two high. Needs UTF-8 and a font that has
    /// them.
    case half
    /// Spaces on black and white, two for each module. Needs colours, and no character beyond ASCII.
    case full
    /// Half blocks in the terminal's own colours, on a dark ground, where they are the light modules. Needs UTF-8, and no
    /// escape sequence.
    case plain = "half-plain"
    /// The same on a light ground, where they are the dark modules.
    case plainInverted = "half-plain-inverted"
    /// `@@` and two spaces for each module, on a dark ground. Needs nothing, but a camera that blurs the letters: no letter
    /// of ASCII fills its cell. Of all of them `@` takes the least blur in the fonts of consoles and terminals, a sixth of
    /// a module on a dark ground and a third on a light one.
    case ascii
    /// Letters on a light ground.
    case asciiInverted = "ascii-inverted"
    /// A picture of DEC's terminals.
    case sixel
    /// A picture in kitty's protocol.
    case kitty

    /// The forms by the words of `--qr-format`; `nil` for the best that the terminal shows.
    package static let wishes: [(word: String, forms: [QRForm]?)] =
        [("auto", nil)] + Self.allCases.map { ($0.rawValue, [$0]) } + [("none", [])]
}
