import Phrases
import Testing
import WebPages

@testable import ServerAPI

@Suite("Languages")
struct LanguageTests {
    static let other = [
        WebFile(name: "fr.json", bytes: Array(#"{"layout.skip": "Passe-partout"}"#.utf8)),
        WebFile(name: "pt-BR.json", bytes: Array(#"{"layout.skip": "Chave"}"#.utf8)),
        WebFile(name: "ar.json", bytes: Array(#"{"layout.skip": "مفتاح"}"#.utf8)),
    ]

    static let english = WebFiles.locales.filter { $0.name == "en.json" }

    static func library() throws(TemplateFault) -> PageLibrary {
        try TestLibrary.make(main: "<p>{{say layout.skip}} {{say code.action}}</p>", locales: english + other)
    }

    @Test(
        "A browser gets the best language it asks for, and English when there is none of them",
        arguments: [
            (nil, "en"), ("", "en"), ("*", "en"), ("de", "en"), ("fr", "fr"), ("FR-ca", "fr"), ("de, fr;q=0.5", "fr"),
            ("en;q=0.4, fr;q=0.8", "fr"), ("fr;q=0, en", "en"), ("pt-br", "pt-BR"), ("pt", "en"),
            ("fr;q=abc, ar;q=0.1", "ar"), ("en-GB,en;q=0.9,fr;q=0.8", "en"), (";;;,,;q=1", "en"),
            // Weights as RFC 9110 12.4.2 writes them, and nothing else.
            ("ar;q=0.001, fr;q=0.002", "fr"), ("ar;q=1.000, fr", "ar"), ("en;q=0.5, fr ; Q=0.6", "fr"),
            ("fr;q=1.001, ar;q=0.1", "ar"), ("fr;q=inf, ar;q=0.1", "ar"), ("fr;q=0.0001, ar;q=0.1", "ar"),
            ("fr;q=.9, ar;q=0.1", "ar"), ("fr;q=, ar;q=0.1", "ar"), ("fr;q=1;q=1, ar;q=0.1", "ar"),
            ("fr;level=1, ar;q=0.1", "ar"), ("fr;q=0.000, ar;q=0.1", "ar"),
            // Each wish is shortened before the next one counts (RFC 4647 3.4), and `*` fits nothing.
            ("fr-x-tv-Deva, ar", "fr"), ("de-CH, *;q=0.9, ar;q=0.1", "ar"), ("pt-PT, ar;q=0.5", "ar"),
            ("pt-BR-x-home, ar", "pt-BR"), ("f, ar;q=0.1", "ar"), ("fr_FR, ar;q=0.1", "ar"), ("-, ar", "ar"),
            ("fr\u{E9}, ar", "ar"),
        ] as [(String?, String)])
    func choice(_ header: String?, language: String) throws {
        #expect(try Self.library().language(for: header) == language)
    }

    @Test func `A header of any length is read in bounded time`() throws {
        let header = String(repeating: "de;q=0.1,", count: 100_000) + "fr"
        #expect(try Self.library().language(for: header) == "en")
    }

    @Test func `Of a header that is too long the range at the cut does not count`() throws {
        // The 512th byte is the hyphen's: what was read would be French.
        let header = "xx;q=0.1," + String(repeating: " ", count: 500) + "fr-CA"
        #expect(header.utf8.count > 512)
        #expect(try Self.library().language(for: header) == "en")
    }

    @Test func `The document names its language and its writing direction`() throws {
        #expect(try TestLibrary.text(Self.library(), in: "fr").contains(#"<html lang="fr" dir="ltr">"#))
        #expect(try TestLibrary.text(Self.library(), in: "ar").contains(#"<html lang="ar" dir="rtl">"#))
    }

    @Test func `A sentence that a language lacks is said in English`() throws {
        #expect(try TestLibrary.text(Self.library(), in: "fr").contains("<p>Passe-partout Continue</p>"))
    }

    @Test(arguments: [
        (#"{"no.such": "x"}"#, "'no.such' is said nowhere"),
        (#"{"signIn.lead": "{brand} {brnd}"}"#, "signIn.lead: nothing is called '{brnd}'"),
        (#"{"signIn.lead": "{brand"}"#, "signIn.lead: a brace without its partner in “{brand”"),
        (#"{"signIn.lead": "{a b}"}"#, "signIn.lead: '{a b}' is not a placeholder"),
        (#"{"ago.hours": {"other": "{count}"}}"#, "ago.hours: its forms have to be one, other"),
        (
            #"{"ago.hours": {"one": "{count}", "few": "{count}", "other": "{count}"}}"#,
            "ago.hours: its forms have to be one, other"
        ),
    ])
    func `A translation with a key or a placeholder that English has not is a fault`(_ json: String, message: String) {
        #expect(throws: TemplateFault(file: "xx.json", line: 0, message: message)) {
            try TestLibrary.make(
                main: "x", locales: Self.english + [WebFile(name: "xx.json", bytes: Array(json.utf8))])
        }
    }

    @Test("A file that is no object of sentences is a fault", arguments: ["", "[]", #"{"code.title": 1}"#, "{"])
    func malformed(_ json: String) {
        let fault = #expect(throws: TemplateFault.self) {
            try TestLibrary.make(
                main: "x", locales: Self.english + [WebFile(name: "xx.json", bytes: Array(json.utf8))])
        }
        #expect(fault?.file == "xx.json")
    }

    @Test func `A sentence has a form for one and a form for many`() throws {
        let main = "<p>{{say ago.minutes}}</p>"
        #expect(try TestLibrary.render(main, ["count": .number(1)]) == "<p>1 minute ago</p>")
        #expect(try TestLibrary.render(main, ["count": .number(2)]) == "<p>2 minutes ago</p>")
    }

    @Test func `Every sentence is said somewhere, and every one that is said exists`() throws {
        let library = try PageLibrary(assets: try AssetCatalogue(WebFiles.assets))
        let inTemplates = library.templates.flatMap { Template.sentences(in: $0.nodes).map(\.key) }
        #expect(Set(inTemplates).union(PhraseKey.names) == Set(library.phrasebooks["en"]?.keys ?? []))
    }
}
