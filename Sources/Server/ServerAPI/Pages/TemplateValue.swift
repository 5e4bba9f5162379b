/// A value that a template may show under a name. The type decides how it is escaped.
package enum TemplateValue: Sendable {
    /// Nothing; `if` takes the other branch, and showing it shows nothing.
    case absent
    /// Text of ours, escaped.
    case text(String)
    /// Text of a stranger, escaped and isolated, so that its writing direction ends where it ends.
    case foreign(ForeignText)
    /// Markup, shown as it is; not allowed in attributes.
    case html(HTML)
    /// A number; chooses the form of a sentence when it is called `count`.
    case number(Int)
    case flag(Bool)
    /// A sentence of the viewer's language.
    case phrase(Phrase)
    /// The list of `each`.
    case list([TemplateValues])

    /// A stranger's text, or nothing.
    package static func foreign(_ text: ForeignText?) -> TemplateValue {
        text.map(TemplateValue.foreign) ?? .absent
    }

    /// A sentence, or nothing.
    package static func phrase(_ phrase: Phrase?) -> TemplateValue {
        phrase.map(TemplateValue.phrase) ?? .absent
    }

    /// The list of `each`, with an item for each row.
    static func list<Row>(_ rows: some Sequence<Row>, _ values: (Row) -> TemplateValues) -> TemplateValue {
        .list(rows.map(values))
    }

    /// Text of ours, or nothing.
    static func optional(_ text: String?) -> TemplateValue { text.map { .text($0) } ?? .absent }

    /// Whether `if` takes its first branch.
    var isPresent: Bool {
        switch self {
        case .absent: false
        case .text(let text): !text.isEmpty
        case .html(let html): !html.markup.isEmpty
        case .flag(let flag): flag
        case .list(let items): !items.isEmpty
        case .foreign, .number, .phrase: true
        }
    }
}

/// The values that a template may show, by name. They are few: to compare their names is quicker than to hash them.
package struct TemplateValues: ExpressibleByDictionaryLiteral, Sendable {
    private var names: [String]
    private var values: [TemplateValue]

    package init(dictionaryLiteral elements: (String, TemplateValue)...) {
        self.names = elements.map(\.0)
        self.values = elements.map(\.1)
    }

    /// The value that was given last under `name`.
    package subscript(name: String) -> TemplateValue? {
        get { self.names.lastIndex(of: name).map { self.values[$0] } }
        set {
            self.names.append(name)
            self.values.append(newValue ?? .absent)
        }
    }

    /// These, which count, and `others`.
    func filled(by others: TemplateValues) -> TemplateValues {
        var all = others
        all.names += self.names
        all.values += self.values
        return all
    }
}

/// A sentence to say, with the values of its placeholders.
package struct Phrase: Sendable {
    let key: String
    let values: TemplateValues

    package init(_ key: PhraseKey, _ values: TemplateValues = [:]) {
        self.init(key: key.rawValue, values)
    }

    init(key: String, _ values: TemplateValues = [:]) {
        self.key = key
        self.values = values
    }
}
