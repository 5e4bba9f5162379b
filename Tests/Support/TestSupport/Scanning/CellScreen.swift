/// A terminal's screen, as far as drawings need one: character cells with a foreground and a background colour.
///
/// It reads escape sequences by itself and knows nothing of how the drawing was made.
package struct CellScreen {
    /// Brightness, 0 to 255. The terminal's own colours are given from outside: a theme may be anything.
    private struct Cell {
        /// Eight by sixteen pixels.
        let pixels: [UInt8]

        init(top: UInt8, bottom: UInt8) {
            self.pixels = [UInt8](repeating: top, count: 64) + [UInt8](repeating: bottom, count: 64)
        }

        /// `@` as the font of PC text modes has it.
        init(glyph foreground: UInt8, on background: UInt8) {
            let rows: [UInt8] = [0, 0, 0, 0x7C, 0xC6, 0xC6, 0xDE, 0xDE, 0xDE, 0xDC, 0xC0, 0x7C, 0, 0, 0, 0]
            self.pixels = rows.flatMap { row in (0..<8).map { row >> (7 - $0) & 1 == 1 ? foreground : background } }
        }

        /// Any letter: a box, which is as much of a letter as a scanner has to overlook.
        init(word foreground: UInt8, on background: UInt8) {
            self.pixels = (0..<128).map { pixel in
                let (row, column) = (pixel / 8, pixel % 8)
                let isEdge = row == 3 || row == 12 || column == 1 || column == 6
                return (3...12).contains(row) && (1...6).contains(column) && isEdge ? foreground : background
            }
        }
    }

    package struct Unreadable: Error {
        package let what: String
    }

    private var rows: [[Cell]] = []
    private let ownForeground: UInt8
    private let ownBackground: UInt8

    /// - Parameter isWhole: whether each line has to begin and end in the terminal's own colours; else a line goes on in
    ///   those of the line above.
    package init(_ lines: [String], ownForeground: UInt8, ownBackground: UInt8, isWhole: Bool = true) throws {
        self.ownForeground = ownForeground
        self.ownBackground = ownBackground
        var pen = (foreground: ownForeground, background: ownBackground)
        for line in lines { self.rows.append(try self.cells(of: line, &pen, isWhole: isWhole)) }
    }

    package var columns: Int { self.rows.map(\.count).max() ?? 0 }

    /// The screen as a PGM picture, cells 8 by 16 pixels, with a margin in the terminal's own background.
    /// - Parameter isFar: as a camera sees it that cannot tell letters apart.
    package func picture(margin: Int, isFar: Bool = false) -> [UInt8] {
        let width = (self.columns + 2 * margin) * 8
        let blank = [UInt8](repeating: self.ownBackground, count: width)
        var pixels: [UInt8] = []
        for _ in 0..<(margin * 16) { pixels += blank }
        for row in self.rows {
            for pixelRow in 0..<16 {
                var line = [UInt8](repeating: self.ownBackground, count: margin * 8)
                for cell in row { line += cell.pixels[pixelRow * 8..<pixelRow * 8 + 8] }
                pixels += line + [UInt8](repeating: self.ownBackground, count: width - line.count)
            }
        }
        for _ in 0..<(margin * 16) { pixels += blank }
        if isFar { pixels = blurred(pixels, width: width) }
        return Array("P5\n\(width) \(pixels.count / width)\n255\n".utf8) + pixels
    }

    private func cells(
        of line: String, _ pen: inout (foreground: UInt8, background: UInt8), isWhole: Bool
    ) throws -> [Cell] {
        var cells: [Cell] = []
        var (foreground, background) = pen
        defer { pen = (foreground, background) }
        var rest = Substring(line)
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}":
                guard rest.popFirst() == "[", let end = rest.firstIndex(of: "m") else {
                    throw Unreadable(what: "an escape sequence that is no colour")
                }
                let codes = rest[..<end].split(separator: ";").compactMap { Int($0) }
                rest = rest[rest.index(after: end)...]
                try self.apply(codes, &foreground, &background)
            case " ": cells.append(Cell(top: background, bottom: background))
            case "█": cells.append(Cell(top: foreground, bottom: foreground))
            case "▀": cells.append(Cell(top: foreground, bottom: background))
            case "▄": cells.append(Cell(top: background, bottom: foreground))
            case "@": cells.append(Cell(glyph: foreground, on: background))
            default: cells.append(Cell(word: foreground, on: background))
            }
        }
        guard !isWhole || (foreground == self.ownForeground && background == self.ownBackground) else {
            throw Unreadable(what: "a line that leaves its colours behind")
        }
        return cells
    }

    private func apply(_ codes: [Int], _ foreground: inout UInt8, _ background: inout UInt8) throws {
        var codes = codes[...]
        while let code = codes.popFirst() {
            switch code {
            case 0:
                foreground = self.ownForeground
                background = self.ownBackground
            case 1: break
            case 7: swap(&foreground, &background)
            case 39: foreground = self.ownForeground
            case 49: background = self.ownBackground
            case 30: foreground = 0
            case 40: background = 0
            // xterm's light grey.
            case 47: background = 229
            case 38: foreground = try self.extended(&codes)
            case 48: background = try self.extended(&codes)
            default: throw Unreadable(what: "the colour \(code)")
            }
        }
    }

    private func extended(_ codes: inout ArraySlice<Int>) throws -> UInt8 {
        switch codes.popFirst() {
        case 5:
            switch codes.popFirst() {
            case 16: return 0
            case 231: return 255
            default: throw Unreadable(what: "a colour that is neither black nor white")
            }
        case 2:
            let parts = codes.prefix(3)
            codes = codes.dropFirst(3)
            guard parts.count == 3 else { throw Unreadable(what: "half a colour") }
            return UInt8(parts.reduce(0, +) / 3)
        default: throw Unreadable(what: "an unknown kind of colour")
        }
    }
}

/// Pixels as a lens out of focus shows them: the mean of 15 by 15, twice, where a module of two cells has 16 by 16.
private func blurred(_ pixels: [UInt8], width: Int) -> [UInt8] {
    var pixels = pixels
    for step in [1, width, 1, width] {
        let sharp = pixels
        // Of the 15 around each pixel in this direction; the edge, which is the margin, stays as it is.
        var sums = pixels.map { Int($0) * 15 }
        for place in pixels.indices.dropFirst(8 * step).dropLast(7 * step) {
            sums[place] = sums[place - step] + Int(sharp[place + 7 * step]) - Int(sharp[place - 8 * step])
            pixels[place] = UInt8(clamping: sums[place] / 15)
        }
    }
    return pixels
}
