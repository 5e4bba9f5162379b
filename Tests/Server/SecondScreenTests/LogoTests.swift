import Clientless
import HTTPServer
import ServerAPI
import TestSupport
import Testing

@Suite("The logos of providers on the pages", .fixture)
struct LogoTests {
    private static func picture(_ bytes: [UInt8]) throws -> Picture {
        try Picture(bytes, atMost: LogoShelf.maximumSize)
    }

    private let browser = Browser(fixture)

    private var logos: LogoShelf { fixture.settings.logos }

    @Test(
        "are served under an address of their content, for ever, as what their bytes are, and can do nothing",
        arguments: [
            (SamplePicture.png(), "image/png"), (SamplePicture.webP(), "image/webp"),
            (SamplePicture.svg(), "image/svg+xml"),
        ])
    func served(_ bytes: [UInt8], type: String) async throws {
        let picture = try Self.picture(bytes)
        #expect(logos.put(picture, at: LogoPlace(ScreenFixture.cedar)))
        let answer = await browser.get(picture.path).response
        #expect(answer.status == .ok && answer.body == bytes)
        let expected: KeyValuePairs<StaticString, String> = [
            "Content-Type": type, "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Cache-Control": "public, max-age=31536000, immutable",
        ]
        for (name, value) in expected { #expect(answer.headers.all(name) == [value], "\(name)") }
        #expect(answer.headers["Set-Cookie"] == nil)
    }

    @Test("are a missing page under any other address", arguments: ["/logos/a.png", "/logos/", "/logos/..%2Fa"])
    func missing(_ path: String) async throws { #expect(await browser.get(path).status == 404) }

    @Test func `take the place of letters once they are there`() async throws {
        let path = "/activate/provider?code=\(try await fixture.code().text)"
        #expect(await browser.get(path).text.contains(#"aria-hidden="true">CC</span>"#))
        let picture = try Self.picture(SamplePicture.svg())
        #expect(logos.put(picture, at: LogoPlace(ScreenFixture.cedar)))
        #expect(await browser.get(path).text.contains(#"<img class="mark" src="\#(picture.path)""#))
        #expect(!browser.page.text.contains(">CC</span>"))
    }

    @Test func `are a requestor's own where it has one, on every page that shows them`() async throws {
        let all = try Self.picture(SamplePicture.png())
        let own = try Self.picture(SamplePicture.png(width: 40))
        #expect(logos.put(all, at: LogoPlace(ScreenFixture.harbor)))
        #expect(logos.put(own, at: LogoPlace(ScreenFixture.harbor, for: ScreenFixture.strangeBrand)))
        for (requestor, picture) in [(ScreenFixture.brand, all), (ScreenFixture.strangeBrand, own)] {
            let browser = Browser(fixture)
            let code = try await fixture.code(requestor: requestor)
            try await browser.walkToSignIn(code.text, mvpd: "HarborFiber")
            #expect(browser.page.path.hasPrefix("/activate/sign-in"))
            #expect(browser.page.text.contains(#"src="\#(picture.path)""#))
        }
    }

    @Test func `stay under their old address after another took their place, and go with the provider`() async throws {
        let place = LogoPlace(ScreenFixture.cedar)
        let pictures = try (1...3).map { try Self.picture(SamplePicture.png(width: 20 + $0)) }
        for picture in pictures[..<2] { #expect(logos.put(picture, at: place)) }
        logos.keep([place])
        for picture in pictures[..<2] { #expect(await browser.get(picture.path).status == 200) }
        #expect(logos.put(pictures[2], at: place))
        logos.keep([place])
        #expect(await browser.get(pictures[0].path).status == 404)
        #expect(await browser.get(pictures[1].path).status == 200)
        logos.keep([])
        for picture in pictures { #expect(await browser.get(picture.path).status == 404) }
    }

    @Test func `are bounded together, and one that two providers have counts once`() throws {
        let (one, two) = (try Self.picture(SamplePicture.png()), try Self.picture(SamplePicture.svg()))
        let three = try Self.picture(SamplePicture.webP())
        let logos = LogoShelf(maximumTotal: one.bytes.count + 1)
        #expect(logos.put(one, at: LogoPlace(ScreenFixture.cedar)))
        #expect(logos.put(one, at: LogoPlace(ScreenFixture.harbor)))
        #expect(!logos.put(two, at: LogoPlace(ScreenFixture.preview)))
        #expect(logos.picture(of: ScreenFixture.preview, for: ScreenFixture.brand) == nil)
        logos.keep([])
        #expect(logos.put(three, at: LogoPlace(ScreenFixture.preview)))
    }

    @Test func `have a placeholder in lists of providers, which is there`() async throws {
        let answer = await browser.get("/assets/logo.svg").response
        #expect(answer.status == .ok && answer.headers["Content-Type"] == "image/svg+xml")
        #expect(answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin")
        #expect(answer.headers["Cache-Control"] == "public, max-age=86400")
    }
}
