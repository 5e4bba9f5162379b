import CommandLineTool
import POSIX
import TerminalQR

/// A text as a QR code on the operator's terminal, for a phone to copy.
struct TerminalSymbol: Sendable {
    /// The blank columns between the symbol and the words beside it.
    private static let gap = 2
    /// Of a terminal that does not tell its size.
    private static let usualSize = Terminal.Size(columns: 80, rows: 24)
    private static let blocks = "▀▄█"

    let terminal: Terminal
    /// Of the machine's own screen; `nil` of every other terminal.
    let console: LinuxConsole?

    /// - Parameter words: stand at the right of the symbol, parted at their blanks; all or none, if there is no room.
    ///   The symbol may take so much of the screen that what was said before it is out of sight.
    /// - Returns: `nil` if there is no terminal, or none that shows the symbol whole.
    func lines(of text: String, beside words: [String] = []) -> [String]? {
        guard self.terminal.understandsEscapes, let code = try? QRCode(smallest: text) else { return nil }
        let hasBlocks = self.console.map { $0.isUnicode && $0.shows(Self.blocks) } ?? self.terminal.isUTF8
        let forms: [QRForm] = hasBlocks ? [.half, .full] : [.full]
        let size = self.terminal.size ?? Self.usualSize
        let drawing = forms.lazy.compactMap { QRDrawing(code, $0, palette: self.terminal.colours) }
            // A terminal scrolls when its last line ends.
            .first { $0.columns <= size.columns && $0.rows <= size.rows - 1 }
        return drawing.map { Self.joined($0, words, columns: size.columns) }
    }

    /// The drawing with words in the middle of its height.
    private static func joined(_ drawing: QRDrawing, _ words: [String], columns: Int) -> [String] {
        let width = columns - drawing.columns - self.gap
        let rows = words.flatMap { wrapped($0, width: width) }
        guard rows.count <= drawing.rows, rows.allSatisfy({ cellCount($0) <= width }) else { return drawing.lines }
        let top = (drawing.rows - rows.count) / 2
        return drawing.lines.enumerated().map { row, line in
            guard rows.indices.contains(row - top) else { return line }
            return line + String(repeating: " ", count: self.gap) + rows[row - top]
        }
    }
}
