import Clientless
import Entitlement
import HTTPServer
import Testing

@Suite("The end of a login, as the box answers", .fixture)
struct HandoverTests {
    @Test func `waits for the box, and says so the moment the box was told`() async throws {
        let code = try await fixture.code()
        let browser = Browser(fixture)
        try await browser.walkToConfirmation(code.text)
        try await browser.decide("confirm").expect(shows: "Waiting for your TV to answer.")
        let address = try Self.address(browser.page)
        let done = browser.page.path
        #expect(await Self.now(browser, address) == "waiting")
        guard case .held(let reply) = browser.reply(address, [("Prefer", "wait=50")])
        else { return #expect(Bool(false), "the answer is not held") }
        while fixture.domain.waitingRoom.count != 1 { await Task.yield() }
        // The box asks, and is told.
        #expect(try await fixture.isSignedIn(code))
        fixture.domain.waitingRoom.close()
        await fixture.domain.waitingRoom.deliver()
        #expect(reply.isFinished)
        #expect(await Self.now(browser, address) == "ready")
        await browser.get(done).expect(shows: "Your TV is ready.")
        #expect(!browser.page.text.contains("data-answer"))
    }

    @Test("is told to no other browser, and to none that makes an address up", arguments: ["x", "", "AAAA"])
    func strangers(_ token: String) async throws {
        let code = try await fixture.code()
        let browser = Browser(fixture)
        try await browser.walkToConfirmation(code.text)
        try await browser.decide("confirm")
        let address = try Self.address(browser.page)
        let stranger = Browser(fixture)
        await stranger.get("/activate")
        #expect(await Self.now(stranger, address) == "unknown")
        #expect(await Self.now(browser, "/activate/done/answer?attempt=\(token)") == "unknown")
    }

    private static func address(_ page: ShownPage) throws -> String {
        let found = try #require(page.text.firstMatch(of: /data-answer="([^"]+)"/))
        return ShownPage.unescaped(String(found.1))
    }

    private static func now(_ browser: Browser, _ address: String) async -> String {
        await browser.get(address).text
    }
}

@Suite("What confirming allows", .fixture)
struct GrantTests {
    @Test(arguments: [
        (30 * 86_400, "until 31 January 2026"), (2 * 86_400, "until 3 January 2026"), (86_400, "for 24 hours"),
        (7200, "for 2 hours"), (600, "for 10 minutes"), (1, "for 1 minute"),
    ])
    func `is said with its real end`(_ seconds: Int, words: String) async throws {
        try await ScreenFixture.with(.init(authenticationLifetime: .seconds(seconds))) { fixture in
            let code = try await fixture.code()
            let browser = Browser(fixture)
            try await browser.walkToConfirmation(code.text).expect(
                shows: "This TV may play Northstar TV with your Cedar Cable account \(words).")
        }
    }

    @Test func `of a free preview is its minutes, and no account`() async throws {
        let code = try await fixture.code()
        let browser = Browser(fixture)
        try await browser.walkToSignIn(code.text, mvpd: "FreePreview").expect(
            heading: "Is this TV in front of you?",
            shows: "This TV may play Northstar TV as a free preview for 10 minutes. No account is needed.")
    }
}
