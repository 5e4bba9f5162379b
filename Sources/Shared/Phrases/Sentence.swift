/// A sentence of one language: words and placeholders, perhaps in several forms for several numbers.
package struct Sentence: Sendable {
    package enum Piece: Hashable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    private enum Wording: Sendable {
        case always([Piece])
        /// One for every form of the rule.
        case counted([PluralForm: [Piece]], PluralRule)
    }

    private let wording: Wording

    /// - Throws: a description of the fault, for the writer of the sentence.
    init(_ text: String) throws(Malformed) {
        self.wording = .always(try Self.pieces(of: text))
    }

    /// - Throws: a description of the fault, also when the forms are not exactly those of `rule`.
    init(_ texts: [PluralForm: String], rule: PluralRule) throws(Malformed) {
        guard Set(texts.keys) == rule.forms else {
            let names = PluralForm.allCases.filter(rule.forms.contains).map(\.rawValue)
            throw Malformed(message: "its forms have to be \(names.joined(separator: ", "))")
        }
        var forms: [PluralForm: [Piece]] = [:]
        for (form, text) in texts { forms[form] = try Self.pieces(of: text) }
        self.wording = .counted(forms, rule)
    }

    struct Malformed: Error {
        let message: String
    }

    /// The words for `count`, which a sentence without forms does not look at. Without a count it is the form for many.
    package func pieces(for count: Int?) -> [Piece] {
        switch self.wording {
        case .always(let pieces): pieces
        case .counted(let forms, let rule): forms[rule.form(for: count ?? 100)] ?? []
        }
    }

    /// The words of every form, in the order of ``PluralForm``.
    var forms: [[Piece]] {
        switch self.wording {
        case .always(let pieces): [pieces]
        case .counted(let forms, _): PluralForm.allCases.compactMap { forms[$0] }
        }
    }

    /// Whether the sentence has forms for numbers.
    package var isCounted: Bool {
        switch self.wording {
        case .always: false
        case .counted: true
        }
    }

    /// The names of all placeholders.
    package var placeholders: Set<String> {
        let pieces =
            switch self.wording {
            case .always(let pieces): pieces
            case .counted(let forms, _): forms.values.flatMap { $0 }
            }
        return Set(
            pieces.compactMap { piece in
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
