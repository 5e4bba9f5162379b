/// A sentence of one language: words and placeholders, perhaps in several forms for several numbers.
package struct Sentence: Sendable {
    package enum Piece: Hashable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    /// One for every form of the rule; without a rule one for all numbers.
    private let wordings: [PluralForm: [Piece]]
    private let rule: PluralRule?

    /// - Throws: a description of the fault, for the writer of the sentence.
    init(_ text: String) throws(Malformed) {
        self.wordings = [.other: try Self.pieces(of: text)]
        self.rule = nil
    }

    /// - Throws: a description of the fault, also when the forms are not exactly those of `rule`.
    init(_ texts: [PluralForm: String], rule: PluralRule) throws(Malformed) {
        guard Set(texts.keys) == rule.forms else {
            let names = PluralForm.allCases.filter(rule.forms.contains).map(\.rawValue)
            throw Malformed(message: "its forms have to be \(names.joined(separator: ", "))")
        }
        var forms: [PluralForm: [Piece]] = [:]
        for (form, text) in texts { forms[form] = try Self.pieces(of: text) }
        self.wordings = forms
        self.rule = rule
    }

    struct Malformed: Error {
        let message: String
    }

    /// The words for `count`, which a sentence without forms does not look at. Without a count it is the form for many.
    package func pieces(for count: Int?) -> [Piece] {
        self.wordings[self.rule?.form(for: count ?? 100) ?? .other] ?? []
    }

    /// The words of every form, in the order of ``PluralForm``.
    var forms: [[Piece]] { PluralForm.allCases.compactMap { self.wordings[$0] } }
    package var isCounted: Bool { self.rule != nil }

    package var placeholders: Set<String> {
        Set(
            self.wordings.values.joined().compactMap { piece in
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
