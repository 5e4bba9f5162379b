import Clientless
import Entitlement
import HTTPServer
import Phrases
import ServerAPI
import Testing
import WebPages

@Suite("The pages in every language", .fixture)
struct LanguagePagesTests {
    private let browser = Browser(fixture)

    static let languages: [String] = WebFiles.locales.map { String($0.name.prefix { $0 != "." }) }

    @Test("say everything, in their language and its direction", arguments: LanguagePagesTests.languages)
    func rendered(_ language: String) async throws {
        let direction = language == "ar" ? "rtl" : "ltr"
        let english = try Phrasebook(try #require(WebFiles.locales.first { $0.name == "en.json" }))
        let phrases = english.keys.compactMap { english.plain($0) }.filter { $0.utf8.count > 24 && !$0.contains("{") }
        try await MarkupTests.visitAll(in: language) { name, document in
            #expect(document.contains(#"<html lang="\#(language)" dir="\#(direction)">"#), "\(name)")
            #expect(!document.contains("{"), "\(name)")
            #expect(document.matches(of: /<h1[^>]*>\s*<\/h1>/).isEmpty, "\(name)")
            // But where clients without a browser take the first form.
            let choices = name == "hand-over-form" ? 0 : 1
            #expect(document.ranges(of: #"aria-current="true""#).count == choices, "\(name)")
            guard language != "en" else { return }
            for phrase in phrases {
                #expect(!document.contains(">\(HTML(escaping: phrase).markup)<"), "\(name): \(phrase)")
            }
        }
    }

    @Test func `are well-formed also from right to left`() async throws {
        try await MarkupTests.visitAll(in: "ar") { name, document in
            let isAccepted = try await Xmllint.accepts(document)
            #expect(isAccepted, "\(name)")
        }
    }

    @Test(
        "weigh at most 24 KB at the first visit, with all they link to and the header fields",
        arguments: LanguagePagesTests.languages)
    func weight(_ language: String) async throws {
        let code = try await fixture.code()
        browser.headers = [("Accept-Language", language)]
        await browser.get("/")
        try await Self.weigh(browser)
        await browser.get("/activate?code=\(code.text)")
        try await Self.weigh(browser)
        try await browser.walkToConfirmation(code.text)
        try await Self.weigh(browser)
    }

    private static func weigh(_ browser: Browser) async throws {
        let page = browser.page
        let paths = Set(page.text.matches(of: /(?:href|src)="(\/assets\/[^"]+)"/).map { String($0.1) })
        #expect(paths.count >= 4)
        var bytes = self.bytes(of: page.response)
        for path in paths { bytes += self.bytes(of: await browser.get(path).response) }
        #expect(bytes <= 24 * 1024, "\(page.path): \(bytes)")
    }

    private static func bytes(of response: HTTPResponse) -> Int {
        response.headers.fields.reduce(response.body.count + 64) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    @Test func `isolate codes, networks and names from text that runs the other way`() async throws {
        let code = try await fixture.code()
        browser.headers = [("Accept-Language", "ar")]
        await browser.get("/activate").expect(contains: #"<input class="code-field" dir="ltr""#)
        await browser.get("/activate?code=\(code.text)").expect(
            contains: #"<bdi class="code-word" dir="ltr">\#(code.grouped)</bdi>"#)
        try await browser.walkToConfirmation(code.text).expect(
            contains: #"<p class="code"><bdi dir="ltr">\#(code.grouped)</bdi></p>"#, #"<bdi dir="ltr">192.0.2.x</bdi>"#,
            "<bdi>Living room</bdi>")
    }

    @Test(
        "tell a day in the order of the language when a code was not asked for today",
        arguments: [
            ("en", "9 hours ago, 1 January 2026, 14:32 UTC"), ("de", "Vor 9 Stunden, 1. Januar 2026, 14:32 Uhr UTC"),
            ("fr", "Il y a 9 heures, 1er janvier 2026 à 14:32 (UTC)"),
            ("sv", "För 9 timmar sedan, 1 januari 2026 kl. 14:32 UTC"),
            ("es", "Hace 9 horas, 1 de enero de 2026, 14:32 (UTC)"),
            ("pt", "Há 9 horas, 1º de janeiro de 2026, 14:32 (UTC)"),
            ("it", "9 ore fa, 1º gennaio 2026, 14:32 (UTC)"), ("nl", "9 uur geleden, 1 januari 2026, 14:32 uur UTC"),
            ("pl", "9 godzin temu, 1 stycznia 2026, 14:32 czasu UTC"),
            ("tr", "9 saat önce, 1 Ocak 2026, saat 14:32 UTC"),
            ("ja", "9時間前、2026年1月1日 14:32（UTC）"), ("ar", "قبل 9 ساعات، 1 يناير 2026، 14:32 بالتوقيت العالمي"),
        ])
    func dates(_ language: String, words: String) async throws {
        let code = try await fixture.code(lifetime: .seconds(36_000))
        fixture.advance(by: .seconds(35_000))
        browser.headers = [("Accept-Language", language)]
        try await browser.walkToConfirmation(code.text).expect(shows: words)
    }

    @Test("answer a wrong password in the viewer's language, and tell the box the provider's sentence")
    func refusal() async throws {
        let code = try await fixture.code()
        browser.headers = [("Accept-Language", "de")]
        try await browser.walkToSignIn(code.text)
        try await browser.signIn(account: "nobody", password: "x").expect(
            alert: "Cedar Cable hat das nicht angenommen. Bitte prüfen Sie Kontoname und Passwort.")
        guard case .open(_, refusal: "A sentence for boxes.") = try await fixture.standing(of: code)
        else { return #expect(Bool(false), "the box is not told the provider's sentence") }
    }
}
