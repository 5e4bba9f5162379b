import CommandLineTool
import TerminalQR

/// The words that a viewer has to see while a code is on show.
struct PairingWords {
    /// The text of the QR code; `nil` for none.
    var payload: String?
    /// The page where the code is entered; `nil` if no server names one.
    var address: String?
    /// The code in its groups.
    var code: String
    /// The sentences around them, in the viewer's language. Those that are read from right to left share no line with
    /// address or code, and if there is room none with the symbol, whose order the terminal could change with that of the
    /// words.
    var phrases: BoxPhrases
    var isHere = false
    var remarks: [String] = []
}

/// How QR code, address and code stand on a terminal: decided from what it can show, and drawn as lines.
///
/// The first of these that fits is taken: a QR code in the best form, the code in the largest letters, the words beside
/// the symbol, below it, or beside it with the address below. One row is left for the countdown. Words that are read from
/// right to left stand below wherever there is room, however small the code's letters then are.
struct PairingLayout: Hashable, Sendable {
    enum Placement: Hashable, Sendable {
        case beside
        case below
        /// The words stand at its right, and the address, which is too long for that, below.
        case addressBelow
        case wordsAlone
    }

    let placement: Placement
    /// `nil` if no QR code is drawn.
    let form: QRForm?
    /// `nil` if the code is as small as the words.
    let letters: LargeLetters.Size?
    /// A picture that is drawn first, at the left of the first line.
    let picture: String?
    /// Without line ends.
    let lines: [String]

    private static let gap = 2

    init(_ words: PairingWords, on canvas: Canvas) {
        var smallest: QRBlock?
        if let payload = words.payload, let code = try? QRCode(smallest: payload) {
            for form in canvas.forms {
                let blocks = QRBlock.blocks(code, form, on: canvas)
                if smallest == nil { smallest = blocks.last }
                for block in blocks where block.columns <= canvas.width && block.rows <= canvas.height {
                    if let layout = Self.around(block, words, canvas) {
                        self = layout
                        return
                    }
                }
            }
        }
        self = Self.withoutSymbol(words, smallest, canvas)
    }

    private init(_ placement: Placement, _ block: QRBlock?, _ letters: LargeLetters.Size?, lines: [String]) {
        self.placement = placement
        self.form = block?.form
        self.letters = letters
        self.picture = block?.picture
        self.lines = lines
    }

    private static let sizes: [LargeLetters.Size?] = LargeLetters.Size.allCases + [nil]

    private static func around(_ block: QRBlock, _ words: PairingWords, _ canvas: Canvas) -> PairingLayout? {
        let isReversed = words.phrases.isRightToLeft
        let choices =
            isReversed
            ? [Placement.below, .beside, .addressBelow].flatMap { placement in self.sizes.map { ($0, placement) } }
            : self.sizes.flatMap { size in [Placement.beside, .below, .addressBelow].map { (size, $0) } }
        for (letters, placement) in choices {
            guard let lines = self.lines(block, words, letters, placement, canvas), lines.count <= canvas.height
            else { continue }
            return PairingLayout(placement, block, letters, lines: lines)
        }
        return nil
    }

    private static func lines(
        _ block: QRBlock, _ words: PairingWords, _ letters: LargeLetters.Size?, _ placement: Placement, _ canvas: Canvas
    ) -> [String]? {
        let width = canvas.width - block.columns - self.gap
        switch placement {
        case .beside:
            guard (words.address.map { cellCount($0) } ?? 0) <= width,
                let text = self.text(words, letters, placement, width: width, canvas)
            else { return nil }
            return self.joined(block, text)
        case .below:
            guard let text = self.text(words, letters, placement, width: canvas.width, canvas) else { return nil }
            return block.lines + text
        case .addressBelow:
            guard let address = words.address,
                let text = self.text(words, letters, placement, width: width, canvas),
                let lines = self.joined(block, text)
            else { return nil }
            return lines + self.addressLines(address, canvas)
        case .wordsAlone: return nil
        }
    }

