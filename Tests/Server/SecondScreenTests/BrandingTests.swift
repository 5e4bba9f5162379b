import Clientless
import HTTPServer
import Lending
import ServerAPI
import TestSupport
import Testing

@Suite("The brand of the pages")
struct BrandingTests {
    static let drawing = Array(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>"#.utf8)

    static func operatorsOwn() throws -> Branding {
        var branding = Branding()
        branding.name = "Nova <Cable>"
        branding.logo = try Picture(self.drawing, atMost: Branding.maximumLogoSize)
        branding.palette = Palette(accent: try #require(Colour("#7a1fa2")))
        branding.helpURL = "https://nova.example/help?a=1&b=2"
        branding.texts = ["en": ["landing.title": "Welcome to Nova"], "de": ["landing.title": "Willkommen bei Nova"]]
        return branding
    }

    static func northstar() -> Branding {
        var branding = Branding()
        branding.name = "Northstar"
        branding.privacyURL = "https://northstar.example/privacy"
        branding.texts = ["en": ["signIn.lead": "{brand} on {codeWord}, please."]]
        return branding
    }

    @Test(
        "The operator's name, logo, colours, links and sentences are on every page that is no brand's own",
        .branded)
    func own() async throws {
        let browser = Browser(fixture)
        let page = await browser.get("/")
        page.expect(
            heading: "Welcome to Nova", contains: "<title>Welcome to Nova · Nova &lt;Cable&gt;</title>",
            "<span>Nova &lt;Cable&gt;</span>",
            #"<a href="https://nova.example/help?a=1&amp;b=2" rel="noreferrer">Help</a>"#)
        #expect(!page.shows("Privacy"))
        #expect(!page.text.contains("Latchkey"))
        let logo = try #require(page.text.firstMatch(of: /<img src="(\/assets\/logo-[0-9a-f]{16}\.svg)"/))
        #expect(await browser.get(String(logo.1)).response.body == Self.drawing)
        let style = try #require(page.text.firstMatch(of: /href="(\/assets\/brand-[0-9a-f]{16}\.css)"/))
        #expect(await browser.get(String(style.1)).text.hasPrefix(":root{--accent:#7a1fa2;"))
        #expect(browser.page.response.headers["Cache-Control"] == "public, max-age=31536000, immutable")
        browser.headers = [("Accept-Language", "de")]
        #expect(await browser.get("/").heading == "Willkommen bei Nova")
        #expect(await browser.get("/nowhere").text.contains("· Nova &lt;Cable&gt;</title>"))
    }

    @Test(.branded)
    func `A channel brand's own is on the pages of its codes, and the operator's where it has none`() async throws {
        let browser = Browser(fixture)
        let code = try await fixture.code()
        await browser.get("/activate").expect(contains: "· Nova &lt;Cable&gt;</title>")
        try await browser.submit("/activate", [("code", code.text)]).expect(
            contains: "· Northstar</title>", #"<p class="lead">Northstar TV on "#)
        for _ in 0..<2 {
            browser.page.expect(shows: "Privacy", "Help", contains: "/assets/brand-")
            try await browser.walkToConfirmation(code.text)
        }
        try await browser.decide("confirm").expect(contains: "· Northstar</title>")
        let other = try await fixture.code(requestor: ScreenFixture.strangeBrand)
        try await browser.walkToConfirmation(other.text).expect(contains: "· Nova &lt;Cable&gt;</title>")
    }

    @Test(arguments: ["#ffff00", "#ffffff", "#f3f1ec", "#7fb3d5", "#ff8800"])
    func `A colour that cannot be read is none, and a near one that can is found`(_ text: String) throws {
        let colour = try #require(Colour(text))
        #expect(Palette(accent: colour) == nil)
        let near = Palette.darkened(colour)
        #expect(Palette(accent: near) != nil)
        #expect(near.contrast(to: try #require(Colour("#ffffff"))) >= 4.5)
    }

    @Test(arguments: ["#000000", "#7a1fa2", "#b00020", "#0b6a5c"])
    func `A colour that is read on light is made light enough for dark`(_ text: String) throws {
        let colour = try #require(Colour(text))
        #expect(Palette(accent: colour) != nil)
        #expect(Palette(accent: colour, accentOnDark: colour) == nil)
        #expect(Palette.lightened(colour).contrast(to: try #require(Colour("#1a2221"))) >= 4.5)
    }

    @Test(arguments: [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#0b6a5c", "#ffffff", 6.5)])
    func `Contrast is what WCAG says`(_ one: String, other: String, ratio: Double) throws {
        let found = try #require(Colour(one)).contrast(to: try #require(Colour(other)))
        #expect(abs(found - ratio) < 0.02)
    }

    @Test("A colour is # and six digits", arguments: ["", "0b6a5c", "#0b6a5", "#0b6a5cc", "#0b6a5g", "#é06a5", "red"])
    func noColour(_ text: String) { #expect(Colour(text) == nil) }

    @Test func `A logo is a picture that pages can show, and small: it is part of every first view`() throws {
        func fault(_ bytes: [UInt8]) -> PictureFault? {
            thrown { () throws(PictureFault) in try Picture(bytes, atMost: Branding.maximumLogoSize) }
        }
        #expect(fault(Self.drawing) == nil)
        #expect(fault(SamplePicture.png()) == nil)
        #expect(fault(SamplePicture.webP()) == nil)
        #expect(fault(SamplePicture.png(more: 7000)) == .tooLong(limit: 6144))
        #expect(fault([]) == .unknownKind)
    }

    @Test(
        "A sentence in place of ours has a key, a language and the names that there are",
        arguments: [
            ("code.title", "en", "Your code?", nil), ("signIn.lead", "ja", "{brand}", nil),
            ("no.such", "en", "x", "there is no sentence 'no.such'"),
            ("ago.hours", "en", "x", "'ago.hours' has forms for numbers and stays as it is"),
            ("code.title", "en", "{brand}", "nothing is called '{brand}' in 'code.title'"),
            ("signIn.lead", "en", "{brand", "a brace without its partner in “{brand”"),
        ] as [(String, String, String, String?)])
    func texts(_ key: String, language: String, text: String, fault: String?) {
        #expect(Branding.fault(of: text, for: key, in: language) == fault)
        #expect(Branding.fault(of: text, for: key, in: "xx")?.hasPrefix("\"xx\" is no language of the pages") == true)
    }
}

extension Trait where Self == Lending<ScreenFixture> {
    fileprivate static var branded: Self {
        .fixture(
            .init(branding: {
                $0.branding = try BrandingTests.operatorsOwn()
                $0.requestorBranding = [ScreenFixture.brand: BrandingTests.northstar()]
            }))
    }
}
