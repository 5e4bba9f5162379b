import Phrases

/// The box's sentences for a viewer, in one language.
struct BoxPhrases: Sendable {
    /// The tags (RFC 5646) of all languages, English first.
    static var languages: [String] { BoxLocales.languages }

    static let english = BoxPhrases(book: Self.book("en") ?? Phrasebook(language: "en"))

    private let book: Phrasebook

    /// A file's sentences alone, without English if one is missing.
    /// - Returns: `nil` for a language there is no file of, or a file that is malformed.
    static func book(_ language: String) -> Phrasebook? {
        BoxLocales.bytes(language).flatMap { try? Phrasebook(language: language, $0) }
    }

    var language: String { self.book.language }
    var isRightToLeft: Bool { self.book.direction == "rtl" }

    /// Every character that the sentences may need of a font beyond ASCII.
    var foreignCharacters: String {
        let texts = self.book.keys.flatMap { self.book.forms($0) }
        return String(String.UnicodeScalarView(Set(texts.joined().unicodeScalars.filter { !$0.isASCII }).sorted()))
    }

    /// A sentence.
    /// - Parameters:
    ///   - values: what stands in the places of its placeholders, fit for a terminal.
    ///   - count: the number that chooses among its forms, where it has some.
    func say(_ phrase: BoxPhrase, _ values: [String: String] = [:], count: Int? = nil) -> String {
        self.book.text(phrase.rawValue, values, count: count) ?? phrase.rawValue
    }
}

extension BoxPhrases {
    /// - Parameter language: one of ``languages``; English for any other.
    init(language: String) {
        let english = Self.english.book
        let own = language == "en" ? nil : Self.book(language)
        self.init(book: own.flatMap { try? $0.completed(by: english) } ?? english)
    }

    /// The language of ``languages`` that fits a tag such as `de-CH`; `nil` if none does.
    static func language(fitting tag: String) -> String? {
        tag.utf8.count <= 64 ? languageFitting(tag, among: self.languages) : nil
    }

    /// The language that the locale of the environment asks for: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
    /// not empty decides (POSIX.1-2017, XBD 8.2).
    /// - Returns: `nil` if no locale is set, for `C` and `POSIX`, and for a language that the box does not speak.
    static func language(ofEnvironment environment: [String: String]) -> String? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        return names.first { !$0.isEmpty }.flatMap { languageTag(ofLocale: $0) }.flatMap { self.language(fitting: $0) }
    }
}
