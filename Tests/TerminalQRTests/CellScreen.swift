/// A terminal's screen, as far as drawings need one: character cells with a foreground and a background colour.
///
/// It reads escape sequences by itself and knows nothing of how the drawing was made.
struct CellScreen {
    /// Brightness, 0 to 255. The terminal's own colours are given from outside: a theme may be anything.
    private struct Cell {
        var top: UInt8
        var bottom: UInt8
    }

    struct Unreadable: Error {
        let what: String
    }

    private var rows: [[Cell]] = []
    private let ownForeground: UInt8
    private let ownBackground: UInt8

    init(_ lines: [String], ownForeground: UInt8, ownBackground: UInt8) throws {
        self.ownForeground = ownForeground
        self.ownBackground = ownBackground
        for line in lines { self.rows.append(try self.cells(of: line)) }
    }

    var columns: Int { self.rows.map(\.count).max() ?? 0 }

    /// The screen as a PGM picture, cells 8 by 16 pixels, with a margin in the terminal's own background.
    func picture(margin: Int) -> [UInt8] {
        let width = (self.columns + 2 * margin) * 8
        let blank = [UInt8](repeating: self.ownBackground, count: width)
        var pixels: [UInt8] = []
        for _ in 0..<(margin * 16) { pixels += blank }
        for row in self.rows {
            for half in [\Cell.top, \Cell.bottom] {
                var line = [UInt8](repeating: self.ownBackground, count: margin * 8)
                for cell in row { line += [UInt8](repeating: cell[keyPath: half], count: 8) }
                line += [UInt8](repeating: self.ownBackground, count: width - line.count)
                for _ in 0..<8 { pixels += line }
            }
        }
        for _ in 0..<(margin * 16) { pixels += blank }
        return Array("P5\n\(width) \(pixels.count / width)\n255\n".utf8) + pixels
    }

    private func cells(of line: String) throws -> [Cell] {
        var cells: [Cell] = []
        var foreground = self.ownForeground
        var background = self.ownBackground
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
            default: throw Unreadable(what: "the character \(character)")
            }
        }
        guard foreground == self.ownForeground, background == self.ownBackground else {
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
