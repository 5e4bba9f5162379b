/// A QR code as lines of text with escape sequences, in explicit black and white, quiet zone included.
package struct QRDrawing: Hashable, Sendable {
    /// How modules become character cells.
    package enum Cells: Hashable, Sendable {
        /// `▀`, `▄`, `█` and space: a cell is one module wide and two high. Needs UTF-8.
        case halfBlocks
        /// Two spaces on a coloured ground are one module. Needs no character beyond ASCII.
        case colouredSpaces
        /// `##` and two spaces are one module. Needs no escape sequence either, and so cannot say its colours: on a dark
        /// ground the letters are what is light, on a light one what is dark.
        case ascii(onDark: Bool)
    }

    /// How black and white are said.
    package enum Palette: Hashable, Sendable {
        /// Colours 0 and 7 of the terminal's own sixteen. A theme may tint them, but they stay dark and light.
        case sixteen
        /// Black and white of the fixed colour cube.
        case twoHundredFiftySix
        case trueColour

        var darkForeground: String {
            switch self {
            case .sixteen: "30"
            case .twoHundredFiftySix: "38;5;16"
            case .trueColour: "38;2;0;0;0"
            }
        }

        var darkBackground: String {
            switch self {
            case .sixteen: "40"
            case .twoHundredFiftySix: "48;5;16"
            case .trueColour: "48;2;0;0;0"
            }
        }

        var lightBackground: String {
            switch self {
            case .sixteen: "47"
            case .twoHundredFiftySix: "48;5;231"
            case .trueColour: "48;2;255;255;255"
            }
        }
    }

    /// Light modules on each side, as ISO/IEC 18004 asks.
    package static let quietZone = 4

    /// The lines, without line ends; each begins and ends in the terminal's own colours.
    package let lines: [String]
    /// The width in character cells.
    package let columns: Int

    package var rows: Int { self.lines.count }

    package init(_ code: QRCode, cells: Cells, palette: Palette) {
        let side = -Self.quietZone..<(code.size + Self.quietZone)
        switch cells {
        case .halfBlocks:
            self.columns = side.count
            self.lines = stride(from: side.lowerBound, to: side.upperBound, by: 2).map { row in
                halfBlockLine(code, row: row, side: side, palette: palette)
            }
        case .colouredSpaces:
            self.columns = side.count * 2
            self.lines = side.map { row in spaceLine(code, row: row, side: side, palette: palette) }
        case .ascii(let isOnDark):
            self.columns = side.count * 2
            self.lines = side.map { row in
                side.map { code.isDark(row: row, column: $0) == isOnDark ? "  " : "##" }.joined()
            }
        }
    }

    /// Whether it can be seen whole on a terminal of this size. A terminal scrolls when its last line ends, so `rows`
    /// counts the lines that are left above the words that follow.
    package func fits(columns: Int, rows: Int) -> Bool {
        self.columns <= columns && self.rows <= rows
    }
}

/// Dark is drawn in the foreground on a light ground, so that one pair of colours does for the whole line.
private func halfBlockLine(_ code: QRCode, row: Int, side: Range<Int>, palette: QRDrawing.Palette) -> String {
    var line = "\u{1B}[0;\(palette.darkForeground);\(palette.lightBackground)m"
    for column in side {
        switch (code.isDark(row: row, column: column), code.isDark(row: row + 1, column: column)) {
        case (true, true): line += "█"
        case (true, false): line += "▀"
        case (false, true): line += "▄"
        case (false, false): line += " "
        }
    }
    // Before the line end, or terminals paint the rest of the line in this colour.
    return line + "\u{1B}[0m"
}

private func spaceLine(_ code: QRCode, row: Int, side: Range<Int>, palette: QRDrawing.Palette) -> String {
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
