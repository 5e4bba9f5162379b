import TerminalQR

/// A registration code in letters that can be read from the sofa.
struct LargeLetters: Hashable, Sendable {
    /// How a dot of a letter becomes cells.
    enum Size: CaseIterable, Sendable {
        /// Two cells wide and one high: as high as seven lines.
        case large
        /// One cell wide and half a cell high, or a whole one if there are no half blocks.
        case small

        fileprivate var dotColumns: Int { self == .large ? 2 : 1 }
    }

    let lines: [String]
    let columns: Int

    /// Letters in one line.
    /// - Returns: `nil` when a character has no letter.
    init?(_ text: String, _ size: Size, on canvas: Canvas) {
        let glyphs = text.utf8.compactMap(glyph)
        guard glyphs.count == text.utf8.count else { return nil }
        let dots: [[Bool]] = (0..<7).map { row in Array(glyphs.map { $0[row] }.joined(separator: [false])) }
        self.columns = (dots.first?.count ?? 0) * size.dotColumns
        self.lines =
            switch size {
            case .large: dots.map { row in cells(row, width: 2, canvas) }
            case .small where !canvas.hasBlocks: dots.map { row in cells(row, width: 1, canvas) }
            case .small:
                stride(from: 0, to: 7, by: 2).map { row in
                    let lower = row + 1 < 7 ? dots[row + 1] : dots[row].map { _ in false }
                    return String(zip(dots[row], lower).map { halfBlocks($0, $1) })
                }
            }
    }

    /// Letters in one line, or each group of the code in a line of its own.
    static func lines(of code: String, _ size: Size, width: Int, on canvas: Canvas) -> [String]? {
        if let letters = LargeLetters(code, size, on: canvas), letters.columns <= width { return letters.lines }
        let groups = code.split(separator: "-").map { LargeLetters(String($0), size, on: canvas) }
        guard groups.count > 1, groups.allSatisfy({ $0.map { $0.columns <= width } ?? false }) else { return nil }
        return Array(groups.compactMap { $0?.lines }.joined(separator: [""]))
    }
}

/// A row of dots, in the terminal's own colours.
/// - Parameter width: the cells of a dot.
private func cells(_ dots: [Bool], width: Int, _ canvas: Canvas) -> String {
    let blank = String(repeating: " ", count: width)
    let dot =
        canvas.hasBlocks
        ? String(repeating: "█", count: width)
        : canvas.isDecorated ? "\u{1B}[7m\(blank)\u{1B}[0m" : String(repeating: "#", count: width)
    return dots.map { $0 ? dot : blank }.joined()
}

/// The rows of a letter of five by seven dots, or of a hyphen of three by seven; `nil` for any other character.
private func glyph(_ byte: UInt8) -> [[Bool]]? {
    let width = byte == UInt8(ascii: "-") ? 3 : 5
    return letters[byte]?.map { row in (0..<width).map { row >> (width - 1 - $0) & 1 == 1 } }
}

/// Five bits a row, from the top; the leftmost dot is the highest bit. Of a hyphen three.
private let letters: [UInt8: [UInt8]] = Dictionary(
    uniqueKeysWithValues: [
        ("A", [0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11]), ("B", [0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E]),
        ("C", [0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E]), ("D", [0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E]),
        ("E", [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F]), ("F", [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10]),
        ("G", [0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0F]), ("H", [0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11]),
        ("I", [0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E]), ("J", [0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0C]),
        ("K", [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11]), ("L", [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F]),
        ("M", [0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11]), ("N", [0x11, 0x11, 0x19, 0x15, 0x13, 0x11, 0x11]),
        ("O", [0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E]), ("P", [0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10]),
        ("Q", [0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D]), ("R", [0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11]),
        ("S", [0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E]), ("T", [0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04]),
        ("U", [0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E]), ("V", [0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04]),
        ("W", [0x11, 0x11, 0x11, 0x15, 0x15, 0x15, 0x0A]), ("X", [0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11]),
        ("Y", [0x11, 0x11, 0x11, 0x0A, 0x04, 0x04, 0x04]), ("Z", [0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F]),
        ("0", [0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E]), ("1", [0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E]),
        ("2", [0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F]), ("3", [0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E]),
        ("4", [0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02]), ("5", [0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E]),
        ("6", [0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E]), ("7", [0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08]),
        ("8", [0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E]), ("9", [0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C]),
        ("-", [0, 0, 0, 7, 0, 0, 0]),
    ].map { (Character($0.0).asciiValue ?? 0, $0.1) })
