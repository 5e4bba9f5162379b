import ServerAPI
import Testing
import WebPages

@Suite("Languages")
struct LanguageTests {
    static let other = [
        WebFile(name: "fr.json", bytes: Array(#"{"service.name": "Passe-partout"}"#.utf8)),
        WebFile(name: "pt-BR.json", bytes: Array(#"{"service.name": "Chave"}"#.utf8)),
        WebFile(name: "ar.json", bytes: Array(#"{"service.name": "مفتاح"}"#.utf8)),
    ]

    static func library() throws(TemplateFault) -> PageLibrary {
        try TestLibrary.make(main: "<p>{{say service.name}} {{say code.action}}</p>", locales: WebFiles.locales + other)
    }

    @Test(
        "A browser gets the best language it asks for, and English when there is none of them",
        arguments: [
            (nil, "en"), ("", "en"), ("*", "en"), ("de", "en"), ("fr", "fr"), ("FR-ca", "fr"), ("de, fr;q=0.5", "fr"),
            ("en;q=0.4, fr;q=0.8", "fr"), ("fr;q=0, en", "en"), ("pt-br", "pt-BR"), ("pt", "en"),
            ("fr;q=abc, ar;q=0.1", "ar"), ("en-GB,en;q=0.9,fr;q=0.8", "en"), (";;;,,;q=1", "en"),
        ] as [(String?, String)])
    func choice(_ header: String?, language: String) throws {
        #expect(try Self.library().language(for: header) == language)
    }

    @Test("A header of any length is read in bounded time")
    func longHeader() throws {
        let header = String(repeating: "de;q=0.1,", count: 100_000) + "fr"
        #expect(try Self.library().language(for: header) == "en")
    }

    @Test("The document names its language and its writing direction")
    func attributes() throws {
        #expect(try Self.library().render(TestPage(), in: "fr").contains(#"<html lang="fr" dir="ltr">"#))
        #expect(try Self.library().render(TestPage(), in: "ar").contains(#"<html lang="ar" dir="rtl">"#))
    }

    @Test("A sentence that a language lacks is said in English")
    func fallback() throws {
        #expect(try Self.library().render(TestPage(), in: "fr").contains("<p>Passe-partout Continue</p>"))
    }

    @Test(
        "A translation with a key or a placeholder that English has not is a fault",
        arguments: [
            (#"{"no.such": "x"}"#, "'no.such' is said nowhere"),
            (#"{"provider.lead": "{brand} {brnd}"}"#, "provider.lead: nothing is called '{brnd}'"),
            (#"{"provider.lead": "{brand"}"#, "provider.lead: a brace without its partner in “{brand”"),
            (#"{"provider.lead": "{a b}"}"#, "provider.lead: '{a b}' is not a placeholder"),
        ])
    func faults(_ json: String, message: String) {
        #expect(throws: TemplateFault(file: "xx.json", line: 0, message: message)) {
            try TestLibrary.make(
                main: "x", locales: WebFiles.locales + [WebFile(name: "xx.json", bytes: Array(json.utf8))])
        }
    }

    @Test("A file that is no object of sentences is a fault", arguments: ["", "[]", #"{"code.title": 1}"#, "{"])
    func malformed(_ json: String) {
        let fault = #expect(throws: TemplateFault.self) {
            try TestLibrary.make(
                main: "x", locales: WebFiles.locales + [WebFile(name: "xx.json", bytes: Array(json.utf8))])
        }
        #expect(fault?.file == "xx.json")
    }

    @Test("A sentence has a form for one and a form for many")
    func forms() throws {
        let main = "<p>{{say ago.minutes}}</p>"
        #expect(try TestLibrary.render(main, ["count": .number(1)]) == "<p>1 minute ago</p>")
        #expect(try TestLibrary.render(main, ["count": .number(2)]) == "<p>2 minutes ago</p>")
    }

    @Test("Every sentence is said somewhere, and every one that is said exists")
    func completeness() throws {
        let library = try PageLibrary(assets: try AssetCatalogue(WebFiles.assets))
        #expect(library.usedSentences == library.sentences)
    }
}
