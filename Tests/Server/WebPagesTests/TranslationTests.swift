import Phrases
import ServerAPI
import Testing
import WebPages

@Suite("The sentences of every language")
struct TranslationTests {
    static func phrasebook(_ language: String) throws -> Phrasebook {
        try Phrasebook(try #require(WebFiles.locales.first { $0.name == "\(language).json" }))
    }

    @Test func `are those of twelve languages, English first`() throws {
        #expect(WebFiles.locales.map { $0.name } == Translations.all.map { "\($0).json" })
        let library = try PageLibrary(assets: try AssetCatalogue(WebFiles.assets))
        #expect(Set(library.languages) == Set(Translations.all))
        #expect(library.languages.first == "en")
    }

    @Test(arguments: Translations.others)
    func `lack none, and have the placeholders and the counted forms of English`(_ language: String) throws {
        let english = try Self.phrasebook("en")
        let own = try Self.phrasebook(language)
        #expect(own.keys == english.keys)
        for key in english.keys {
            let (wanted, found) = (try #require(english.shape(of: key)), try #require(own.shape(of: key)))
            #expect(found.placeholders == wanted.placeholders, "\(key)")
            #expect(found.isCounted == wanted.isCounted, "\(key)")
        }
    }

    @Test(arguments: Translations.others) func `are English by intention only`(_ language: String) throws {
        let english = try Self.phrasebook("en")
        let own = try Self.phrasebook(language)
        let same = Set(english.keys.filter { english.plain($0)?.lowercased() == own.plain($0)?.lowercased() })
        #expect(same == (Translations.shared[language] ?? []))
    }

    @Test(arguments: Translations.others)
    func `say two things in two ways, so that none was copied to a wrong place`(_ language: String) throws {
        let english = try Self.phrasebook("en")
        let own = try Self.phrasebook(language)
        var keys: [String: [String]] = [:]
        for key in own.keys where !key.hasPrefix("month.") { keys[own.plain(key) ?? "", default: []].append(key) }
        for (sentence, group) in keys where group.count > 1 && sentence.utf8.count > 24 {
            #expect(Set(group.map { english.plain($0) }).count == 1, "\(group): \(sentence)")
        }
    }

    @Test("are plain text of one line, without blanks at the ends", arguments: Translations.all)
    func tidy(_ language: String) throws {
        let book = try Self.phrasebook(language)
        for key in book.keys where key != "list.separator" {
            let sentence = try #require(book.plain(key))
            #expect(!sentence.isEmpty && sentence.first != " " && sentence.last != " ", "\(key)")
            for mark in ["<", ">", "\n", "\t", "  ", "\"", "\u{202B}", "\u{200F}"] {
                #expect(!sentence.contains(mark), "\(key)")
            }
        }
    }

    @Test("keep a date on one line, and a time with the words beside it", arguments: Translations.all)
    func unbroken(_ language: String) throws {
        let book = try Self.phrasebook(language)
        #expect(try #require(book.plain("clock.utc")).contains(" ") == false, "a no-break space")
        // In a narrow column a date that cannot break at its blanks would break within the year.
        for key in ["date.long", "date.first"] {
            #expect(try #require(book.plain(key)).contains("\u{A0}") == false, "a blank in \(key)")
        }
    }

    @Test(
        arguments: [
            ("en", [0: "0 minutes ago", 1: "1 minute ago", 2: "2 minutes ago"]),
            ("de", [0: "Vor 0 Minuten", 1: "Vor 1 Minute", 21: "Vor 21 Minuten"]),
            ("fr", [0: "Il y a 0 minute", 1: "Il y a 1 minute", 2: "Il y a 2 minutes"]),
            ("sv", [1: "För 1 minut sedan", 2: "För 2 minuter sedan"]),
            ("es", [0: "Hace 0 minutos", 1: "Hace 1 minuto", 2: "Hace 2 minutos"]),
            ("pt", [0: "Há 0 minuto", 1: "Há 1 minuto", 2: "Há 2 minutos"]),
            ("it", [1: "1 minuto fa", 5: "5 minuti fa"]),
            ("nl", [1: "1 minuut geleden", 5: "5 minuten geleden"]),
            (
                "pl",
                [
                    0: "0 minut temu", 1: "1 minutę temu", 2: "2 minuty temu", 4: "4 minuty temu", 5: "5 minut temu",
                    12: "12 minut temu", 14: "14 minut temu", 21: "21 minut temu", 22: "22 minuty temu",
                    112: "112 minut temu", 122: "122 minuty temu",
                ]
            ),
            ("tr", [1: "1 dakika önce", 5: "5 dakika önce"]),
            ("ja", [1: "1分前", 5: "5分前"]),
            (
                "ar",
                [
                    0: "قبل 0 دقيقة", 1: "قبل دقيقة واحدة", 2: "قبل دقيقتين", 3: "قبل 3 دقائق", 10: "قبل 10 دقائق",
                    11: "قبل 11 دقيقة", 99: "قبل 99 دقيقة", 100: "قبل 100 دقيقة", 103: "قبل 103 دقائق",
                ]
            ),
        ] as [(String, [Int: String])])
    func `take the form that the language has for a number`(_ language: String, words: [Int: String]) throws {
        for (count, sentence) in words {
            let body = try TestLibrary.render(
                "<p>{{say ago.minutes}}</p>", ["count": .number(count)], language: language)
            #expect(body == "<p>\(sentence)</p>")
        }
    }

    @Test("are written from right to left in Arabic alone", arguments: Translations.all)
    func direction(_ language: String) throws {
        #expect(try Self.phrasebook(language).direction == (language == "ar" ? "rtl" : "ltr"))
    }
}

private enum Translations {
    static let all: [String] = ["en", "de", "fr", "sv", "es", "pt", "it", "nl", "pl", "tr", "ja", "ar"]
    static let others: [String] = all.filter { $0 != "en" }

    /// What is written as in English on purpose.
    static let shared: [String: Set<String>] = [
        "de": [
            "errors.codes", "title.problem", "confirm.name", "list.separator", "month.4", "month.8", "month.9",
            "month.11", "place.in",
        ],
        "fr": ["date.long", "errors.codes", "list.separator"],
        "sv": [
            "title.problem", "date.long", "date.first", "list.separator", "month.4", "month.9", "month.11",
            "month.12",
        ],
        "es": ["list.separator"],
        "pt": ["list.separator"],
        "it": ["layout.privacy", "signIn.password", "date.long", "list.separator", "place.in"],
        "nl": [
            "errors.codes", "layout.privacy", "confirm.model", "date.long", "date.first", "list.separator", "month.4",
            "month.9",
            "month.11", "month.12", "place.in",
        ],
        "pl": ["title.problem", "confirm.model", "date.long", "date.first", "list.separator"],
        "tr": ["date.long", "date.first", "list.separator"],
        "ja": [],
        "ar": ["date.long", "date.first"],
    ]
}
