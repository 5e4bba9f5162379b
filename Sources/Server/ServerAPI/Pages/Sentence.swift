/// A sentence of one language: words and placeholders, perhaps in a form for one and a form for many.
struct Sentence: Sendable {
    enum Piece: Hashable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    private let one: [Piece]?
    private let other: [Piece]

    /// - Throws: a description of the fault, for the writer of the sentence.
    init(one: String? = nil, other: String) throws(Malformed) {
        self.one = if let one { try Self.pieces(of: one) } else { nil }
        self.other = try Self.pieces(of: other)
    }

    struct Malformed: Error {
        let message: String
    }

    /// The form for `count`. One and other are what English needs; a language with more forms (Unicode CLDR names six)
    /// brings its rule when it comes.
    func pieces(for count: Int?) -> [Piece] {
        if count == 1, let one = self.one { return one }
        return self.other
    }

    /// The names of all placeholders.
    var placeholders: Set<String> {
        Set(
            ((self.one ?? []) + self.other).compactMap { piece in
                if case .placeholder(let name) = piece { name } else { nil }
            })
    }

    private static func pieces(of text: String) throws(Malformed) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}"), end > rest.index(after: brace)
            else { throw Malformed(message: "a brace without its partner in “\(text)”") }
            let name = rest[rest.index(after: brace)..<end]
            guard name.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
            else { throw Malformed(message: "'{\(name)}' is not a placeholder") }
            if brace > rest.startIndex { pieces.append(.literal(String(rest[..<brace]))) }
            pieces.append(.placeholder(String(name)))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        return pieces
    }
}
