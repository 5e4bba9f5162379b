import CommandLineTool
import TerminalQR

/// The abilities of a terminal, as far as it said so.
struct Canvas: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
        var width: Int
        var height: Int
    }

    /// In character cells; `nil` if lines only go by, as in a file.
    var columns: Int?
    var rows: Int?
    /// The forms a QR code may take here, the best first; without one none is drawn.
    var forms: [QRForm]
    var palette: Terminal.Colours
    /// Of a terminal that shows pictures.
    var cell: Cell?
    /// Whether the blocks of Unicode are there for large letters.
    var hasBlocks: Bool
    /// Whether escape sequences may decorate words.
    var isDecorated: Bool

    func bold(_ text: String) -> String { self.isDecorated ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
