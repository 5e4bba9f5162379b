/// How a QR code is put on a terminal.
enum QRForm: String, CaseIterable, Sendable {
    /// Half blocks, black on white. Needs UTF-8 and a font that has them.
    case half
    /// Spaces on black and white, two for each module. Needs colours.
    case full
    /// Half blocks in the terminal's own colours, on a dark ground. Needs UTF-8, and no escape sequence.
    case plain = "half-plain"
    /// The same on a light ground.
    case plainInverted = "half-plain-inverted"
    /// Letters on a dark ground. Needs nothing, but a camera that blurs them.
    case ascii
    /// Letters on a light ground.
    case asciiInverted = "ascii-inverted"
    /// A picture of DEC's terminals.
    case sixel
    /// A picture in kitty's protocol.
    case kitty

    /// The forms by the words of `--qr-format`; `nil` for the best that the terminal shows.
    static let wishes: [(word: String, forms: [QRForm]?)] =
        [("auto", nil)] + Self.allCases.map { ($0.rawValue, [$0]) } + [("none", [])]
}
