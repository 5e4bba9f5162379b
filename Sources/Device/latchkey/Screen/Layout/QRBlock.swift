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
        guard let drawing = QRDrawing(code, form, palette: canvas.palette) else {
            guard let cell = canvas.cell else { return [] }
            return self.scales.map { QRBlock(form, QRPicture(code, scale: $0), cell: cell) }
        }
        return [QRBlock(form: form, columns: drawing.columns, rows: drawing.rows, picture: nil, lines: drawing.lines)]
    }
}

extension QRBlock {
    private init(_ form: QRForm, _ picture: QRPicture, cell: Canvas.Cell) {
        self.form = form
        self.columns = (picture.size + cell.width - 1) / cell.width
        self.rows = (picture.size + cell.height - 1) / cell.height
        self.picture = form == .sixel ? picture.sixel : picture.kitty
        // Blanks would wipe the picture out.
        self.lines = Array(repeating: "\u{1B}[\(self.columns)C", count: self.rows)
    }
}