    /// The words at the right of the symbol, in the middle of its height.
    private static func joined(_ block: QRBlock, _ text: [String]) -> [String]? {
        guard text.count <= block.rows else { return nil }
        let top = (block.rows - text.count) / 2
        return block.lines.enumerated().map { row, line in
            guard text.indices.contains(row - top), !text[row - top].isEmpty else { return line }
            return line + String(repeating: " ", count: self.gap) + text[row - top]
        }
    }

    /// - Returns: `nil` if the width is too small for words or letters.
    private static func text(
        _ words: PairingWords, _ letters: LargeLetters.Size?, _ placement: Placement, width: Int, _ canvas: Canvas
    ) -> [String]? {
        guard width >= 16 else { return nil }
        let phrases = words.phrases
        var lines: [String]
        switch (words.address, placement) {
        case (let address?, .beside), (let address?, .below):
            lines = wrapped(phrases.say(.layoutScan), width: width) + [canvas.bold(address)]
        case (let address?, .wordsAlone):
            let sentence = phrases.say(words.isHere ? .layoutHere : .layoutOpen)
            lines = wrapped(sentence, width: width) + self.addressLines(address, canvas)
        case (_?, .addressBelow): lines = wrapped(phrases.say(.layoutScanBelow), width: width)
        case (nil, _): lines = wrapped(phrases.say(.layoutProvider), width: width)
        }
        // Also in letters that can be marked with the mouse, or read aloud by a program.
        let invitation = phrases.say(words.address == nil ? .layoutCode : .layoutAndCode)
        lines += self.invitation(invitation, words, width: width).map { line in
            line.replacing(words.code, with: canvas.bold(words.code))
        }
        if let letters {
            guard let large = LargeLetters.lines(of: words.code, letters, width: width, on: canvas) else { return nil }
            lines += (letters == .large ? [""] : []) + large
        }
        for remark in words.remarks { lines += wrapped("(\(remark))", width: width) }
        return lines
    }

    /// The words before and after the code, with the code between them.
    private static func invitation(_ text: String, _ words: PairingWords, width: Int) -> [String] {
        guard words.phrases.isRightToLeft else {
            return wrapped(text.replacing("{code}", with: words.code), width: width)
        }
        let parts = text.split(separator: "{code}", omittingEmptySubsequences: false).map {
            wrapped(String($0), width: width)
        }
        return Array(parts.joined(separator: [words.code]))
    }

    /// An address on as many lines as it takes, and nothing else on them: a viewer can mark it with the mouse.
    private static func addressLines(_ address: String, _ canvas: Canvas) -> [String] {
        guard canvas.width < .max else { return [canvas.bold(address)] }
        var rest = address[...]
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(canvas.bold(String(rest.prefix(canvas.width))))
            rest = rest.dropFirst(canvas.width)
        }
        return lines
    }

    private static func withoutSymbol(_ words: PairingWords, _ missing: QRBlock?, _ canvas: Canvas) -> PairingLayout {
        var words = words
        if let missing, let columns = canvas.columns, let rows = canvas.rows {
            let numbers = ["columns": missing.columns, "rows": missing.rows + 1, "width": columns, "height": rows]
            words.remarks.append(words.phrases.say(.layoutTooSmall, numbers.mapValues(String.init)))
        }
        let width = max(canvas.width, 16)
        for letters in self.sizes {
            guard let lines = self.text(words, letters, .wordsAlone, width: width, canvas), lines.count <= canvas.height
            else { continue }
            return PairingLayout(.wordsAlone, nil, letters, lines: lines)
        }
        // Smaller still: the lines scroll, the code last.
        return PairingLayout(
            .wordsAlone, nil, nil, lines: self.text(words, nil, .wordsAlone, width: width, canvas) ?? [words.code])
    }
}

extension Canvas {
    /// The columns and rows that there are for lines; the countdown has the last row.
    fileprivate var width: Int { self.columns ?? .max }
    fileprivate var height: Int { (self.rows ?? .max) - 1 }
}
