import Clientless
import HTTPServer
import ServerAPI
import Testing

@Suite("Signing in with less to type", .fixture)
struct SignInComfortTests {
    private let browser = Browser(fixture)

    private static func cookies(_ page: ShownPage) -> [String] {
        page.response.headers.all("Set-Cookie").filter { $0.contains("latchkey-account=") }
    }

    /// Sends the sign-in form and follows nothing.
    private static func sign(_ browser: Browser, _ account: String, _ fields: [(String, String)] = []) async throws {
        let form = try #require(browser.page.form("/activate/sign-in"))
        await browser.post("/activate/sign-in", form + [("account", account), ("password", "right")] + fields)
    }

    private static func account(_ page: ShownPage) -> String? {
        page.text.firstMatch(of: /<input id="account"[^>]* value="([^"]*)"/).map { ShownPage.unescaped(String($0.1)) }
    }

    @Test("the account's name is kept in this browser when the viewer wants it, and for this provider alone")
    func remembered() async throws {
        try await browser.walkToSignIn(try await fixture.code().text)
        #expect(Self.account(browser.page) == "")
        try await Self.sign(browser, "ada \u{E9}\"<", [("remember", "yes")])
        let cookie = try #require(Self.cookies(browser.page).first)
        #expect(cookie.hasSuffix("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"))
        #expect(!cookie.contains("ada"))
        try await browser.walkToSignIn(try await fixture.code().text)
        #expect(Self.account(browser.page) == "ada \u{E9}\"<")
        #expect(browser.page.text.contains(#"value="yes" checked="checked""#))
        // The password is asked for all the same.
        #expect(browser.page.text.contains(#"<input id="password" name="password" type="password""#))
        try await browser.walkToSignIn(try await fixture.code().text, mvpd: "HarborFiber")
        #expect(Self.account(browser.page) == "")
    }

    @Test("it is not kept without the wish or after a wrong password, and forgotten when the wish is gone")
    func forgotten() async throws {
        try await browser.walkToSignIn(try await fixture.code().text)
        try await Self.sign(browser, "silent", [("remember", "yes")])
        #expect(Self.cookies(browser.page).isEmpty)
        #expect(browser.page.text.contains(#"value="yes" checked="checked""#))
        try await Self.sign(browser, "ada")
        #expect(Self.cookies(browser.page).isEmpty)
        try await browser.walkToSignIn(try await fixture.code().text)
        try await Self.sign(browser, "ada", [("remember", "yes")])
        try await browser.walkToSignIn(try await fixture.code().text)
        try await Self.sign(browser, "ada")
        let forgetting = "latchkey-account=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        #expect(Self.cookies(browser.page) == [forgetting])
    }

    @Test("a cookie that makes no sense fills nothing in", arguments: ["", "AAAA", "Q2VkYXJDYWJsZQ", "%%%"])
    func badCookie(_ value: String) async throws {
        browser.cookies = ["latchkey-account": value]
        try await browser.walkToSignIn(try await fixture.code().text)
        #expect(Self.account(browser.page) == "")
    }

    @Test func `the operator's help is beside the form, where there is one`() async throws {
        for address in [nil, "https://north.example/help"] as [String?] {
            try await ScreenFixture.with(.init(branding: { $0.branding.helpURL = address })) { fixture in
                let browser = Browser(fixture)
                try await browser.walkToSignIn(try await fixture.code().text)
                #expect(browser.page.shows("Trouble signing in? Get help") == (address != nil))
            }
        }
    }
}
