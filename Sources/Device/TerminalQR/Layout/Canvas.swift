/// The abilities of a terminal, as far as it said so.
package struct Canvas: Hashable, Sendable {
    /// The pixels of a character cell.
    package struct Cell: Hashable, Sendable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// In character cells; `nil` if lines only go by, as in a file.
    package var columns: Int?
    package var rows: Int?
    /// The forms a QR code may take here, the best first; without one none is drawn.
    package var forms: [QRForm]
    package var palette: QRDrawing.Palette
    /// Of a terminal that shows pictures.
    package var cell: Cell?
    /// Whether the blocks of Unicode are there for large letters.
    package var hasBlocks: Bool
    /// Whether escape sequences may decorate words.
    package var isDecorated: Bool

    package init(
        columns: Int?, rows: Int?, forms: [QRForm], palette: QRDrawing.Palette, cell: Cell? = nil, hasBlocks: Bool,
        isDecorated: Bool
    ) {
        self.columns = columns
        self.rows = rows
        self.forms = forms
        self.palette = palette
        self.cell = cell
        self.hasBlocks = hasBlocks
        self.isDecorated = isDecorated
    }

    func bold(_ text: String) -> String { self.isDecorated ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
