import Clientless
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("Pages that say what went wrong", .fixture)
struct ProblemPageTests {
    private let browser = Browser(fixture)

    @Test func `A page that does not exist, and a method a page does not take`() async throws {
        await browser.get("/nowhere").expect(404, heading: "There is no such page")
        #expect(browser.cookies.isEmpty)
        await browser.post("/activate/done", []).expect(405, heading: "That did not work")
        #expect(browser.page.response.headers["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: ["", "  ", "7KQ", "!!!!!!!", String(repeating: "B", count: 2000)])
    func `A code typed wrongly is asked for again`(_ typed: String) async throws {
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", typed)]).expect(400)
        let isEmpty = typed.allSatisfy { $0 == " " }
        let words = isEmpty ? "Please type the code that your TV shows." : "This code is not valid, or not any more."
        #expect(browser.page.alert?.hasPrefix(words) == true)
        #expect(browser.page.text.contains(#"aria-invalid="true""#))
        #expect(browser.page.text.count < 10_000)
    }

    @Test("A login that is unknown or too old", arguments: ["sign-in", "confirm", "done"])
    func lostLogin(_ page: String) async throws {
        let code = try await fixture.code(lifetime: .seconds(36_000))
        let token = try #require(try await browser.walkToSignIn(code.text).form("/activate/sign-in")?.last?.1)
        fixture.advance(by: .seconds(15 * 60))
        for attempt in [token, "x", String(repeating: "A", count: 43), String(repeating: "A", count: 5000)] {
            await browser.get("/activate/\(page)?attempt=\(attempt)").expect(403, heading: "Let us start over")
        }
        await browser.get("/activate/\(page)").expect(location: "/activate")
    }

    @Test func `A provider that does not answer`() async throws {
        let code = try await fixture.code()
        try await browser.walkToSignIn(code.text)
        try await browser.signIn(account: "down", password: "x").expect(
            502, heading: "Your TV provider does not answer", shows: "Reference for support: ")
        #expect(!browser.page.shows("the line is dead"))
        // Short enough to be read out.
        let symbols = "[BCDFGHJKLMNPQRSTVWXZ2-9]{3}"
        let reference = try Regex("Reference for support: <bdi dir=\"ltr\">\(symbols)-\(symbols)</bdi>")
        #expect(browser.page.text.contains(reference))
    }

    @Test func `Credentials of any length are refused before the provider sees them`() async throws {
        let code = try await fixture.code()
        try await browser.walkToSignIn(code.text)
        try await browser.signIn(account: "ada", password: String(repeating: "x", count: 100_000)).expect(
            400, heading: "That did not work")
    }

    @Test(arguments: [
        (400, "That did not work"), (403, "Let us start over"), (404, "There is no such page"),
        (405, "That did not work"), (413, "That did not work"), (429, "A short pause, please"),
        (500, "Something went wrong here"), (502, "Your TV provider does not answer"),
        (503, "A short pause, please"), (504, "Your TV provider does not answer"),
    ])
    func `Every status has words for a person`(_ status: Int, heading: String) async throws {
        let target = [502: "/sp/login/x?state=a%22", 503: "/activate/done"][status] ?? "/x"
        let request = HTTPRequest(method: .get, target: target)
        let page = ShownPage(path: "/x", response: fixture.faces.screen.problemPage(HTTPStatus(status), for: request))
        page.expect(status, heading: heading)
        #expect(page.shows("Many people are at it") == (status == 429))
        #expect(page.text.contains(#"href="/activate/go?attempt=a%22""#) == (status == 502))
        #expect(page.shows("Your code is still good") == [429, 502, 504].contains(status))
    }
}
