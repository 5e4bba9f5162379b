/// What is on a terminal's screen after a program has written to it: as much of one as programs with a QR code and a
/// countdown use. It reads escape sequences by itself and knows nothing of who wrote them.
struct TerminalScreen {
    struct Cell: Hashable {
        var character: Character = " "
        var isBold = false
        var isFaint = false
        /// CSS colours; `nil` is the terminal's own.
        var foreground: String?
        var background: String?
    }

    private(set) var rows: [[Cell]] = [[]]
    private let columns: Int
    private var row = 0
    private var column = 0
    private var pen = Cell()

    init(_ text: String, columns: Int) {
        self.columns = columns
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n": self.moveDown()
            case "\r": self.column = 0
            case "\u{1B}": self.escape(&rest)
            default:
                if scalar.value >= 0x20 { self.put(Character(scalar)) }
            }
        }
    }

    private mutating func moveDown() {
        self.row += 1
        if self.row == self.rows.count { self.rows.append([]) }
    }

    private mutating func put(_ character: Character) {
        if self.column == self.columns {
            self.column = 0
            self.moveDown()
        }
        while self.rows[self.row].count <= self.column { self.rows[self.row].append(Cell()) }
        var cell = self.pen
        cell.character = character
        self.rows[self.row][self.column] = cell
        self.column += 1
    }

    /// A control sequence (ECMA-48 5.4): parameters, then one letter. Other escapes say nothing about what is seen.
    private mutating func escape(_ rest: inout Substring.UnicodeScalarView) {
        guard rest.first == "[" else {
            rest = rest.dropFirst()
            return
        }
        rest = rest.dropFirst()
        let parameters = rest.prefix { (0x30...0x3F).contains($0.value) }
        rest = rest[parameters.endIndex...]
        guard let final = rest.popFirst() else { return }
        let numbers = String(parameters).split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(numbers.first ?? 1, 1)
        switch final {
        case "m": self.setPen(numbers)
        case "A": self.row = max(self.row - count, 0)
        case "B": for _ in 0..<count { self.moveDown() }
        case "C": self.column = min(self.column + count, self.columns - 1)
        case "D": self.column = max(self.column - count, 0)
        case "G": self.column = min(count - 1, self.columns - 1)
        case "K" where (numbers.first ?? 0) == 0:
            self.rows[self.row].removeSubrange(min(self.column, self.rows[self.row].count)...)
        case "K": self.rows[self.row] = []
        case "J":
            self.rows[self.row].removeSubrange(min(self.column, self.rows[self.row].count)...)
            self.rows.removeSubrange((self.row + 1)...)
        default: break
        }
    }

    private mutating func setPen(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: self.pen = Cell()
            case 1: self.pen.isBold = true
            case 2: self.pen.isFaint = true
            case 22: (self.pen.isBold, self.pen.isFaint) = (false, false)
            case 30...37: self.pen.foreground = Self.sixteen[number - 30]
            case 90...97: self.pen.foreground = Self.sixteen[number - 82]
            case 40...47: self.pen.background = Self.sixteen[number - 40]
            case 38: self.pen.foreground = Self.extended(&rest)
            case 48: self.pen.background = Self.extended(&rest)
            case 39: self.pen.foreground = nil
            case 49: self.pen.background = nil
            default: break
            }
        }
    }

    private static let sixteen = [
        "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5", "#666666", "#f14c4c",
        "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
    ]

    private static func extended(_ rest: inout ArraySlice<Int>) -> String? {
        switch rest.popFirst() {
        case 5:
            guard let index = rest.popFirst() else { return nil }
            if index < 16 { return Self.sixteen[index] }
            if index > 231 { return rgb(index * 10 - 2312, index * 10 - 2312, index * 10 - 2312) }
            let level = [0, 95, 135, 175, 215, 255]
            return rgb(level[(index - 16) / 36], level[(index - 16) / 6 % 6], level[(index - 16) % 6])
        case 2:
            let parts = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            return parts.count == 3 ? rgb(parts[0], parts[1], parts[2]) : nil
        default: return nil
        }
    }
}

private func rgb(_ red: Int, _ green: Int, _ blue: Int) -> String { "rgb(\(red),\(green),\(blue))" }

extension TerminalScreen {
    /// The screen as a page, cells 9 by 18 pixels. Blocks are drawn, not printed: fonts leave gaps between them.
    var html: String {
        let lines = self.rows.map { row in
            "<div>" + row.map(Self.html(of:)).joined() + "</div>"
        }
        return """
            <!DOCTYPE html><meta charset="utf-8"><title>terminal</title><style>
            body { margin: 0; padding: 18px; background: #1b1b1f; color: #d6d6dc; width: max-content; }
            div { height: 18px; white-space: nowrap; font: 15px/18px "DejaVu Sans Mono", monospace; }
            span { display: inline-block; width: 9px; height: 18px; overflow: hidden; vertical-align: top; }
            </style>
            """ + lines.joined()
    }

    private static func html(of cell: Cell) -> String {
        let above = "▀█".contains(cell.character)
        let below = "▄█".contains(cell.character)
        let foreground = cell.foreground ?? "#d6d6dc"
        let background = cell.background ?? "#1b1b1f"
        if above || below {
            let (top, bottom) = (above ? foreground : background, below ? foreground : background)
            return "<span style=\"background:linear-gradient(\(top) 50%,\(bottom) 50%)\"></span>"
        }
        let character = ["<": "&lt;", "&": "&amp;", " ": ""][cell.character] ?? String(cell.character)
        let weight = (cell.isBold ? ";font-weight:bold" : "") + (cell.isFaint ? ";opacity:.7" : "")
        return "<span style=\"color:\(foreground);background:\(background)\(weight)\">\(character)</span>"
    }
}
