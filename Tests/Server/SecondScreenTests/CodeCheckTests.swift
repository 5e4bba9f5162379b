import Clientless
import Entitlement
import Testing

@Suite("A code that is checked as it is typed", .fixture)
struct CodeCheckTests {
    private let browser = Browser(fixture)

    private static func check(_ browser: Browser, _ code: String) async throws -> ShownPage {
        let token = try #require(browser.page.form("/activate"))
        let answer = await browser.post("/activate/check", token + [("code", code)])
        await browser.get("/activate")
        return answer
    }

    @Test func `is told apart as by the button, and no further`() async throws {
        let code = try await fixture.code()
        await browser.get("/activate").expect(contains: #"data-complete="7""#)
        #expect(try await Self.check(browser, code.grouped.lowercased()).text == "good")
        #expect(try await Self.check(browser, "BBBBBBB").text == "wrong")
        #expect(try await Self.check(browser, "no code").text == "wrong")
        // It changes nothing for the box.
        guard case .open(.waiting, refusal: nil) = try await fixture.standing(of: code)
        else { return #expect(Bool(false), "the box is told of a code that was only typed") }
    }

    @Test func `that this browser went through a login with is good for as long as the button leads on`() async throws {
        let code = try await fixture.code(lifetime: .seconds(300))
        try await browser.pair(code.text)
        await browser.get("/activate")
        #expect(try await Self.check(browser, code.text).text == "good")
        let over = try await fixture.code(lifetime: .seconds(300))
        try await browser.walkToConfirmation(over.text)
        fixture.advance(by: .seconds(600))
        await browser.get("/activate")
        #expect(try await Self.check(browser, over.text).text == "wrong")
    }

    @Test("costs a guesser what the button costs, and a viewer nothing")
    func counted() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        for _ in 0..<30 { #expect(try await Self.check(browser, code.text).text == "good") }
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        var last = 200
        for letter in letters where last != 429 {
            last = try await Self.check(browser, "BBBBBB\(letter)").status
        }
        #expect(last == 429)
        // The button is shut by it, too.
        try await browser.submit("/activate", [("code", "CCCCCCC")]).expect(429)
    }

    @Test("is not looked up for a form that no page of ours sent")
    func forged() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        #expect(await browser.post("/activate/check", [("code", code.text)]).status == 403)
    }
}
