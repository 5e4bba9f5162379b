import Clientless
import Cryptography
import Entitlement
import HTTPServer
import TestSupport
import Testing

@testable import ServerAPI

/// What the length of a page could give away (BREACH, CVE-2013-3587).
@Suite("A compressed page's length", .fixture)
struct PageLengthTests {
    private let browser = Browser(fixture)

    private static func random(_ generator: inout SeededGenerator) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<28).map { _ in letters.randomElement(using: &generator)! })
    }

    @Test("Tells nothing of a form's token to a guesser who has his guesses in the page's address")
    func oracle() async throws {
        await browser.get("/activate")
        let token = try #require(browser.page.form("/activate")?.first?.1)
        let bytes = try #require(Base64.decodeURL(token))
        let hash = zip(bytes, bytes.dropFirst(bytes.count / 2)).map { $0 ^ $1 }
        browser.headers = [("Accept-Encoding", "gzip")]
        var generator = SeededGenerator(seed: 5)
        let wrong = try await Self.length(browser, (0..<48).map { _ in Self.random(&generator) })
        // The token as another page had it, its end, and what it masks.
        let rights = [
            String(token.prefix(28)), String(token.suffix(28)), String(Base64.encodeURL(hash).prefix(28)),
        ]
        for right in rights where right.utf8.count == 28 {
            let length = try await Self.length(browser, Array(repeating: right, count: 48))
            #expect(length > wrong - 6, "a right guess takes \(length) bytes, a wrong one \(wrong)")
        }
        // The same page with a guess of what does not change, so that a difference would have been seen.
        let known = "Your TV shows a short code, "
        #expect(try await Self.length(browser, Array(repeating: known, count: 48)) < wrong - 6)
    }

    private static let form = ProviderForm(to: "https://harbor.example/", [NamedText("RelayState", "chosen")])

    @Test(
        "Tells nothing of what goes to a provider: that page is not compressed",
        .fixture(.init(harbor: AwayProvider(Self.form))))
    func handOver() async throws {
        let page = try await browser.walkToSignIn(try await fixture.code().text, mvpd: "HarborFiber")
        #expect(page.text.contains("chosen"))
        for accepted in ["gzip", "gzip, identity;q=0"] {
            browser.headers = [("Accept-Encoding", accepted)]
            let answer = await browser.get(page.path)
            #expect(answer.text.contains("chosen") && answer.response.headers["Content-Encoding"] == nil)
            #expect(await browser.get("/activate").response.headers["Content-Encoding"] == "gzip")
        }
    }

    /// The mean length of the page with each guess, in bytes.
    private static func length(_ browser: Browser, _ guesses: [String]) async throws -> Double {
        var sum = 0
        for guess in guesses {
            let answer = await browser.get(ScreenPath.path("/activate", "code", guess)).response
            #expect(answer.status == .ok && answer.headers["Content-Encoding"] == "gzip")
            sum += answer.body.count
        }
        return Double(sum) / Double(guesses.count)
    }
}
