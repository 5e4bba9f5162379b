import Clientless
import HTTPServer
import Testing

@Suite("What every page says to the browser", .fixture)
struct HeaderTests {
    private let browser = Browser(fixture)

    @Test func `The header fields are exactly these`() async throws {
        let headers = await (Browser(fixture)).get("/activate").response.headers
        let expected: KeyValuePairs<StaticString, String> = [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Language": "en",
            "Vary": "Accept-Encoding, Accept-Language, Cookie",
            "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
                + "img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                + "base-uri 'none'",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy":
                "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Cache-Control": "no-store",
        ]
        for (name, value) in expected { #expect(headers.all(name) == [value], "\(name)") }
        #expect(headers.fields.count == expected.count + 1)
    }

    @Test func `The cookie is for this server alone, out of the reach of scripts and of foreign forms`() async throws {
        let cookie = try #require(await browser.get("/activate").response.headers["Set-Cookie"])
        let pattern = /latchkey=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax/
        #expect(cookie.wholeMatch(of: pattern) != nil)
        #expect(await browser.get("/activate").response.headers["Set-Cookie"] == nil)
        // A login begins another day of the same session.
        try await browser.walkToSignIn(try await fixture.code().text)
        #expect(browser.page.response.headers.all("Set-Cookie").contains(cookie))
    }

    @Test(
        "Over an encrypted connection the cookie is bound to the host and never sent in clear",
        .fixture(.init(isSecure: true))
    )
    func secureCookie() async throws {
        let cookie = try #require(await browser.get("/activate").response.headers["Set-Cookie"])
        let pattern = /__Host-latchkey=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure/
        #expect(cookie.wholeMatch(of: pattern) != nil)
    }

    @Test(arguments: ["", "x", "A%00", String(repeating: "A", count: 5000)])
    func `A cookie that is none of ours is replaced`(_ value: String) async throws {
        browser.cookies = ["latchkey": value]
        #expect(await browser.get("/activate").response.headers["Set-Cookie"] != nil)
    }

    @Test func `Redirects keep no copy and tell no referrer`() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        let form = try #require(browser.page.form("/activate"))
        let page = await browser.post("/activate", form + [("code", code.grouped)])
        page.expect(303, location: "/activate/provider?code=\(code.text)")
        #expect(page.response.headers["Cache-Control"] == "no-store")
        #expect(page.response.headers["Referrer-Policy"] == "no-referrer")
    }

    @Test func `What pages link to is there, may be kept for ever, and is what its type says`() async throws {
        let page = await browser.get("/activate").text
        let paths = Set(page.matches(of: /(?:href|src)="(\/assets\/[^"]+)"/).map { String($0.1) })
        #expect(paths.count == 6)
        for path in paths {
            let asset = await browser.get(path)
            #expect(asset.status == 200, "\(path)")
            #expect(asset.response.headers["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(asset.response.headers["X-Content-Type-Options"] == "nosniff")
            #expect(asset.response.headers["Set-Cookie"] == nil)
            #expect(asset.response.body.count > 0)
        }
    }

    @Test("A language nobody translated is answered in English", arguments: ["fi", "xx-YY;q=0.3", ""])
    func language(_ header: String) async throws {
        browser.headers = [("Accept-Language", header)]
        #expect(await browser.get("/activate").response.headers["Content-Language"] == "en")
    }
}
