import Clientless
import Entitlement
import HTTPServer
import TestSupport
import Testing
import WebPages

@testable import ServerAPI

@Suite("Pages and their files, compressed", .fixture)
struct CompressedPageTests {
    private let browser = Browser(fixture)

    private static let gzip = ("Accept-Encoding", "gzip, deflate, br")

    /// An answer without and with a coding.
    private struct Pair {
        let path: String
        let plain: HTTPResponse
        let coded: HTTPResponse
    }

    private static func pair(_ browser: Browser, _ path: String) async -> Pair {
        browser.headers = [self.gzip]
        let coded = await browser.get(path).response
        browser.headers = []
        // Last, so that the browser can fill in the page's forms.
        let plain = await browser.get(path).response
        return Pair(path: path, plain: plain, coded: coded)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        ShownPage.withoutTokens(String(decoding: bytes, as: UTF8.self))
    }

    /// Expects that every pair is one answer in two codings.
    private static func check(_ pairs: [Pair]) async throws {
        let bytes = try await gunzipped(pairs.map(\.coded.body))
        for (pair, bytes) in zip(pairs, bytes) {
            #expect(pair.coded.headers["Content-Encoding"] == "gzip", "\(pair.path)")
            #expect(pair.plain.headers["Content-Encoding"] == nil, "\(pair.path)")
            #expect(self.text(bytes) == self.text(pair.plain.body), "\(pair.path)")
            #expect(pair.coded.body.count < pair.plain.body.count, "\(pair.path)")
            for answer in [pair.plain, pair.coded] {
                let vary = answer.headers.all("Vary").joined(separator: ", ")
                #expect(vary.contains("Accept-Encoding"), "\(pair.path)")
                #expect(answer.headers["ETag"] == nil && answer.headers["Accept-Ranges"] == nil, "\(pair.path)")
            }
            let names = ["Content-Encoding", "Adobe-Request-Id"]
            let rest = [pair.plain, pair.coded].map { answer in
                answer.headers.fields.filter { !names.contains($0.name) }.map { "\($0)" }
            }
            #expect(rest[0] == rest[1], "\(pair.path)")
        }
    }

    @Test func `Every file is, decompressed, what it is without`() async throws {
        let bars = String(repeating: #"<rect width="2" height="2"/>"#, count: 20)
        let drawing = try Picture(SamplePicture.svg(bars), atMost: LogoShelf.maximumSize)
        #expect(fixture.settings.logos.put(drawing, at: LogoPlace(ScreenFixture.cedar)))
        let paths = try AssetCatalogue(WebFiles.assets).assets.map(\.path) + [drawing.path]
        #expect(paths.count >= 15)
        var pairs: [Pair] = []
        for path in paths { pairs.append(await Self.pair(browser, path)) }
        try await Self.check(pairs)
    }

    @Test(arguments: [SamplePicture.png(), SamplePicture.webP()])
    func `A picture that is compressed already stays as it is`(_ bytes: [UInt8]) async throws {
        let picture = try Picture(bytes, atMost: LogoShelf.maximumSize)
        #expect(fixture.settings.logos.put(picture, at: LogoPlace(ScreenFixture.cedar)))
        let pair = await Self.pair(browser, picture.path)
        #expect(pair.coded.headers["Content-Encoding"] == nil && pair.coded.headers["Vary"] != "Accept-Encoding")
        #expect(pair.coded.body == bytes)
    }

    @Test func `Every page of a pairing and of a viewer's boxes is, decompressed, what it is without`() async throws {
        let code = try await fixture.code().text
        await browser.get("/")
        var pairs: [Pair] = []
        for path in [
            "/", "/activate", "/activate?code=x", "/activate?code=\(code)", "/activate/provider?code=\(code)",
            "/activate/declined", "/boxes", "/nothing/here", "/activate/sign-in?attempt=none",
        ] { pairs.append(await Self.pair(browser, path)) }
        try await browser.walkToSignIn(code)
        pairs.append(await Self.pair(browser, browser.page.path))
        try await browser.signIn()
        pairs.append(await Self.pair(browser, browser.page.path))
        try await browser.decide("confirm")
        pairs.append(await Self.pair(browser, browser.page.path))
        try await browser.walkToBoxes()
        pairs.append(await Self.pair(browser, browser.page.path))
        let notice = try #require(fixture.addedBoxes.first?.notice)
        pairs.append(await Self.pair(browser, ScreenPath.boxNotice(notice)))
        #expect(Set(pairs.map { $0.plain.body.count }).count >= 12)
        try await Self.check(pairs)
    }

    @Test("What is short, what leads elsewhere, and what programs read is not")
    func others() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        browser.headers = [Self.gzip]
        let form = try #require(
            await browser.get("/activate").response.headers["Content-Encoding"] == "gzip"
                ? await Self.plainForm(browser) : nil)
        #expect(await browser.post("/activate/check", form + [("code", code.text)]).text == "good")
        #expect(browser.page.response.headers["Content-Encoding"] == nil)
        #expect(await browser.post("/activate", form + [("code", code.text)]).status == 303)
        #expect(browser.page.response.headers["Content-Encoding"] == nil)
        // Metrics are for this machine.
        let program = try Browser(fixture, address: "127.0.0.1")
        program.headers = [Self.gzip]
        var longest = 0
        for path in ["/api/v1/config/NORTHSTAR", "/api/v1/config/NORTHSTAR.json", "/metrics", "/healthz"] {
            let answer = await program.get(path).response
            #expect(answer.status == .ok, "\(path)")
            #expect(answer.headers["Content-Encoding"] == nil, "\(path)")
            longest = max(longest, answer.body.count)
        }
        // A page of so many bytes is compressed.
        #expect(longest > 200)
    }

    private static func plainForm(_ browser: Browser) async -> [(String, String)]? {
        let headers = browser.headers
        browser.headers = []
        defer { browser.headers = headers }
        return await browser.get("/activate").form("/activate")
    }

    @Test("A caller gets the coding that it takes, and no other", arguments: AcceptedCoding.all)
    func negotiated(_ accepted: AcceptedCoding) async throws {
        let style = try #require(try AssetCatalogue(WebFiles.assets).paths["latchkey.css"])
        browser.headers = accepted.headers
        for path in ["/activate", style] {
            let coding = await browser.get(path).response.headers["Content-Encoding"]
            #expect((coding == "gzip") == accepted.isGzip, "\(path)")
        }
    }

    struct AcceptedCoding: Sendable, CustomTestStringConvertible {
        let headers: [(name: String, value: String)]
        let isGzip: Bool
        var testDescription: String { self.headers.map(\.value).joined(separator: " | ") }

        init(_ values: [String], _ isGzip: Bool) {
            self.headers = values.map { ("Accept-Encoding", $0) }
            self.isGzip = isGzip
        }

        static let all = [
            AcceptedCoding([], false), AcceptedCoding(["gzip"], true), AcceptedCoding(["br", "gzip;q=0.1"], true),
            AcceptedCoding(["gzip;q=0"], false), AcceptedCoding(["*"], true), AcceptedCoding(["identity"], false),
            AcceptedCoding(["identity;q=0, *"], true), AcceptedCoding(["*;q=0"], false),
        ]
    }
}
