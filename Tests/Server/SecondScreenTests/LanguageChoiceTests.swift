import Clientless
import HTTPServer
import Testing

@Suite("Choosing a language", .fixture)
struct LanguageChoiceTests {
    private let browser = Browser(fixture)

    @Test func `Every page offers it, comes back in it, and the browser keeps it`() async throws {
        let code = try await fixture.code()
        browser.headers = [("Accept-Language", "fr")]
        var languages = ["de", "ja", "ar", "pl"]
        func choose(_ address: String) async throws {
            let language = languages.removeFirst()
            languages.append(language)
            let form = try #require(browser.page.form("/activate/language"), "\(address)")
            await browser.post("/activate/language", form + [("language", language)]).expect(303, location: address)
            await browser.follow()
            #expect(browser.page.response.headers["Content-Language"] == language)
        }
        #expect(await browser.get("/").response.headers["Content-Language"] == "fr")
        try await choose("/")
        #expect(await browser.get("/activate").response.headers["Content-Language"] == "de")
        try await choose("/activate")
        await browser.get("/activate?code=\(code.text)")
        try await choose("/activate?code=\(code.grouped)")
        #expect(browser.page.text.contains(#"name="code" value="\#(code.text)""#))
        await browser.get("/activate/provider?code=\(code.text)")
        try await choose("/activate/provider?code=\(code.grouped)")
        try await browser.submit("/activate/provider", [("mvpd", "CedarCable")])
        try await choose(browser.page.path)
        // The answer to a form leads back to the form.
        let signIn = browser.page.path
        try await browser.signIn(password: "wrong")
        try await choose(signIn)
        try await browser.signIn()
        try await choose(browser.page.path)
        try await browser.decide("confirm")
        try await choose(browser.page.path)
        #expect(try await fixture.isSignedIn(code))
        await browser.get("/activate/declined")
        try await choose("/activate/declined")
        await browser.get("/nowhere").expect(404)
        try await choose("/")
    }

    @Test func `A code typed wrongly stays in the field`() async throws {
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", "7kq \"x")])
        let form = try #require(browser.page.form("/activate/language"))
        await browser.post("/activate/language", form + [("language", "nl")]).expect(
            location: "/activate?code=7kq%20%22x")
    }

    @Test func `The cookie holds a tag, lasts a year, and is for this server alone`() async throws {
        for isSecure in [false, true] {
            try await ScreenFixture.with(.init(isSecure: isSecure)) { fixture in
                let browser = Browser(fixture)
                await browser.get("/")
                let answer = await browser.post("/activate/language", [("language", "sv")])
                let attributes = "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
                let (prefix, end) = isSecure ? ("__Host-", "; Secure") : ("", "")
                let expected = "\(prefix)latchkey-language=sv; \(attributes)\(end)"
                #expect(answer.response.headers.all("Set-Cookie") == [expected])
            }
        }
    }

    @Test(arguments: ["", "xx", "DE", "de-AT", "../en", "%00"])
    func `A cookie that names no language of ours changes nothing`(_ value: String) async throws {
        browser.headers = [("Accept-Language", "es")]
        browser.cookies = ["latchkey-language": value]
        #expect(await browser.get("/activate").response.headers["Content-Language"] == "es")
    }

    @Test(
        "A language or a place that is not ours is refused or left out",
        arguments: [
            ([("language", "xx")], 400, nil), ([], 400, nil), ([("language", "de"), ("language", "fr")], 400, nil),
            ([("language", "de")], 303, "/"), ([("language", "de"), ("page", "https://evil.example/")], 303, "/"),
            ([("language", "de"), ("page", "//evil.example")], 303, "/"),
            ([("language", "de"), ("page", "/activate/decline")], 303, "/activate"),
            ([("language", "de"), ("page", "/activate/go"), ("attempt", "a")], 303, "/activate/go?attempt=a"),
            (
                [("language", "de"), ("page", "/activate/decline"), ("attempt", "a")], 303,
                "/activate/sign-in?attempt=a"
            ),
            (
                [("language", "de"), ("page", "/activate"), ("code", "a&b=\r\nX: y")], 303,
                "/activate?code=a%26b%3D%20X%3A%20y"
            ),
            ([("language", "de"), ("page", "/activate/confirm"), ("code", "BBBBBBB")], 303, "/activate/confirm"),
        ] as [([(String, String)], Int, String?)])
    func foreign(_ fields: [(String, String)], status: Int, location: String?) async throws {
        await browser.post("/activate/language", fields).expect(status, location: location)
    }

    @Test(arguments: [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")])
    func `A form of another site changes no language`(_ name: String, value: String) async throws {
        await browser.get("/")
        await browser.post(
            "/activate/language", [("language", "de")], headers: [(name: name, value: value)]
        ).expect(403)
        #expect(browser.cookies["latchkey-language"] == nil)
    }
}
