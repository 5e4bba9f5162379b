import TerminalQR

/// A QR code in one form, as a block of character cells that words may stand beside.
struct QRBlock {
    let form: QRForm
    let columns: Int
    let rows: Int
    /// A picture, to be drawn from the block's upper left corner; `nil` for characters.
    let picture: String?
    /// One for each row; of a picture what steps over it.
    let lines: [String]

    /// The pixels on each side of a module that pictures are tried with: below three, cameras see no module.
    private static let scales = [12, 10, 8, 7, 6, 5, 4, 3]

    /// The blocks of `code` in a form, the largest first.
    static func blocks(_ code: QRCode, _ form: QRForm, on canvas: Canvas) -> [QRBlock] {
        switch form {
        case .half: [QRBlock(form, QRDrawing(code, cells: .halfBlocks, palette: canvas.palette))]
        case .full: [QRBlock(form, QRDrawing(code, cells: .colouredSpaces, palette: canvas.palette))]
        case .plain: [QRBlock(form, QRDrawing(code, cells: .plainBlocks(onDark: true), palette: canvas.palette))]
        case .plainInverted:
            [QRBlock(form, QRDrawing(code, cells: .plainBlocks(onDark: false), palette: canvas.palette))]
        case .ascii: [QRBlock(form, QRDrawing(code, cells: .ascii(onDark: true), palette: canvas.palette))]
        case .asciiInverted: [QRBlock(form, QRDrawing(code, cells: .ascii(onDark: false), palette: canvas.palette))]
        case .sixel, .kitty:
            self.scales.compactMap { scale in
                canvas.cell.map { QRBlock(form, QRPicture(code, scale: scale), cell: $0) }
            }
        }
    }

    private init(_ form: QRForm, _ drawing: QRDrawing) {
        self.form = form
        self.columns = drawing.columns
        self.rows = drawing.rows
        self.picture = nil
        self.lines = drawing.lines
    }

    private init(_ form: QRForm, _ picture: QRPicture, cell: Canvas.Cell) {
        self.form = form
        self.columns = (picture.size + cell.width - 1) / cell.width
        self.rows = (picture.size + cell.height - 1) / cell.height
        self.picture = form == .sixel ? picture.sixel : picture.kitty
        // Blanks would wipe the picture out.
        self.lines = Array(repeating: "\u{1B}[\(self.columns)C", count: self.rows)
    }
}
