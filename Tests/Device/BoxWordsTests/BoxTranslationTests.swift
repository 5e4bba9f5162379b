import FoundationEssentials
import Phrases
import TestSupport
import Testing

@testable import latchkey

@Suite("The box's sentences in every language")
struct BoxTranslationTests {
    static let others: [String] = BoxPhrases.languages.filter { $0 != "en" }
    private static let folder = ProjectFolder.file("Sources/Device/latchkey/BoxWords/locales")

    static func book(_ language: String) throws -> Phrasebook { try #require(BoxPhrases.book(language)) }

    @Test func `are those of the files of their folder, which are the twelve languages of the pages`() throws {
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: Self.folder).sorted()
        #expect(names == BoxPhrases.languages.map { "\($0).json" }.sorted())
        #expect(try manager.contentsOfDirectory(atPath: Self.pages).sorted() == names)
        for language in BoxPhrases.languages {
            let data = try #require(manager.contents(atPath: "\(Self.folder)/\(language).json"))
            let book = try Self.book(language)
            let ofFile = try Phrasebook(language: language, Array(data))
            #expect(book.keys == ofFile.keys && book.keys.allSatisfy { book.plain($0) == ofFile.plain($0) })
        }
    }

    private static let pages = ProjectFolder.file("web/locales")

    @Test("lack none that the box says, and have no other", arguments: BoxPhrases.languages)
    func complete(_ language: String) throws {
        #expect(try Self.book(language).keys == BoxPhrase.allCases.map(\.rawValue).sorted())
    }

    @Test(
        "have the placeholders of English in every form, and forms for numbers where English has them",
        arguments: others)
    func placeholders(_ language: String) throws {
        let (english, own) = (try Self.book("en"), try Self.book(language))
        for key in english.keys {
            let (wanted, found) = (try #require(english.shape(of: key)), try #require(own.shape(of: key)))
            #expect(found.placeholders == wanted.placeholders, "\(key)")
            #expect(found.isCounted == wanted.isCounted, "\(key)")
            // A form for one or two may say its number as a word; no form may drop anything else.
            for form in own.forms(key) {
                for name in wanted.placeholders where name != "count" { #expect(form.contains("{\(name)}"), "\(key)") }
            }
        }
    }

    @Test(arguments: others) func `are English by intention only`(_ language: String) throws {
        let (english, own) = (try Self.book("en"), try Self.book(language))
        let same = english.keys.filter { english.plain($0)?.lowercased() == own.plain($0)?.lowercased() }
        #expect(same == (language == "ja" ? [] : ["step.line"]))
    }

    @Test("say two things in two ways, so that none was copied to a wrong place", arguments: others)
    func distinct(_ language: String) throws {
        let (english, own) = (try Self.book("en"), try Self.book(language))
        var keys: [String: [String]] = [:]
        for key in own.keys { keys[own.plain(key) ?? "", default: []].append(key) }
        for (sentence, group) in keys where group.count > 1 {
            #expect(Set(group.map { english.plain($0) }).count == 1, "\(group): \(sentence)")
        }
    }

    @Test("are plain text of one line, and leave commands and settings as they are", arguments: BoxPhrases.languages)
    func tidy(_ language: String) throws {
        let (english, own) = (try Self.book("en"), try Self.book(language))
        for key in own.keys {
            for form in own.forms(key) {
                #expect(!form.isEmpty && form.first != " " && form.last != " ", "\(key)")
                for mark in ["\n", "\t", "\u{1B}", "  ", "\"", "\u{202B}", "\u{200E}", "\u{200F}"] {
                    #expect(!form.contains(mark), "\(key)")
                }
                let original = english.plain(key) ?? ""
                for word in [
                    "'latchkey pair'", "'latchkey pair --again'", "'timedatectl set-ntp true'", "certificateAuthority",
                ] where original.contains(word) {
                    #expect(form.contains(word), "\(key)")
                }
            }
        }
    }

    @Test func `count as their language does`() {
        func busy(_ language: String, _ seconds: Int) -> String {
            BoxPhrases(language: language).say(.troubleBusyFor, ["server": "tv.example"], count: seconds)
        }
        #expect(busy("en", 1) == "tv.example is busy. Please try again in 1 second.")
        #expect(busy("de", 30).hasSuffix(" in 30 Sekunden noch einmal."))
        #expect(busy("fr", 1).hasSuffix(" dans 1 seconde."))
        #expect(busy("pl", 22).hasSuffix(" za 22 sekundy.") && busy("pl", 25).hasSuffix(" za 25 sekund."))
        #expect(busy("ja", 5).contains("5 秒後"))
        #expect(busy("ar", 2).hasSuffix("بعد ثانيتين.") && busy("ar", 11).hasSuffix("بعد 11 ثانية."))
    }

    @Test func `put values where the language has their places, and nothing into them`() {
        let values = ["server": "{time}", "time": "1970-01-01T00:00:00Z"]
        let sentence = BoxPhrases(language: "ja").say(.clockEarly, values)
        #expect(sentence.contains("1970-01-01T00:00:00Z") && sentence.contains("{time} の証明書"))
    }
}

@Suite("The language of the box")
struct BoxLanguageTests {
    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "pt_BR.UTF-8"], "pt"), (["LANG": "sr_RS@latin"], nil),
            (["LANG": "ar"], "ar"), (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil), (["LANG": ""], nil),
            ([:], nil), (["LC_ALL": "fr_FR.UTF-8", "LC_MESSAGES": "it_IT.UTF-8", "LANG": "de_DE.UTF-8"], "fr"),
            (["LC_ALL": "", "LC_MESSAGES": "it_IT.UTF-8", "LANG": "de_DE.UTF-8"], "it"),
            (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], nil), (["LC_CTYPE": "ja_JP.UTF-8"], nil),
            (["LANG": "../../de"], nil), (["LANG": "de\u{1B}[2J"], nil),
            (["LANG": "de_" + String(repeating: "x", count: 80)], nil), (["LANG": "ja_JP.eucJP"], "ja"),
        ] as [([String: String], String?)])
    func `is that of the first variable of the locale that is set`(_ environment: [String: String], language: String?) {
        #expect(BoxPhrases.language(ofEnvironment: environment) == language)
    }

    @Test(
        arguments: [
            ("de", "de"), ("DE-ch", "de"), ("pt-BR", "pt"), ("xx", nil), ("", nil), ("-", nil), ("e", nil),
            (String(repeating: "de-", count: 40), nil),
        ] as [(String, String?)])
    func `is the best that fits a wish`(_ tag: String, language: String?) {
        #expect(BoxPhrases.language(fitting: tag) == language)
    }

    @Test func `is English where there is none of that name, and says every sentence`() {
        #expect(BoxPhrases(language: "xx").language == "en")
        for phrase in BoxPhrase.allCases {
            #expect(BoxPhrases(language: "xx").say(phrase) == BoxPhrases.english.say(phrase))
            #expect(BoxPhrases.english.say(phrase) != phrase.rawValue, "\(phrase)")
        }
    }

    @Test func `names the letters that a font needs for it`() {
        #expect(BoxPhrases.english.foreignCharacters.isEmpty)
        #expect(BoxPhrases(language: "pl").foreignCharacters.contains("ł"))
        #expect(BoxPhrases(language: "de").foreignCharacters.contains("ö"))
        #expect(BoxPhrases(language: "de").foreignCharacters.unicodeScalars.allSatisfy { !$0.isASCII })
    }
}
