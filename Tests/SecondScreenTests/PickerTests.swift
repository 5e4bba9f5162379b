import Clientless
import Entitlement
import HTTPServer
import Testing

@Suite("The picker of many providers")
struct PickerTests {
    static let names = [
        "Zebra Net", "Ätna Télé", "alpha TV", "Éclair", "Estrella", "9Vision", "Óptica", "Orbit", "Łódź Kabel", "Lumen",
        "Çelik", "Cobalt",
    ]

    private static func page(_ names: [String], mvpd: MVPDID? = nil) async throws -> ShownPage {
        let providers = names.enumerated().compactMap { place, name in
            MVPDID("P\(place)").map { MVPD(id: $0, displayName: name, kind: .provider) }
        }
        var page: ShownPage?
        try await ScreenFixture.with(moreProviders: providers) { fixture in
            let code = try await fixture.code(mvpd: mvpd)
            page = await (try Browser(fixture)).get("/activate/provider?code=\(code.text)")
        }
        return try #require(page)
    }

    private static func shown(_ page: ShownPage) -> [String] {
        page.text.matches(of: /<span class="provider-name"><bdi>(.*?)<\/bdi>/).map { String($0.1) }
    }

    @Test("sorts them by name without accents, has letters, and a search once there is a script for it")
    func long() async throws {
        let page = try await Self.page(Self.names)
        #expect(
            Self.shown(page) == [
                "9Vision", "alpha TV", "Ätna Télé", "Cedar Cable", "Çelik", "Cobalt", "Éclair", "Estrella",
                "Free preview", "Harbor Fiber", "Łódź Kabel", "Lumen", "Óptica", "Orbit", "Zebra Net",
            ])
        let letters = page.text.matches(of: /<a href="#(provider-\d+)">(.)<\/a>/)
        #expect(letters.map { String($0.2) } == ["#", "A", "C", "E", "F", "H", "L", "O", "Z"])
        for letter in letters { #expect(page.text.contains(#"<li id="\#(letter.1)">"#)) }
        #expect(page.text.contains(#"<div class="finder" hidden="hidden">"#))
        #expect(page.text.contains(#"data-last="Picked last time""#))
    }

    @Test("keeps the operator's order of a few, without letters")
    func short() async throws {
        let page = try await Self.page(["Zebra Net"])
        #expect(Self.shown(page) == ["Cedar Cable", "Harbor Fiber", "Free preview", "Zebra Net"])
        #expect(!page.text.contains("finder"))
        #expect(!page.text.contains("letters"))
    }

    @Test("has the one that the box chose first, whatever its name")
    func chosen() async throws {
        let page = try await Self.page(Self.names, mvpd: MVPDID("P0"))
        #expect(Self.shown(page).first == "Zebra Net")
        #expect(page.text.matches(of: /Chosen on your TV/).count == 1)
    }
}
