import TextCoding

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

    package static func foreign(_ text: ForeignText?) -> TemplateValue {
        text.map(TemplateValue.foreign) ?? .absent
    }

    package static func phrase(_ phrase: Phrase?) -> TemplateValue { phrase.map(TemplateValue.phrase) ?? .absent }

    static func list<Row>(_ rows: some Sequence<Row>, _ values: (Row) -> TemplateValues) -> TemplateValue {
        .list(rows.map(values))
    }

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
        // Most have another length, which is compared sooner.
        get { self.names.lastIndex { $0.utf8.count == name.utf8.count && $0 == name }.map { self.values[$0] } }
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

    package init(_ key: PhraseKey, _ values: TemplateValues = [:]) { self.init(key: key.rawValue, values) }

    init(key: String, _ values: TemplateValues = [:]) {
        self.key = key
        self.values = values
    }
}

/// The place of a value in the markup, which decides how it has to be written.
enum Placement: Hashable, Sendable {
    /// Between tags.
    case text
    /// In `<title>`, where tags mean nothing.
    case title
    case attribute
    /// The start of an attribute that holds an address.
    case address(isImage: Bool)
    /// Behind the start of an address.
    case addressPart
}

extension Placement {
    func write(_ text: String, into output: inout [UInt8]) {
        switch self {
        case .text, .title, .attribute: HTML.escape(text, into: &output)
        case .address(let isImage): HTML.escape(Self.checkedAddress(text, isImage: isImage), into: &output)
        case .addressPart: PercentCoding.appendEncoded(text, to: &output)
        }
    }

    /// An address a browser may follow: relative, http, https, and for pictures `data:image/`. Any other one, such as
    /// `javascript:`, becomes an address that leads nowhere.
    static func checkedAddress(_ address: String, isImage: Bool) -> String {
        let refused = "about:invalid"
        // Browsers skip control characters and blanks before they look for the scheme.
        guard address.utf8.span.isVisible || address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return refused }
        guard let end = address.utf8.firstIndex(where: { [0x3A, 0x2F, 0x3F, 0x23].contains($0) }),
            address.utf8[end] == UInt8(ascii: ":")
        else { return address }
        switch address[..<end].lowercased() {
        case "http", "https": return address
        case "data" where isImage && address.lowercased().hasPrefix("data:image/"): return address
        default: return refused
        }
    }
}
