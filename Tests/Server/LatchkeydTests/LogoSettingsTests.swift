import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import ServerAPI
import TestSupport
import Testing

@testable import latchkeyd

@Suite("What an operator configures for pickers", .demo)
struct LogoSettingsTests {
    private static let nova = MVPDID("CableNova")!
    private static let brand = RequestorID("NORTHSPORT")!

    private static func text(_ provider: String, integration: String = "", more: String = "") -> String {
        configurationText(provider: provider, integration: integration, top: more)
    }

    private static let regions = #"regions: [{ name: "South", networks: ["192.0.2.0/24"] }],"#

    @Test(
        "a logo is a file, from the configuration's folder on, or an https address; boxes are told of the latter alone")
    func sources() throws {
        let file = try configuration(Self.text(#"logo: "nova.svg""#, integration: #"logo: "https://a.example/a""#))
        #expect(file.logoSources[LogoPlace(Self.nova)] == .file("/etc/latchkeyd/nova.svg"))
        #expect(file.logoSources[LogoPlace(Self.nova, for: Self.brand)] == .address("https://a.example/a"))
        #expect(file.logoSources.count == 2)
        #expect(file.catalogue.mvpd(Self.nova)?.logoURL == nil)
        let requestor = try #require(file.catalogue.requestor(Self.brand))
        #expect(file.catalogue.mvpds(of: requestor).first?.logoURL == "https://a.example/a")
        #expect(try configuration(Self.text("")).logoSources.isEmpty)
    }

    @Test(arguments: ["http://a.example/a.png", "ftp://a.example/a.png", "https://", "https://u:p@a.example/", ""])
    func `a logo is at no address in clear, and none that is no address`(_ logo: String) {
        for text in [Self.text("logo: '\(logo)'"), Self.text("", integration: "logo: '\(logo)'")] {
            #expect(faults(of: text).contains { $0.contains("logo must be an https address, such as") }, "\(logo)")
        }
    }

    @Test func `an integration may have a name and regions of its own`() throws {
        let configuration = try configuration(
            Self.text("regions: ['South']", integration: "name: 'Nova Sport', regions: []", more: Self.regions))
        let catalogue = configuration.catalogue
        #expect(catalogue.mvpd(Self.nova)?.regions == ["South"])
        let requestor = try #require(catalogue.requestor(Self.brand))
        let shown = try #require(catalogue.mvpds(of: requestor).first)
        #expect(shown.displayName == "Nova Sport" && shown.regions.isEmpty)
        #expect(catalogue.region(of: .v4(0xC000_0201), languages: []) == "South")
        // What is served is made of the catalogue and of the files it names.
        #expect(try configuration.completeCatalogue().region(of: .v4(0xC000_0201), languages: []) == "South")
    }

    @Test(
        "regions have one name each and someone who lives there, and providers name those there are",
        arguments: [
            (
                "{ name: 'South', languages: ['it'] }", "regions: ['Sout']",
                "providers[0].regions names \"Sout\", which none of the regions is called; perhaps \"South\" is meant"
            ),
            ("{ name: 'East' }", "", "regions[0].networks is empty, and so is languages"),
            (
                "{ name: 'South', languages: ['it'] }, { name: 'South', languages: ['de'] }", "",
                "regions[1].name is \"South\" again"
            ),
            ("{ networks: ['10.0.0.0/8'] }", "", "regions[0].name is missing"),
            ("{ name: 'East', languages: ['de AT'] }", "", "regions[0].languages[0] must be the tag of a language"),
            ("{ name: 'East', networks: ['unix'] }", "", "regions[0].networks has an entry, number 1"),
        ])
    func regions(_ regions: String, provider: String, fault: String) {
        let found = faults(of: Self.text(provider, more: "regions: [\(regions)],"))
        #expect(found.contains { $0.contains(fault) }, "\(found)")
    }

    @Test func `how long things last is the provider's to say, and the integration's to change`() throws {
        let configuration = try configuration(
            Self.text(
                "authenticationLifetime: '90d', mediaTokenLifetime: '5m'", integration: "mediaTokenLifetime: '2m'"))
        let integration = try #require(configuration.catalogue.integration(Self.brand, Self.nova))
        #expect(integration.authenticationLifetime == .seconds(90 * 86_400))
        #expect(integration.authorizationLifetime == .seconds(86_400))
        #expect(integration.mediaTokenLifetime == .seconds(120))
    }

    @Test func `check-config says which file is a logo that no page can show, and finds no fault in it`() async throws {
        try setUp.replace(
            "providers: [",
            with: """
                providers: [
                    { id: "GoodTV", name: "Good TV", logo: "good.svg" },
                    { id: "OddTV", name: "Odd TV", logo: "odd.svg" },
                    { id: "GoneTV", name: "Gone TV", logo: "gone.png" },
                    { id: "FarTV", name: "Far TV", logo: "https://far.example/logo.png" },
                """, maxReplacements: 1)
        try Data(SamplePicture.svg()).write(to: URL(filePath: setUp.file("good.svg")))
        try Data("GIF89a".utf8).write(to: URL(filePath: setUp.file("odd.svg")))
        let run = try await CommandRun.run("check-config", setUp.configurationFile)
        #expect(run.code == .success && run.output == "")
        let lines = run.talk.split(separator: "\n").filter { $0.contains("a logo that no page can show") }
        #expect(lines.count == 2)
        #expect(
            lines.contains {
                $0.contains("(it is neither PNG, WebP nor SVG, file \(setUp.file("odd.svg")), provider OddTV")
            }, "\(lines)")
        #expect(lines.contains { $0.contains("gone.png cannot be read") && $0.contains("provider GoneTV") })
    }
}
