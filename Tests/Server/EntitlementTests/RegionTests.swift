import Clientless
import Entitlement
import Testing

@Suite("The region of a viewer")
struct RegionTests {
    private static let regions = [
        Region(name: "West", networks: [NetworkPrefix(.v4(0xC000_0200), length: 24)!], languages: ["fr-CH"]),
        Region(name: "All", networks: [NetworkPrefix(.v4(0xC000_0000), length: 16)!]),
        Region(name: "South", networks: [], languages: ["it-CH", "fr-CH"]),
    ]

    @Test(
        "is the first that has their network, and then the first that the best of their languages is asked for in",
        arguments: [
            (0xC000_0207, [], "West"), (0xC000_0107, ["fr-ch"], "All"),
            (0xC633_6407, ["de", "it-ch", "fr-ch"], "South"),
            (0xC633_6407, ["fr-ch"], "West"), (0xC633_6407, ["it", "ch"], nil), (0xC633_6407, [], nil),
        ] as [(UInt32, [String], String?)])
    func found(_ address: UInt32, languages: [String], name: String?) {
        let catalogue = Catalogue(requestors: [], mvpds: [], regions: Self.regions)
        #expect(catalogue.region(of: .v4(address), languages: languages) == name)
        #expect(Catalogue(requestors: [], mvpds: []).region(of: .v4(address), languages: languages) == nil)
    }

    @Test func `has the providers that name it; those that name none are local to none`() throws {
        let id = try #require(MVPDID("CableNova"))
        let provider = MVPD(id: id, displayName: "Cable Nova", regions: ["West"])
        #expect(provider.isLocal(to: "West"))
        #expect(!provider.isLocal(to: "South") && !provider.isLocal(to: nil))
        #expect(!MVPD(id: id, displayName: "Cable Nova").isLocal(to: "West"))
    }

    @Test func `counts for a requestor as its integration says, as do names and addresses of logos`() throws {
        let id = try #require(MVPDID("CableNova"))
        let look = ProviderLook(displayName: "Nova Sport", logoURL: "https://a.example/a.png", regions: ["South"])
        func shown(_ look: ProviderLook) throws -> MVPD {
            let requestor = Requestor(
                id: try #require(RequestorID("NORTHSPORT")), name: "North Sport",
                integrations: [Integration(mvpd: id, look: look)], strictness: .strict)
            let provider = MVPD(
                id: id, displayName: "Cable Nova", logoURL: "https://b.example/b.png", regions: ["West"])
            return try #require(Catalogue(requestors: [requestor], mvpds: [provider]).mvpds(of: requestor).first)
        }
        let (own, usual) = (try shown(look), try shown(ProviderLook()))
        #expect(own.displayName == "Nova Sport" && usual.displayName == "Cable Nova")
        #expect(own.logoURL == "https://a.example/a.png" && usual.logoURL == "https://b.example/b.png")
        #expect(own.regions == ["South"] && usual.regions == ["West"])
    }
}
