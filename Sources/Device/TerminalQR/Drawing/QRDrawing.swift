package import CommandLineTool

/// A QR code as lines of text with escape sequences, in explicit black and white, quiet zone included.
package struct QRDrawing: Hashable, Sendable {
    /// Light modules on each side, as ISO/IEC 18004 asks.
    package static let quietZone = 4

    /// The lines, without line ends; each begins and ends in the terminal's own colours.
    package let lines: [String]
    package let columns: Int

    package var rows: Int { self.lines.count }

    /// `nil` for a form that is a picture.
    package init?(_ code: QRCode, _ form: QRForm, palette: Terminal.Colours) {
        let side = -Self.quietZone..<(code.size + Self.quietZone)
        switch form {
        case .half:
            self.columns = side.count
            self.lines = stride(from: side.lowerBound, to: side.upperBound, by: 2).map { row in
                // Dark is drawn in the foreground on a light ground, so that one pair of colours does for the whole line,
                // which ends in none: terminals would paint its rest in them.
                "\u{1B}[0;\(palette.darkForeground);\(palette.lightBackground)m"
                    + blockLine(code, row: row, side: side, drawsDark: true) + "\u{1B}[0m"
            }
        case .plain, .plainInverted:
            self.columns = side.count
            self.lines = stride(from: side.lowerBound, to: side.upperBound, by: 2).map { row in
                blockLine(code, row: row, side: side, drawsDark: form == .plainInverted)
            }
        case .full:
            self.columns = side.count * 2
            self.lines = side.map { row in spaceLine(code, row: row, side: side, palette: palette) }
        case .ascii, .asciiInverted:
            self.columns = side.count * 2
            self.lines = side.map { row in
                side.map { code.isDark(row: row, column: $0) == (form == .ascii) ? "  " : "@@" }.joined()
            }
        case .sixel, .kitty: return nil
        }
    }
}

extension Terminal.Colours {
    // How black and white are said. A theme may tint the terminal's own sixteen, but they stay dark and light; the fixed
    // colour cube has both.
    fileprivate var darkForeground: String {
        switch self {
        case .sixteen, .none: "30"
        case .twoHundredFiftySix: "38;5;16"
        case .trueColour: "38;2;0;0;0"
        }
    }

    // ECMA-48 8.3.117: 30 to 38 are foregrounds, 40 to 48 the same as backgrounds.
    fileprivate var darkBackground: String { "4" + self.darkForeground.dropFirst() }

    fileprivate var lightBackground: String {
        switch self {
        case .sixteen, .none: "47"
        case .twoHundredFiftySix: "48;5;231"
        case .trueColour: "48;2;255;255;255"
        }
    }
}

/// The row below the symbol is light, also where the quiet zone has ended.
/// - Parameter drawsDark: whether blocks are the dark modules, and not the light ones.
private func blockLine(_ code: QRCode, row: Int, side: Range<Int>, drawsDark: Bool) -> String {
    String(
        side.map { column in
            halfBlocks(
                code.isDark(row: row, column: column) == drawsDark,
                code.isDark(row: row + 1, column: column) == drawsDark)
        })
}

/// A cell whose halves are drawn or left out.
package func halfBlocks(_ upper: Bool, _ lower: Bool) -> Character {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
}

private func spaceLine(_ code: QRCode, row: Int, side: Range<Int>, palette: Terminal.Colours) -> String {
    var line = ""
    var last: Bool?
    for column in side {
        let isDark = code.isDark(row: row, column: column)
        if isDark != last {
            line += "\u{1B}[0;\(isDark ? palette.darkBackground : palette.lightBackground)m"
            last = isDark
        }
        line += "  "
    }
    return line + "\u{1B}[0m"
}
