import CommandLineTool
import POSIX
import TerminalQR

/// The known facts of the terminal that a pairing is shown on, and the canvas that follows.
struct TerminalSurvey: Hashable, Sendable {
    private static let blocks = "▀▄█"
    /// The smallest symbol of nearly every server, with quiet zone and countdown.
    private static let usualSymbol = Terminal.Size(columns: 33, rows: 18)
    /// The likely kind of a serial line, which reports no size.
    private static let usualSize = Terminal.Size(columns: 80, rows: 24)

    let terminal: Terminal
    /// Of the machine's own screen; `nil` of every other terminal.
    let console: LinuxConsole?
    /// The pixels of a cell, by the kernel.
    var cell: Canvas.Cell?
    /// `nil` until it was asked.
    var answers: TerminalAnswers?

    /// Whether the terminal itself has to be asked. The question takes a moment, so the program does not ask about
    /// known facts.
    func needsAnswers(for wish: [QRForm]?) -> Bool {
        guard self.terminal.understandsEscapes, self.console == nil else { return false }
        if let wish { return wish.contains(.sixel) || wish.contains(.kitty) }
        let size = self.terminal.size ?? Self.usualSize
        return !self.terminal.isUTF8 || size.columns < Self.usualSymbol.columns || size.rows < Self.usualSymbol.rows
    }

    /// Whether the terminal shows half blocks: the font of a console is known, of others their encoding.
    private var hasBlocks: Bool {
        guard self.terminal.isTerminal else { return false }
        // One of eight bits takes UTF-8 only when it is told to.
        if let console {
            return console.shows(Self.blocks) && (console.isUnicode || self.terminal.understandsEscapes)
        }
        return self.terminal.isUTF8 || self.answers?.showsUTF8 ?? false
    }

    /// The sequence that makes a console read UTF-8 for a while, and what takes that back (console_codes(4)). Other
    /// terminals are left as they are.
    var encoding: (before: String, after: String) {
        guard let console, !console.isUnicode, self.hasBlocks else { return ("", "") }
        return ("\u{1B}%G", "\u{1B}%@")
    }

    /// - Parameter size: of the moment; `nil` when it is not known.
    func canvas(for wish: [QRForm]?, size: Terminal.Size?) -> Canvas {
        let isTerminal = self.terminal.isTerminal
        let size = isTerminal ? size ?? Self.usualSize : nil
        return Canvas(
            columns: size?.columns, rows: size?.rows, forms: self.forms(for: wish),
            palette: self.terminal.colours, cell: self.cell ?? self.answers?.cell, hasBlocks: self.hasBlocks,
            isDecorated: self.terminal.wantsDecoration)
    }

    private func forms(for wish: [QRForm]?) -> [QRForm] {
        var pictures: [QRForm] = []
        if self.answers?.showsKitty ?? false { pictures.append(.kitty) }
        if self.answers?.showsSixels ?? false { pictures.append(.sixel) }
        // A terminal that does not know pictures would show their bytes.
        if let wish { return wish.filter { $0 != .sixel && $0 != .kitty || pictures.contains($0) } }
        guard self.terminal.isTerminal else { return [] }
        guard self.terminal.understandsEscapes else { return (self.hasBlocks ? [.plain] : []) + [.ascii] }
        return (self.hasBlocks ? [.half] : []) + pictures + [.full]
    }
}

extension TerminalSurvey {
    /// Looks at what the kernel knows of the terminal at a descriptor.
    init(_ terminal: Terminal, on descriptor: BorrowedDescriptor) {
        let cell = descriptor.terminalCell.map { Canvas.Cell(width: $0.width, height: $0.height) }
        self.init(terminal: terminal, console: terminal.isTerminal ? LinuxConsole(descriptor) : nil, cell: cell)
    }
}
