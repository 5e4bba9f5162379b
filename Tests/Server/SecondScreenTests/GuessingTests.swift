import Clientless
import Entitlement
import HTTPServer
import Testing

@Suite("Guessing codes and passwords", .fixture)
struct GuessingTests {
    static let limits: Entitlements.Limits = {
        var limits = Entitlements.Limits()
        limits.guessing.address = AttemptLimit(failures: 6, window: .seconds(600), penalty: .seconds(7200))
        limits.guessing.session = AttemptLimit(failures: 3, window: .seconds(600), penalty: .seconds(420))
        limits.passwords.account = AttemptLimit(failures: 2, window: .seconds(600), penalty: .seconds(300))
        return limits
    }()

    @Test("Unknown, used, declined and expired codes get the same page, byte for byte but for tokens")
    func alike() async throws {
        let expired = try await fixture.code(lifetime: .seconds(1))
        fixture.advance(by: .seconds(2))
        let used = try await fixture.code()
        let first = Browser(fixture)
        try await first.walkToConfirmation(used.text)
        try await first.decide("confirm")
        let declined = try await fixture.code()
        try await fixture.domain.logins.decline(code: declined, by: Guesser(.v4(0xC633_6401)), now: fixture.now)
        let unknown = try #require(RegistrationCodeText("BBBBBBB"))

        let browser = Browser(fixture)
        var pages: Set<String> = []
        var providerPages: Set<String> = []
        for code in [unknown, used, declined, expired] {
            await browser.get("/activate")
            try await browser.submit("/activate", [("code", code.text)]).expect(400)
            #expect(browser.page.alert?.hasPrefix("This code is not valid, or not any more.") == true)
            pages.insert(browser.page.textWithoutTokens.replacing(code.grouped, with: "CODE"))
            await browser.get("/activate/provider?code=\(code.text)").expect(400)
            providerPages.insert(browser.page.textWithoutTokens.replacing(code.grouped, with: "CODE"))
        }
        #expect(pages.count == 1)
        #expect(providerPages.count == 1)
    }

    @Test(.fixture(.init(limits: Self.limits)))
    func `A browser that guesses has to wait, is told how long, and is not looked up any more`() async throws {
        let code = try await fixture.code()
        // The box is in another network: the code of one's own box is looked up whatever was tried.
        let browser = try Browser(fixture, address: "198.51.100.7")
        await browser.get("/activate")
        let form = try #require(browser.page.form("/activate"))
        for guess in ["BBBBBBB", "CCCCCCC", "DDDDDDD"] {
            #expect(await browser.post("/activate", form + [("code", guess)]).status == 400)
        }
        for path in ["/activate/provider?code=\(code.text)", "/activate/provider?code=FFFFFFF"] {
            #expect(await browser.get(path).status == 429)
        }
        await browser.post("/activate", form + [("code", code.text)]).expect(429)
        #expect(browser.page.response.headers["Retry-After"] == "420")
        browser.page.expect(heading: "Too many tries", shows: "Try again in 7 minutes.")
        fixture.advance(by: .seconds(420))
        #expect(await browser.post("/activate", form + [("code", code.text)]).status == 303)
    }

    @Test(.fixture(.init(limits: Self.limits)))
    func `Throwing the cookie away does not help: the address is counted, and declining counts as well`() async throws {
        let code = try await fixture.code()
        for number in 0..<6 {
            // Not the network of the box, whose code is looked up whatever was tried.
            let browser = try Browser(fixture, address: "198.51.100.7")
            await browser.get("/activate/provider?code=\(code.text)")
            let form = try #require(browser.page.form("/activate/decline")?.first)
            await browser.post("/activate/decline", [form, ("code", "BBBBBB\(number + 2)")]).expect(400)
        }
        let newcomer = try Browser(fixture, address: "198.51.100.7")
        await newcomer.get("/activate/provider?code=\(code.text)").expect(429, shows: "Try again in 2 hours.")
        let elsewhere = try Browser(fixture, address: "203.0.113.9")
        #expect(await elsewhere.get("/activate/provider?code=\(code.text)").status == 200)
        #expect(try await fixture.isDeclined(code) == false)
    }

    @Test("All addresses of one IPv6 network are one stranger", .fixture(.init(limits: Self.limits)))
    func networkOfAddresses() async throws {
        for number in 1...6 {
            let browser = try Browser(fixture, address: "2001:db8:1:2::\(number)")
            #expect(await browser.get("/activate/provider?code=BBBBBB\(number + 1)").status == 400)
        }
        let neighbour = try Browser(fixture, address: "2001:db8:1:2::7")
        #expect(await neighbour.get("/activate/provider?code=BBBBBB8").status == 429)
        let other = try Browser(fixture, address: "2001:db8:1:3::7")
        #expect(await other.get("/activate/provider?code=BBBBBB9").status == 400)
    }

    @Test("Wrong passwords close the sign-in for a while, on the same page", .fixture(.init(limits: Self.limits)))
    func passwords() async throws {
        let code = try await fixture.code()
        let browser = Browser(fixture)
        try await browser.walkToSignIn(code.text)
        for _ in 0..<2 { try await browser.signIn(password: "wrong").expect(403) }
        try await browser.signIn().expect(429)
        #expect(browser.page.response.headers["Retry-After"] == "300")
        #expect(browser.page.alert == "Too many wrong tries. Try again in 5 minutes.")
        fixture.advance(by: .seconds(300))
        try await browser.signIn().expect(heading: "Is this TV in front of you?")
    }

    private static let loginLimits: Entitlements.Limits = {
        var limits = Entitlements.Limits()
        limits.passwords.attempt = AttemptLimit(failures: 2, window: .seconds(86_400), penalty: .seconds(86_400))
        return limits
    }()

    @Test(.fixture(.init(limits: Self.loginLimits)))
    func `A login that took too many passwords leads to another one, and not into the next day`() async throws {
        let browser = Browser(fixture)
        try await browser.walkToSignIn(try await fixture.code().text)
        for _ in 0..<2 { try await browser.signIn(password: "wrong").expect(403) }
        try await browser.signIn().expect(429)
        #expect(browser.page.alert?.contains("Please start again in a few minutes.") == true)
    }

    private static let crowdedLimits: Entitlements.Limits = {
        var limits = Entitlements.Limits()
        limits.passwords.perMinute = 0
        return limits
    }()

    @Test(.fixture(.init(limits: Self.crowdedLimits)))
    func `A limit of the whole service blames neither the viewer nor the server`() async throws {
        let browser = Browser(fixture)
        try await browser.walkToSignIn(try await fixture.code().text)
        try await browser.signIn()
        #expect(browser.page.status == 429)
        #expect(browser.page.alert?.hasPrefix("Many people are at it right now.") == true)
        // There is no code on the way to the list of boxes.
        #expect(try await browser.walkToBoxes().alert?.hasPrefix("Nothing has changed on your TVs.") == true)
    }
}
