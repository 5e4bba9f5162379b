import Clientless
import Entitlement
import Testing

@Suite("The picker of many providers")
struct PickerTests {
    static let names = [
        "Zebra Net", "Ätna Télé", "alpha TV", "Éclair", "Estrella", "9Vision", "Óptica", "Orbit", "Łódź Kabel", "Lumen",
        "Çelik", "Cobalt",
    ]

    private static func page(_ names: [String], mvpd: MVPDID? = nil) async throws -> ShownPage {
        let providers = names.enumerated().compactMap { place, name in
            MVPDID("P\(place)").map { MVPD(id: $0, displayName: name) }
        }
        var page: ShownPage?
        try await ScreenFixture.with(.init(moreProviders: providers)) { fixture in
            let code = try await fixture.code(mvpd: mvpd)
            page = await (Browser(fixture)).get("/activate/provider?code=\(code.text)")
        }
        return try #require(page)
    }

    private static func shown(_ page: ShownPage) -> [String] {
        page.text.matches(of: /<span class="provider-name">(?:<bdi>)?([^<]*[^< ])/).map { String($0.1) }
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
        page.expect(contains: #"<div class="finder" hidden="hidden">"#, #"data-last="Picked last time""#)
    }

    @Test func `keeps the operator's order of a few, without letters`() async throws {
        let page = try await Self.page(["Zebra Net"])
        #expect(Self.shown(page) == ["Cedar Cable", "Harbor Fiber", "Free preview", "Zebra Net"])
        #expect(!page.text.contains("finder"))
        #expect(!page.text.contains("letters"))
    }

    @Test func `has the one that the box chose first, whatever its name`() async throws {
        let page = try await Self.page(Self.names, mvpd: MVPDID("P0"))
        #expect(Self.shown(page).first == "Zebra Net")
        #expect(page.text.matches(of: /Chosen on your TV/).count == 1)
    }

    @Test("has those of the viewer's region next, by the network or by the language, where the operator names regions")
    func regional() async throws {
        let alpine = MVPD(id: MVPDID("Alpine")!, displayName: "Alpine Cable", regions: ["AT"])
        let network = try #require(NetworkPrefix(.v4(0xC000_0200), length: 24))
        let regions = [
            Region(name: "AT", networks: [network], languages: ["de-AT"]), Region(name: "CH", networks: []),
        ]
        try await ScreenFixture.with(.init(moreProviders: [alpine], regions: regions)) { fixture in
            let path = "/activate/provider?code=\(try await fixture.code(mvpd: ScreenFixture.harbor).text)"
            let near = await (Browser(fixture)).get(path)
            #expect(Self.shown(near) == ["Harbor Fiber", "Alpine Cable", "Cedar Cable", "Free preview"])
            #expect(near.text.matches(of: /<small>In your region<\/small>/).count == 1)
            let far = try Browser(fixture, address: "198.51.100.7")
            #expect(Self.shown(await far.get(path)) == ["Harbor Fiber", "Cedar Cable", "Free preview", "Alpine Cable"])
            #expect(!far.page.text.contains("In your region"))
            far.headers = [("Accept-Language", "de-AT, en;q=0.5")]
            #expect(Self.shown(await far.get(path)).prefix(2) == ["Harbor Fiber", "Alpine Cable"])
        }
    }

    @Test func `sorts those of the region among themselves, and gives the others their letters`() async throws {
        let providers = Self.names.enumerated().compactMap { place, name in
            MVPDID("P\(place)").map {
                MVPD(id: $0, displayName: name, regions: place < 2 ? ["AT"] : ["CH"])
            }
        }
        let network = try #require(NetworkPrefix(.v4(0xC000_0200), length: 24))
        try await ScreenFixture.with(
            .init(moreProviders: providers, regions: [Region(name: "AT", networks: [network])])
        ) {
            fixture in
            let code = try await fixture.code()
            let page = await (Browser(fixture)).get("/activate/provider?code=\(code.text)")
            #expect(Self.shown(page).prefix(4) == ["Ätna Télé", "Zebra Net", "9Vision", "alpha TV"])
            let letters = page.text.matches(of: /<a href="#(provider-\d+)">(.)<\/a>/).map { String($0.2) }
            #expect(letters.first == "#" && !letters.contains("Z"))
        }
    }

    @Test("calls them as the requestor does, and so do the pages that follow")
    func names() async throws {
        let look = ProviderLook(displayName: "Sunny Sport")
        try await ScreenFixture.with(.init(looks: [ScreenFixture.cedar: look])) { fixture in
            let code = try await fixture.code()
            let browser = Browser(fixture)
            #expect(Self.shown(await browser.get("/activate/provider?code=\(code.text)")).first == "Sunny Sport")
            try await browser.walkToSignIn(code.text).expect(contains: #"aria-hidden="true">SS</span>"#)
        }
    }
}
