import Clientless
import Entitlement
import HTTPServer
import ServerAPI
import Testing

/// Logins that a programmer's own page began with `authenticate` (rest-v1 13).
@Suite("A login that another page began", .fixture)
struct ForeignLoginTests {
    static let redirect = "https://play.southstar.example:8443/done?x=1&y=2"

    /// A browser sent to the sign-in page by another page.
    static func begin(
        _ fixture: ScreenFixture, requestor: RequestorID, redirect: String = ForeignLoginTests.redirect
    ) async throws -> (Browser, RegistrationCodeText) {
        let code = try await fixture.code(requestor: requestor)
        let browser = Browser(fixture)
        await browser.get("/activate")
        let cookie = try #require(browser.cookies.first)
        let request = HTTPRequest(method: .get, target: "/", headers: ["Cookie": "\(cookie.key)=\(cookie.value)"])
        let session = BrowserSession.of(request, isSecure: false)
        let start = try await fixture.domain.logins.begin(
            LoginRequest(
                code: code, requestor: requestor, mvpd: ScreenFixture.harbor,
                origin: .foreignPage(redirectURL: redirect), browser: session.identity, callback: ""),
            by: Guesser(.v4(0xC633_6401)), now: fixture.now)
        await browser.get(ScreenPath.signIn(start.token))
        return (browser, code)
    }

    @Test func `Of a brand that skips the confirmation, ends at that page right after the sign-in`() async throws {
        let (browser, code) = try await Self.begin(fixture, requestor: ScreenFixture.strangeBrand)
        try await browser.signIn().expect(302, location: Self.redirect)
        #expect(try await fixture.isSignedIn(code, requestor: ScreenFixture.strangeBrand))
    }

    @Test("Of a strict brand, is confirmed first", arguments: ["confirm", "decline"])
    func strict(_ decision: String) async throws {
        let (browser, code) = try await Self.begin(fixture, requestor: ScreenFixture.brand)
        try await browser.signIn().expect(heading: "Is this TV in front of you?")
        let confirmation = browser.page.path
        try await browser.decide(decision).expect(302, location: Self.redirect)
        #expect(try await fixture.isSignedIn(code) == (decision == "confirm"))
        await browser.get(confirmation).expect(location: Self.redirect)
    }

    @Test func `Ends at that page when it is declined at the sign-in`() async throws {
        let (browser, code) = try await Self.begin(fixture, requestor: ScreenFixture.brand)
        try await browser.submit("/activate/decline").expect(302, location: Self.redirect)
        #expect(try await fixture.isDeclined(code))
    }

    @Test func `Ends at that page when the code was over in between`() async throws {
        let (browser, code) = try await Self.begin(fixture, requestor: ScreenFixture.brand)
        try await fixture.domain.logins.decline(code: code, by: Guesser(.v4(0xC633_6401)), now: fixture.now)
        try await browser.signIn().expect(location: Self.redirect)
    }

    @Test func `Ends at that page when the provider ended the session before the viewer confirms`() async throws {
        let (browser, code) = try await Self.begin(fixture, requestor: ScreenFixture.brand)
        try await browser.signIn().expect(heading: "Is this TV in front of you?")
        let later = fixture.now + .seconds(1)
        _ = try await fixture.domain.operations.end(.viewer("ada"), at: ScreenFixture.harbor, now: later)
        try await browser.decide("confirm").expect(302, location: Self.redirect)
        #expect(try await !fixture.isSignedIn(code))
    }

    @Test("Ends at that page when the provider ended it on its way back", .fixture(.init(harbor: AwayProvider())))
    func endedOnTheWay() async throws {
        let (browser, code) = try await Self.begin(fixture, requestor: ScreenFixture.strangeBrand)
        let token = try #require(browser.page.path.split(separator: "=").last)
        let later = fixture.now + .seconds(1)
        _ = try await fixture.domain.operations.end(.viewer("ada"), at: ScreenFixture.harbor, now: later)
        await browser.get("/sp/login/HarborFiber?code=ada&state=\(token)").expect(302, location: Self.redirect)
        #expect(try await !fixture.isSignedIn(code, requestor: ScreenFixture.strangeBrand))
    }

    @Test(arguments: [
        (ForeignLoginTests.redirect, "https://play.southstar.example:8443"), ("hcplayer://done", "hcplayer:"),
        ("https://a@b.example/", "https:"), ("https://[::1]/x", "https:"),
    ])
    func `Leads a password to that page and no other, and a decision on`(_ page: String, source: String) async throws {
        let (browser, _) = try await Self.begin(fixture, requestor: ScreenFixture.brand, redirect: page)
        for targets in [source, "\(source.prefix { $0 != ":" }):"] {
            let policy = try #require(browser.page.response.headers["Content-Security-Policy"])
            #expect(policy.contains("form-action 'self' \(targets); frame-ancestors"))
            if browser.page.form("/activate/sign-in") != nil { try await browser.signIn() }
        }
    }
}
