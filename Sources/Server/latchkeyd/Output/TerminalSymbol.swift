import CommandLineTool
import POSIX
import TerminalQR

/// A text as a QR code on the operator's terminal, for a phone to copy.
struct TerminalSymbol: Sendable {
    /// Of a terminal that does not tell its size.
    private static let usualSize = Terminal.Size(columns: 80, rows: 24)
    private static let blocks = "▀▄█"

    let terminal: Terminal
    /// Of the machine's own screen; `nil` of every other terminal.
    let console: LinuxConsole?

    /// - Returns: `nil` where there is no terminal, or none that shows the symbol whole.
    func lines(of text: String) -> [String]? {
        guard self.terminal.understandsEscapes, let code = try? QRCode(smallest: text) else { return nil }
        let hasBlocks = self.console.map { $0.isUnicode && $0.shows(Self.blocks) } ?? self.terminal.isUTF8
        let forms: [QRDrawing.Cells] = hasBlocks ? [.halfBlocks, .colouredSpaces] : [.colouredSpaces]
        let size = self.terminal.size ?? Self.usualSize
        return forms.lazy.map { QRDrawing(code, cells: $0, palette: .init(self.terminal.colours)) }
            .first { $0.fits(columns: size.columns, rows: size.rows - 1) }?.lines
    }
}
