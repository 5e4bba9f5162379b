import Clientless
import Entitlement
import ServerAPI
import Testing

@Suite("A viewer who comes back with a code", .fixture)
struct ReturningTests {
    private let browser = Browser(fixture)

    @Test("that this browser used a moment ago is told that all is done", arguments: ["typed", "scanned"])
    func used(_ way: String) async throws {
        let code = try await fixture.code()
        try await browser.walkToConfirmation(code.text)
        try await browser.decide("confirm")
        try await Self.comeBack(browser, code, way)
        browser.page.expect(200, heading: "Done. Look at your TV")
    }

    @Test func `that this browser declined is told so`() async throws {
        let code = try await fixture.code()
        try await browser.walkToConfirmation(code.text)
        try await browser.decide("decline")
        try await Self.comeBack(browser, code, "scanned")
        #expect(browser.page.heading == "Declined")
    }

    @Test("that is over, or that another phone used, is told which", arguments: [false, true])
    func over(_ wasUsed: Bool) async throws {
        let code = try await fixture.code(lifetime: .seconds(300))
        try await browser.walkToConfirmation(code.text)
        if wasUsed {
            let other = Browser(fixture)
            try await other.walkToConfirmation(code.text)
            try await other.decide("confirm")
        } else {
            fixture.advance(by: .seconds(600))
        }
        try await Self.comeBack(browser, code, "typed")
        let sentence =
            wasUsed
            ? "This code has been used already. If your TV is not signed in, let it show a new one."
            : "This code has expired. Let your TV show a new one."
        browser.page.expect(400, alert: sentence)
    }

    @Test func `of another browser learns nothing of it, also with that browser's cookie for the login`() async throws {
        let code = try await fixture.code()
        try await browser.walkToConfirmation(code.text)
        try await browser.decide("confirm")
        let stranger = try Browser(fixture, address: "198.51.100.7")
        await stranger.get("/activate")
        stranger.cookies["latchkey-login"] = browser.cookies["latchkey-login"]
        #expect(stranger.cookies["latchkey-login"] != nil)
        try await stranger.submit("/activate", [("code", code.text)])
        #expect(stranger.page.alert?.hasPrefix("This code is not valid, or not any more.") == true)
    }

    private static func comeBack(_ browser: Browser, _ code: RegistrationCodeText, _ way: String) async throws {
        guard way == "typed" else {
            await browser.get("/activate?code=\(code.text)")
            await browser.follow()
            return
        }
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", code.text)])
    }
}

@Suite("The code as it is typed")
struct TypedCodeTests {
    @Test(
        "is read whatever keyboard it comes from, and where a symbol only looks like one",
        arguments: [
            ("M3K-TKHJ", "M3KTKHJ"), ("Ｍ３ｋ－ｔｋｈｊ", "M3KTKHJ"), ("m3k – tkhj", "M3KTKHJ"), ("M٣K TKHJ", "M3KTKHJ"),
            ("M3K\u{00A0}TKHJ", "M3KTKHJ"), ("1BB2CCC", "LBB2CCC"), ("IBB2CCC", "LBB2CCC"), ("0BB2CCC", "QBB2CCC"),
            ("oBB2CCu", "QBB2CCV"), ("\u{2066}M3K-TKHJ\u{2069}", "M3KTKHJ"),
        ])
    func reads(_ typed: String, code: String) { #expect(TypedCode.read(typed) == RegistrationCodeText(code)) }

    @Test(arguments: ["", "M3K", "M3K_TKHJ", "M3KTKHJ💥", "<script>", "МЗКТКНЈ"])
    func `is none with symbols that no code has`(_ typed: String) {
        #expect(TypedCode.read(typed) == nil)
    }
}

@Suite("The shortest way", .fixture)
struct ShortestWayTests {
    private let browser = Browser(fixture)

    @Test func `skips the picker of a brand with one provider`() async throws {
        let code = try await fixture.code(requestor: ScreenFixture.strangeBrand)
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", code.text)]).expect(heading: "Sign in with Harbor Fiber")
    }

    @Test(arguments: [ScreenFixture.brand, ScreenFixture.strangeBrand])
    func `counts a code as entered once, with the picker and without it`(_ brand: RequestorID) async throws {
        let code = try await fixture.code(requestor: brand)
        try await browser.walkToConfirmation(code.text).expect(heading: "Is this TV in front of you?")
        let counts = fixture.domain.reports.minuteCounts(from: fixture.now, until: fixture.now + .seconds(60))
        #expect(counts.filter { $0.key.event == .codeOpened }.map(\.count) == [1])
    }

    @Test func `begins at the short addresses that people are told`() async throws {
        await browser.get("/go").expect(location: "/activate")
    }

    @Test func `asks about a code that another site filled in without looking it up`() async throws {
        let code = try await fixture.code()
        browser.headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
        await browser.get("/activate?code=\(code.text)").expect(
            heading: "Enter the code from your TV", contains: #"value="\#(code.grouped)""#)
        #expect(!browser.page.shows("Living room"))
    }

    @Test func `leads back to the same page where a problem may pass`() async throws {
        let code = try await fixture.code()
        let signIn = try await browser.walkToSignIn(code.text).path
        try await browser.signIn(account: "down", password: "x").expect(
            502, contains: #"<a class="button" href="\#(signIn)">Try again</a>"#)
    }
}
