import Clientless
import Entitlement
import Synchronization
import Testing

@Suite("A browser in which the viewer signed in within the day")
struct RecentSignInTests {
    private static let question = "Is this TV in front of you?"
    private static let cookie = "latchkey-recent"

    /// Lends a browser that has paired a first box at a provider that keeps accounts, and how to change the password.
    private static func paired(
        _ body: (ScreenFixture, Browser, RegistrationCodeText, () -> Void) async throws -> Void
    ) async throws {
        let password = Mutex<UInt8>(1)
        var provider = KeepingProvider()
        provider.passwordMark = { [password.withLock { $0 }] }
        try await ScreenFixture.with(.init(harbor: provider)) { fixture in
            let code = try await fixture.code()
            let browser = Browser(fixture)
            try await browser.pair(code.text, mvpd: "HarborFiber")
            #expect(try await fixture.isSignedIn(code))
            try await body(fixture, browser, code) { password.withLock { $0 += 1 } }
        }
    }

    @Test("goes from the scan, or from the code as typed, to the question about the box", arguments: [true, false])
    func goesOn(isScanned: Bool) async throws {
        try await Self.paired { fixture, browser, _, _ in
            let code = try await fixture.code(device: "next")
            await browser.get(isScanned ? "/activate?code=\(code.text)" : "/activate")
            let typed = [("code", code.text)]
            if isScanned { await browser.follow() } else { try await browser.submit("/activate", typed) }
            #expect(browser.page.heading == Self.question && browser.page.shows(code.grouped))
            #expect(try await fixture.isSignedIn(code) == false)
            // Another account is one tap away.
            let other = try #require(browser.page.text.firstMatch(of: /href="(\/activate\/provider[^"]*)"/))
            await browser.get(ShownPage.unescaped(String(other.1)))
            await browser.follow()
            try await browser.submit("/activate/provider", [("mvpd", "HarborFiber")]).expect(
                heading: "Sign in with Harbor Fiber")
            try await browser.signIn()
            try await browser.decide("confirm")
            #expect(try await fixture.isSignedIn(code))
        }
    }

    @Test func `is asked for the provider at a box that has another one, or none of those, in mind`() async throws {
        try await Self.paired { fixture, browser, _, _ in
            let code = try await fixture.code(mvpd: ScreenFixture.cedar, device: "next")
            await browser.get("/activate?code=\(code.text)").expect(heading: "Who is your TV provider?")
        }
    }

    @Test("is asked again after a day, which no box makes longer, nor its own", arguments: ["next", "box"])
    func dayIsOver(device: String) async throws {
        try await Self.paired { fixture, browser, _, _ in
            fixture.advance(by: .seconds(80_000))
            let next = try await fixture.code(device: device)
            await browser.get("/activate?code=\(next.text)")
            await browser.follow()
            try await browser.decide("confirm")
            #expect(try await fixture.isSignedIn(next))
            await browser.get("/activate?code=\(try await fixture.code(device: "third").text)")
            #expect(browser.page.heading != "Who is your TV provider?")
            fixture.advance(by: .seconds(6_400))
            try await Self.expectQuestion(browser, fixture)
        }
    }

    @Test("is asked again after I am done, a new password, or the end of its box; and so is a browser with its cookie")
    func ends() async throws {
        try await Self.paired { fixture, browser, _, _ in
            let thief = Browser(fixture)
            await thief.get("/activate")
            let kept: String = try #require(browser.cookies[Self.cookie])
            thief.cookies[Self.cookie] = kept
            try await Self.expectQuestion(thief, fixture)
            try await browser.submit("/boxes/over")
            #expect(browser.cookies[Self.cookie] == ".")
            try await Self.expectQuestion(browser, fixture)
        }
        try await Self.paired { fixture, browser, _, changePassword in
            changePassword()
            try await Self.expectQuestion(browser, fixture)
        }
        try await Self.paired { fixture, browser, code, _ in
            let other = Browser(fixture)
            try await other.walkToBoxes(mvpd: "HarborFiber")
            try await other.changeFirstBox("end")
            #expect(try await fixture.isSignedIn(code) == false)
            await browser.get(browser.page.path).expect(400, shows: "This code has been used already.")
            try await Self.expectQuestion(browser, fixture)
        }
    }

    @Test("is not taken to a box by another site")
    func crossSite() async throws {
        try await Self.paired { fixture, browser, _, _ in
            let code = try await fixture.code(device: "next")
            browser.headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
            await browser.get("/activate?code=\(code.text)").expect(heading: "Enter the code from your TV")
            #expect(try await fixture.standing(of: code) == .open(.waiting, refusal: nil))
        }
    }

    private static func expectQuestion(
        _ browser: Browser, _ fixture: ScreenFixture, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let code = try await fixture.code(device: "last")
        await browser.get("/activate?code=\(code.text)")
        #expect(browser.page.heading == "Who is your TV provider?", sourceLocation: sourceLocation)
    }
}
