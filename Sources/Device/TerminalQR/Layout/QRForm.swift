/// How a QR code is put on a terminal.
package enum QRForm: String, CaseIterable, Sendable {
    /// Half blocks, black on white. Needs UTF-8 and a font that has them.
    case half
    /// Spaces on black and white, two for each module. Needs colours.
    case full
    /// Letters on a dark ground. Needs nothing.
    case ascii
    /// Letters on a light ground.
    case asciiInverted = "ascii-inverted"
    /// A picture of DEC's terminals.
    case sixel
    /// A picture in kitty's protocol.
    case kitty

    /// Whether it is a picture, whose size is in pixels.
    var isPicture: Bool {
        switch self {
        case .half, .full, .ascii, .asciiInverted: false
        case .sixel, .kitty: true
        }
    }
}
