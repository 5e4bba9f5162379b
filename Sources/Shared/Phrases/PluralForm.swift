/// The forms a language has for numbers (Unicode CLDR, "plural categories").
enum PluralForm: String, CodingKey, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}

/// Which form a language takes for a whole number (Unicode CLDR, "Language Plural Rules", cardinals).
///
/// These forms count minutes and seconds. The form that French, Italian, Portuguese and Spanish have for whole
/// millions is therefore left out.
enum PluralRule: Sendable {
    /// One form for all: Japanese.
    case single
    /// A form for one: English and most others.
    case one
    /// A form for nothing and one: French and Portuguese.
    case oneOrNone
    case polish
    case arabic

    /// - Parameter language: a tag (RFC 5646); its first subtag decides.
    init(language: String) {
        switch language.prefix(while: { $0 != "-" }).lowercased() {
        case "ja": self = .single
        case "fr", "pt": self = .oneOrNone
        case "pl": self = .polish
        case "ar": self = .arabic
        default: self = .one
        }
    }

    /// The forms a sentence with a count has to have.
    var forms: Set<PluralForm> {
        switch self {
        case .single: [.other]
        case .one, .oneOrNone: [.one, .other]
        case .polish: [.one, .few, .many]
        case .arabic: Set(PluralForm.allCases)
        }
    }

    func form(for count: Int) -> PluralForm {
        let count = count.magnitude
        switch self {
        case .single: return .other
        case .one: return count == 1 ? .one : .other
        case .oneOrNone: return count <= 1 ? .one : .other
        case .polish:
            if count == 1 { return .one }
            return (2...4).contains(count % 10) && !(12...14).contains(count % 100) ? .few : .many
        case .arabic:
            switch (count, count % 100) {
            case (0, _): return .zero
            case (1, _): return .one
            case (2, _): return .two
            case (_, 3...10): return .few
            case (_, 11...99): return .many
            default: return .other
            }
        }
    }
}
