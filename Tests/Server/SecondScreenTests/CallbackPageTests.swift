import Clientless
import Entitlement
import HTTPServer
import ServerAPI
import Testing

@Suite("The way to a provider and back", .fixture(.init(harbor: AwayProvider()) { $0.allowsAnyRedirect = true }))
struct CallbackPageTests {
    private let browser = Browser(fixture)
    private let provider: AwayProvider

    init() throws {
        self.provider = try #require(fixture.domain.configured.providers[ScreenFixture.harbor] as? AwayProvider)
    }

    private static let answer = "/sp/login/HarborFiber"

    /// A browser that picked the provider and is about to leave.
    private func leaving(_ fixture: ScreenFixture) async throws -> (Browser, token: String) {
        let browser = Browser(fixture)
        try await browser.walkToSignIn(try await fixture.code().text, mvpd: "HarborFiber")
        #expect(browser.page.path.hasPrefix("/activate/go?attempt="))
        return (browser, String(try #require(browser.page.path.split(separator: "=").last)))
    }

    /// What a browser sends for a form of the provider's site.
    /// - Parameter isFollowed: whether the page's own form sends it once more, as its script does, with the cookie.
    private func crossSite(
        _ browser: Browser, to path: String = Self.answer, _ fields: [(String, String)], isFollowed: Bool = true
    ) async throws {
        let cookies = browser.cookies
        browser.cookies = [:]
        await browser.post(
            path, fields, headers: [("Origin", "https://harbor.example"), ("Sec-Fetch-Site", "cross-site")])
        // What the answer set would take the place of what the browser has.
        browser.cookies = cookies.merging(browser.cookies) { $1 }
        guard isFollowed, browser.page.status == 200 else { return }
        #expect(browser.page.text.contains(#"<button class="button" type="submit">Continue</button>"#))
        await browser.post("\(path)?again=yes", try #require(browser.page.form("\(path)?again=yes")))
    }

    @Test("by address: the picker's form leads to a page of ours, which leads on without a form or a script")
    func redirect() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", code.text)])
        let form = try #require(browser.page.form("/activate/provider"))
        await browser.post("/activate/provider", form + [("mvpd", "HarborFiber")]).expect(303)
        #expect(browser.page.location?.hasPrefix("/activate/go?attempt=") == true)
        await browser.follow().expect(200, heading: "On to Harbor Fiber")
        #expect(browser.page.response.headers["Refresh"] == "0; url=\(AwayProvider.address)")
        #expect(browser.page.text.contains(#"href="https://harbor.example/sign-in?client=1&amp;scope=tv""#))
        #expect(browser.page.response.headers["Content-Security-Policy"]?.contains("form-action 'self';") == true)
        let login = try #require(provider.logins.first)
        #expect(login.callback == "http://tve.example.net/sp/login/HarborFiber")
        #expect(login.reference == browser.page.path.split(separator: "=").last.map(String.init))
        // The password form of another kind of provider is never shown.
        await browser.get("/activate/sign-in?attempt=\(login.reference)").expect(
            location: "/activate/go?attempt=\(login.reference)")
    }

    @Test("by form: a page with a button, whose policy lets the provider redirect on")
    func form() async throws {
        let form = ProviderForm(
            to: "https://idp.harbor.example:8443/sso?x=1",
            [.init("SAMLRequest", #"PHg+"'<>&"#), .init("RelayState", "a b")])
        try await ScreenFixture.with(.init(harbor: AwayProvider(form))) { fixture in
            let (browser, _) = try await self.leaving(fixture)
            #expect(browser.page.status == 200 && browser.page.response.headers["Refresh"] == nil)
            let policy = try #require(browser.page.response.headers["Content-Security-Policy"])
            #expect(policy.contains("form-action 'self' https:;"))
            let fields = try #require(browser.page.form("https://idp.harbor.example:8443/sso?x=1"))
            #expect(fields.map(\.0) == ["SAMLRequest", "RelayState"] && fields.map(\.1) == [#"PHg+"'<>&"#, "a b"])
            #expect(browser.page.text.contains(#"<button class="button" type="submit">Continue</button>"#))
            // Clients without a browser send the first form of the page, with all its hidden fields.
            #expect(browser.page.text.matches(of: /<form\s/).count == 1)
            #expect(browser.page.text.matches(of: /<input\s/).count == 2)
        }
    }

    @Test("ends on the confirmation, and asks anew for another account and after I am done")
    func asksAnew() async throws {
        let (browser, token) = try await self.leaving(fixture)
        await browser.get("\(Self.answer)?code=ada&state=\(token)").expect(
            303, location: "/activate/confirm?attempt=\(token)")
        await browser.follow().expect(heading: "Is this TV in front of you?")
        try await browser.decide("confirm").expect(heading: "Done. Look at your TV")
        // Back, and reload: the page of the step where the login is.
        await browser.get("\(Self.answer)?code=ada&state=\(token)").expect(location: "/activate/done?attempt=\(token)")
        let next = try await fixture.code(device: "next").text
        await browser.get("/activate?code=\(next)").expect(303)
        // Another account, also once the TV of the last one is signed out.
        _ = try await fixture.domain.operations.deleteRecords(of: DeviceID("box")!, actor: "op", now: fixture.now)
        await browser.get("/activate/provider?code=\(next)&other=yes").expect(303)
        await browser.follow()
        try await browser.submit("/activate/provider", [("mvpd", "HarborFiber")])
        await browser.get("\(Self.answer)?code=bob&state=\(provider.logins[2].reference)")
        await browser.follow()
        try await browser.decide("confirm")
        try await browser.submit("/boxes/over")
        try await browser.submit("/boxes", [("mvpd", "HarborFiber")])
        try await browser.walkToSignIn(try await fixture.code(device: "last").text, mvpd: "HarborFiber")
        // So it does at a programmer's page.
        let code = try await fixture.code(requestor: ScreenFixture.strangeBrand, device: "other").text
        let names = "requestor_id=SOUTHSTAR&mso_id=HarborFiber&domain_name=adobe.com&redirect_url=https://a.example/"
        await browser.get("/api/v1/authenticate?reg_code=\(code)&\(names)").expect(302)
        #expect(provider.logins.map(\.asksAnew) == [nil, nil, true, true, true, true])
    }

    @Test(
        "ends on the confirmation, with an answer that comes as another site's form, and keeps the browser's cookie",
        .fixture(.init(isSecure: true, harbor: AwayProvider())))
    func answerByForm() async throws {
        let (browser, token) = try await self.leaving(fixture)
        let fields = [("code", "ada"), ("RelayState", token)]
        try await self.crossSite(browser, fields, isFollowed: false)
        #expect(browser.page.status == 200 && browser.page.response.headers["Set-Cookie"] == nil)
        #expect(browser.page.text.matches(of: /<form\s/).count == 1 && provider.answers.isEmpty)
        try await self.crossSite(browser, fields)
        #expect(browser.page.status == 303)
        await browser.follow().expect(heading: "Is this TV in front of you?")
        #expect(provider.answers.map(\.method) == [.post])
        // Sent again, and reloaded.
        try await self.crossSite(browser, [("code", "ada"), ("RelayState", token)])
        await browser.follow().expect(heading: "Is this TV in front of you?")
        #expect(provider.answers.count == 1)
    }

    @Test("in another browser is told so, and opens nothing")
    func otherBrowser() async throws {
        let (browser, token) = try await self.leaving(fixture)
        let other = try Browser(fixture, address: "198.51.100.9")
        await other.get("\(Self.answer)?code=eve&state=\(token)").expect(403, heading: "You began in another browser")
        try await self.crossSite(other, [("code", "eve"), ("state", token)])
        #expect(other.page.heading == "You began in another browser" && provider.answers.isEmpty)
        try await self.crossSite(browser, [("code", "ada"), ("state", token)])
        await browser.follow().expect(heading: "Is this TV in front of you?")
        #expect(provider.answers.map { $0["code"] } == ["ada"])
    }

    @Test("with an answer of another provider is refused: answers do not mix")
    func mixUp() async throws {
        let (browser, token) = try await self.leaving(fixture)
        await browser.get("/sp/login/CedarCable?code=ada&state=\(token)").expect(
            400, heading: "This sign-in took too long")
        try await self.crossSite(browser, to: "/sp/login/CedarCable", [("code", "ada"), ("state", token)])
        #expect(browser.page.status == 400 && provider.answers.isEmpty)
    }

    @Test func `after its time, or for a login that is not known, says to enter the code again`() async throws {
        let (browser, token) = try await self.leaving(fixture)
        fixture.advance(by: LoginAttempt.lifetime)
        for reference in [token, "x", String(repeating: "A", count: 43), String(repeating: "A", count: 5000)] {
            await browser.get("\(Self.answer)?code=ada&state=\(reference)").expect(
                400, heading: "This sign-in took too long",
                contains: #"<a class="button" href="/activate">Start again</a>"#)
            try await self.crossSite(browser, [("code", "ada"), ("state", reference)])
            browser.page.expect(400, heading: "This sign-in took too long")
        }
    }

    @Test(arguments: ["", "code=ada", "code=ada&state=a&RelayState=a", "state=a&state=a", "state=a&x=1&x=2"])
    func `that makes no sense is refused before anything is looked up`(_ fields: String) async throws {
        await browser.get("\(Self.answer)?\(fields)").expect(400, heading: "That did not work")
    }

    @Test func `that refuses without naming a login is a refusal, and no fault of the browser`() async throws {
        await browser.get("\(Self.answer)?error=access_denied").expect(
            403, heading: "Your TV provider did not sign you in")
    }

    @Test(
        "with a no says what kind of no it is, and offers the picker",
        arguments: [
            ("declined", 403, "You are not signed in", "Your TV is still waiting for you."),
            ("no", 403, "Your TV provider did not sign you in", "Harbor <i>Sports</i> is extra."),
            ("down", 502, "Your TV provider does not answer", "It cannot be reached"),
            ("settings", 502, "This TV provider does not work here at the moment", "It is not your fault"),
            ("unknown", 400, "This TV provider does not work here at the moment", "It is not your fault"),
            ("forged", 400, "This sign-in could not be checked", "does not belong to this sign-in"),
        ])
    func refused(_ error: String, _ status: Int, _ heading: String, _ words: String) async throws {
        let (browser, token) = try await self.leaving(fixture)
        await browser.get("\(Self.answer)?error=\(error)&state=\(token)").expect(
            status, heading: heading, shows: words, contains: #"href="/activate/provider?code="#)
        #expect(!browser.page.shows("secret") && fixture.domain.passwordGuesses.wrong == 0)
        // The same again, and a yes that comes too late.
        await browser.get("\(Self.answer)?code=ada&state=\(token)").expect(
            400, heading: "This answer was taken already", contains: #"href="/activate/provider?code="#)
    }

    @Test func `in two tabs: the first one that is confirmed wins, and the other says that it is done`() async throws {
        let code = try await fixture.code()
        var tokens: [String] = []
        for _ in 0..<2 {
            try await browser.walkToSignIn(code.text, mvpd: "HarborFiber")
            tokens.append(String(try #require(browser.page.path.split(separator: "=").last)))
        }
        for token in tokens {
            await browser.get("\(Self.answer)?code=ada&state=\(token)").expect(
                location: "/activate/confirm?attempt=\(token)")
        }
        await browser.get("/activate/confirm?attempt=\(tokens[0])")
        try await browser.decide("confirm").expect(heading: "Done. Look at your TV")
        await browser.get("/activate/confirm?attempt=\(tokens[1])").expect(heading: "This code is not valid")
    }

    @Test func `at the addresses of rest-v1 13.4 goes on as at its own`() async throws {
        let (browser, token) = try await self.leaving(fixture)
        try await self.crossSite(
            browser, to: "/sp/saml/SAMLAssertionConsumer",
            [("SAMLResponse", "PHg+"), ("code", "ada"), ("RelayState", token)])
        // The browser sends the form there, still as another site's.
        #expect(browser.page.status == 307 && browser.page.location == Self.answer)
        #expect(browser.page.response.headers["Set-Cookie"] == nil)
        try await self.crossSite(browser, [("SAMLResponse", "PHg+"), ("code", "ada"), ("RelayState", token)])
        await browser.follow().expect(heading: "Is this TV in front of you?")
        let (second, reference) = try await self.leaving(fixture)
        await second.get("/adobe-services/oauth2?code=ada&state=\(reference)").expect(307)
        await second.follow()
        await second.follow().expect(heading: "Is this TV in front of you?")
    }

    @Test("is bounded: an answer that is too long is not kept")
    func bounds() async throws {
        let (browser, token) = try await self.leaving(fixture)
        let long = String(repeating: "x", count: ProviderCallback.maximumSize)
        try await self.crossSite(browser, [("SAMLResponse", long), ("RelayState", token)])
        #expect(browser.page.status == 400)
        let many = (0..<32).map { ("p\($0)", "") }
        try await self.crossSite(browser, many + [("RelayState", token)])
        #expect(browser.page.status == 400 && provider.answers.isEmpty)
    }
}
