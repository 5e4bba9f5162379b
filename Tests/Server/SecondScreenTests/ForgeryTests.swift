import Clientless
import Testing

@Suite("A form that was not sent from a page this browser was shown", .fixture)
struct ForgeryTests {
    private let browser = Browser(fixture)

    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var headers: [(name: String, value: String)] = []
        var token: String? = nil
        var dropsCookie = false
        let isRefused: Bool
    }

    static let forgeries = [
        Forgery(testDescription: "nothing forged", isRefused: false),
        Forgery(testDescription: "no token", token: "", isRefused: true),
        Forgery(testDescription: "a made-up token", token: String(repeating: "A", count: 43), isRefused: true),
        Forgery(
            testDescription: "a made-up token of the right length", token: String(repeating: "A", count: 86),
            isRefused: true),
        Forgery(
            testDescription: "a token that is far too long", token: String(repeating: "A", count: 96), isRefused: true),
        Forgery(testDescription: "a token that is not Base64", token: "%%%", isRefused: true),
        Forgery(testDescription: "no cookie", dropsCookie: true, isRefused: true),
        Forgery(testDescription: "a foreign site", headers: [("Sec-Fetch-Site", "cross-site")], isRefused: true),
        Forgery(testDescription: "a sibling host", headers: [("Sec-Fetch-Site", "same-site")], isRefused: true),
        Forgery(testDescription: "no site", headers: [("Sec-Fetch-Site", "none")], isRefused: true),
        Forgery(
            testDescription: "our own site", headers: [("Sec-Fetch-Site", "same-origin"), ("Origin", "null")],
            isRefused: false),
        Forgery(testDescription: "a foreign origin", headers: [("Origin", "https://evil.example")], isRefused: true),
        Forgery(testDescription: "another port", headers: [("Origin", "https://tv.example:444")], isRefused: true),
        Forgery(
            testDescription: "an origin that begins alike", headers: [("Origin", "https://tv.example.evil")],
            isRefused: true),
        Forgery(testDescription: "our own origin", headers: [("Origin", "https://tv.example")], isRefused: false),
        Forgery(testDescription: "an origin that says nothing", headers: [("Origin", "null")], isRefused: false),
    ]

    @Test("Is refused with a page that helps", arguments: forgeries)
    func forged(_ forgery: Forgery) async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        var form = try #require(browser.page.form("/activate"))
        if let token = forgery.token { form = [("form_token", token)] }
        if forgery.dropsCookie { browser.cookies = [:] }
        await browser.post("/activate", form + [("code", code.text)], headers: forgery.headers).expect(
            forgery.isRefused ? 403 : 303)
        if forgery.isRefused { #expect(browser.page.heading == "Let us start over") }
    }

    @Test func `Is refused with the token of another browser`() async throws {
        let code = try await fixture.code()
        let victim = Browser(fixture)
        let attacker = Browser(fixture)
        await victim.get("/activate")
        await attacker.get("/activate")
        let form = try #require(attacker.page.form("/activate"))
        #expect(await victim.post("/activate", form + [("code", code.text)]).status == 403)
    }

    @Test("Is refused with the token of another form, for every form")
    func otherForm() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        var tokens = ["/activate": try #require(browser.page.form("/activate")?.first?.1)]
        await browser.get("/activate/provider?code=\(code.text)")
        for action in ["/activate/provider", "/activate/decline"] {
            tokens[action] = try #require(browser.page.form(action)?.first?.1)
        }
        try await browser.submit("/activate/provider", [("mvpd", "CedarCable")])
        tokens["/activate/sign-in"] = try #require(browser.page.form("/activate/sign-in")?.first?.1)
        try await browser.signIn()
        tokens["/activate/confirm"] = try #require(browser.page.form("/activate/confirm")?.first?.1)
        #expect(Set(tokens.values).count == 5)
        for action in tokens.keys {
            for (other, token) in tokens where other != action {
                let page = await browser.post(action, [("form_token", token), ("code", code.text)])
                #expect(page.status == 403, "\(action) with the token of \(other)")
            }
        }
    }

    @Test func `An address with a login's token opens nothing in another browser`() async throws {
        let code = try await fixture.code()
        let confirmation = try await browser.walkToConfirmation(code.text)
        let thief = Browser(fixture)
        await thief.get("/activate")
        await thief.get(confirmation.path).expect(403)
        #expect(!thief.page.text.contains("Living room"))
        #expect(!thief.page.text.contains(code.grouped))
    }

    @Test("A parameter that is there twice is refused", arguments: ["/activate?code=A&code=B"])
    func twice(_ path: String) async throws {
        #expect(await browser.get(path).status == 400)
        await browser.get("/activate")
        let form = try #require(browser.page.form("/activate"))
        #expect(await browser.post("/activate", form + [("code", "A"), ("code", "B")]).status == 400)
    }
}
