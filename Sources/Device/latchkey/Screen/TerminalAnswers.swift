/// The answers of a terminal to one question, which asks for several things at once.
struct TerminalAnswers: Hashable, Sendable {
    /// Asks in this order: where the cursor is after one letter in two bytes; whether kitty's pictures are understood;
    /// the size of a cell; and what every terminal answers, its attributes (DA1), so that there is an end.
    ///
    /// Blocks would not do for the letter: some of their bytes steer a terminal of eight bits.
    static let question =
        "\r\u{E9}\u{1B}[6n\r\u{1B}[K\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c"

    /// Whether two bytes of UTF-8 took one cell.
    private(set) var showsUTF8 = false
    private(set) var showsKitty = false
    private(set) var showsSixels = false
    /// The pixels of a cell, from 4 to 256 on each side.
    private(set) var cell: Canvas.Cell?
    private(set) var isComplete = false

    /// Reads what came, typed keys among it.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: 0x1B) {
            rest = rest[(start + 1)...]
            switch rest.first {
            case UInt8(ascii: "["): self.readSequence(&rest)
            case UInt8(ascii: "_"): self.readCommand(&rest)
            default: break
            }
        }
    }

    /// A control sequence (ECMA-48 5.4).
    private mutating func readSequence(_ rest: inout ArraySlice<UInt8>) {
        let body = rest.dropFirst()
        let parameters = body.prefix { (0x30...0x3F).contains($0) }
        guard let final = body[parameters.endIndex...].first else { return }
        rest = body[(parameters.endIndex + 1)...]
        let isPrivate = parameters.first == UInt8(ascii: "?")
        let numbers = (isPrivate ? parameters.dropFirst() : parameters).split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
        ).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        switch (final, isPrivate) {
        case (UInt8(ascii: "R"), false): self.showsUTF8 = numbers.count == 2 && numbers[1] == 2
        case (UInt8(ascii: "c"), true):
            self.showsSixels = numbers.dropFirst().contains(4)
            self.isComplete = true
        case (UInt8(ascii: "t"), false):
            guard numbers.count == 3, numbers[0] == 6, (4...256).contains(numbers[1]), (4...256).contains(numbers[2])
            else { return }
            self.cell = Canvas.Cell(width: numbers[2], height: numbers[1])
        default: break
        }
    }

    /// A command to applications, up to its end (ECMA-48 8.3.2).
    private mutating func readCommand(_ rest: inout ArraySlice<UInt8>) {
        let body = rest.dropFirst().prefix { $0 != 0x1B }
        rest = rest[body.endIndex...]
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix("G"), text.contains("i=31"), text.hasSuffix(";OK") { self.showsKitty = true }
    }
}
