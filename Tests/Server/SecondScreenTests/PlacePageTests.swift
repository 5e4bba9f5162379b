import Clientless
import Entitlement
import Places
import TestSupport
import Testing

@testable import ServerAPI

@Suite(
    "The place of a box",
    .fixture(
        .init(branding: {
            $0.places = PlaceBook()
            _ = try $0.places.follow(Vectors.path("places.mmdb"))
        })))
struct PlacePageTests {
    private let browser = Browser(fixture)

    @Test(
        "stands on the confirmation behind its network, with what a script needs to say the country",
        arguments: [
            ("192.0.2.10", #"</bdi>, near Berlin, <bdi data-region="DE">Germany</bdi></dd>"#),
            ("198.51.100.7", #"</bdi>, in <bdi data-region="SE">SE</bdi></dd>"#),
            ("198.18.0.7", #"</bdi>, near a&lt;script&gt;&quot;, &lt;b&gt;</dd>"#),
            ("192.0.3.1", "x</bdi></dd>"), ("192.168.1.7", "x</bdi></dd>"),
        ])
    func confirmation(_ address: String, expected: String) async throws {
        let code = try await fixture.code(ScreenFixture.box(address: address))
        try await browser.walkToConfirmation(code.text).expect(contains: expected)
    }

    @Test func `is not said of a box on this machine`() async throws {
        let code = try await fixture.code(ScreenFixture.box(address: "127.0.0.1"))
        try await browser.walkToConfirmation(code.text)
        #expect(!browser.page.text.contains("data-region") && !browser.page.shows("near "))
    }

    @Test func `stands on the list of a viewer's boxes, and on the page about a new one`() async throws {
        try await Browser(fixture).pair(try await fixture.code().text)
        try await browser.walkToBoxes().expect(contains: #", near Berlin, <bdi data-region="DE">Germany</bdi></dd>"#)
        let notice = try #require(fixture.addedBoxes.first?.notice)
        await browser.get("/boxes/new?notice=\(notice)").expect(
            contains: #", near Berlin, <bdi data-region="DE">Germany</bdi></dd>"#)
    }
}
