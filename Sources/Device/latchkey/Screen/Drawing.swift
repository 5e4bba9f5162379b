import CommandLineTool
import TerminalQR

/// A QR code for a terminal, or the reason why it is not drawn.
enum DrawingChoice {
    case drawing(QRDrawing)
    /// A remark for the viewer; `nil` where no drawing is expected, as in a journal.
    case none(String?)
}

/// The drawing of `payload` with the most error correction that leaves room for the lines below it.
func drawing(of payload: String, on terminal: Terminal, linesBelow: Int) -> DrawingChoice {
    guard terminal.isTerminal else { return .none(nil) }
    guard terminal.understandsEscapes else { return .none("This terminal cannot show a QR code.") }
    // A serial line reports no size; 80 by 24 is what it most likely is.
    let size = terminal.size ?? Terminal.Size(columns: 80, rows: 24)
    let palette: QRDrawing.Palette =
        switch terminal.colours {
        case .trueColour: .trueColour
        case .twoHundredFiftySix: .twoHundredFiftySix
        case .sixteen, .none: .sixteen
        }
    var smallest: QRDrawing?
    for correction in [QRCode.ErrorCorrection.medium, .low] {
        guard let code = try? QRCode(payload, errorCorrection: correction) else { continue }
        let drawing = QRDrawing(code, cells: terminal.isUTF8 ? .halfBlocks : .colouredSpaces, palette: palette)
        if drawing.fits(columns: size.columns, rows: size.rows - linesBelow) { return .drawing(drawing) }
        smallest = drawing
    }
    guard let smallest else { return .none("The address is too long for a QR code.") }
    return .none(
        "The QR code needs \(smallest.columns) columns and \(smallest.rows + linesBelow) rows; "
            + "this terminal has \(size.columns) and \(size.rows).")
}
