import Entitlement
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("The provider list on the wire", .wire, .timeLimit(.minutes(5)))
struct ConfigurationTests {
    static let xml =
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
        + "<config><device>unknown</device><clientType>html5</clientType><os>Unknown</os><requestor><id>NORTHSPORT</id>"
        + "<name>North Sport</name><domains><domain><name>north-sport.example</name>"
        + "<mvpdInitiated>false</mvpdInitiated></domain></domains>"
        + "<mvpds><mvpd visible=\"true\"><id>CableNova</id><displayName>Cable Nova</displayName>"
        + "<logoUrl>https://cdn.example.net/cablenova.png</logoUrl><iFrameRequired>false</iFrameRequired>"
        + "<authPerAggregator>false</authPerAggregator><passiveAuthnEnabled>true</passiveAuthnEnabled>"
        + "<authPerBrowserSession>false</authPerBrowserSession><foregroundLogout>false</foregroundLogout>"
        + "<isProxy>false</isProxy><isTempPass>false</isTempPass></mvpd><mvpd visible=\"true\"><id>DishNova</id>"
        + "<displayName>Dish &amp; Nova</displayName><logoUrl>https://tve.example.net/assets/logo.svg</logoUrl>"
        + "<iFrameRequired>false</iFrameRequired><authPerAggregator>true</authPerAggregator>"
        + "<passiveAuthnEnabled>true</passiveAuthnEnabled><authPerBrowserSession>false</authPerBrowserSession>"
        + "<foregroundLogout>false</foregroundLogout><isProxy>false</isProxy><isTempPass>false</isTempPass></mvpd>"
        + "</mvpds></requestor></config>"

    static let json =
        #"{"device":"unknown","clientType":"html5","os":"Unknown","requestor":{"id":"EASTSPORT","name":"East Sport","#
        + #""domains":{"domain":[]},"mvpds":{"mvpd":[{"id":"CableNova","displayName":"Cable Nova","#
        + #""logoUrl":"https://cdn.example.net/cablenova.png","iFrameRequired":false,"authPerAggregator":false,"#
        + #""passiveAuthnEnabled":true,"authPerBrowserSession":false,"foregroundLogout":false,"isProxy":false,"#
        + #""isTempPass":false}]}}}"#

    @Test func `is written as documented, needs no credential, and may be kept for minutes`() async throws {
        try await wire.call(.get, "/api/v1/config/NORTHSPORT?deviceType=x").expect(
            200, Self.xml, headers: ["Cache-Control": "max-age=300", "Vary": "Accept, Origin"])
        let json = try await wire.call(.get, "/api/v1/config/EASTSPORT.json")
        #expect(json.text == Self.json)
        #expect(json.headers["Content-Type"] == "application/json;charset=utf-8")
    }

    @Test func `says of providers, domains and clients what the operator set`() async throws {
        var picker = PickerFacts()
        picker.iFrameRequired = true
        picker.iFrameWidth = 640
        picker.passiveAuthnEnabled = false
        picker.authPerBrowserSession = true
        picker.foregroundLogout = true
        picker.isProxy = true
        var requestor = Requestor(
            id: WireFixture.requestor, name: "North Sport", domains: ["a.example", "b.example"],
            integrations: [Integration(mvpd: WireFixture.provider, picker: picker)], strictness: .compatible)
        requestor.mvpdInitiatedDomains = ["b.example"]
        let catalogue = Catalogue(
            requestors: [requestor],
            mvpds: WireFixture.catalogue.mvpds)
        try await WireFixture.serve(
            settings: {
                $0.clientLabels.device = "tv"
                $0.clientLabels.os = "Linux"
            }, catalogue: catalogue
        ) { wire in
            let text = try await wire.call(.get, "/api/v1/config/NORTHSPORT.json").text
            #expect(text.hasPrefix(#"{"device":"tv","clientType":"html5","os":"Linux","requestor":"#), "\(text)")
            #expect(
                text.contains(
                    #"[{"name":"a.example","mvpdInitiated":false},{"name":"b.example","mvpdInitiated":true}]"#))
            #expect(
                text.contains(
                    #""iFrameRequired":true,"iFrameWidth":640,"authPerAggregator":false,"passiveAuthnEnabled":false,"#
                        + #""authPerBrowserSession":true,"foregroundLogout":true,"isProxy":true,"isTempPass":false"#))
        }
    }

    @Test func `is always XML under its other name`() async throws {
        for target in [
            "/adobe-services/config/NORTHSPORT.json", "/adobe-services/config/NORTHSPORT?format=json",
            "/adobe-services/1.0/config/NORTHSPORT",
        ] {
            let answer = try await wire.call(.get, target, headers: ["Accept": "application/json"])
            #expect(answer.text == Self.xml)
            #expect(answer.headers["Content-Type"] == "application/xml;charset=utf-8")
        }
    }

    @Test func `says which providers are trials, and how each takes part in platform SSO`() async throws {
        #expect(try await wire.call(.get, "/api/v1/config/FULLSPORT.json").text.hasSuffix(Self.providers))
        #expect(try await wire.call(.get, "/api/v1/config/FULLSPORT").text.contains(Self.platform))
    }

    @Test("names this server's own copy of a logo once there is one, and the requestor's own name and logo")
    func logos() async throws {
        let (logos, picture) = (LogoShelf(), try Picture(SamplePicture.png(), atMost: LogoShelf.maximumSize))
        var integration = Integration(mvpd: WireFixture.provider)
        integration.look.displayName = "Nova Sport"
        let requestors = [
            Requestor(
                id: WireFixture.requestor, name: "North Sport", integrations: [integration], strictness: .compatible),
            Requestor(
                id: WireFixture.foreign, name: "East Sport", integrations: [Integration(mvpd: WireFixture.provider)],
                strictness: .compatible),
        ]
        let catalogue = Catalogue(requestors: requestors, mvpds: WireFixture.catalogue.mvpds)
        try await WireFixture.serve(settings: { $0.logos = logos }, catalogue: catalogue) { wire in
            func list(_ requestor: String) async throws -> String {
                try await wire.call(.get, "/api/v1/config/\(requestor).json").text
            }
            let configured = #""logoUrl":"https://cdn.example.net/cablenova.png""#
            #expect(try await list("NORTHSPORT").contains(#""displayName":"Nova Sport",\#(configured)"#))
            #expect(logos.put(picture, at: LogoPlace(WireFixture.provider, for: WireFixture.requestor)))
            let own = #""logoUrl":"\#(WireFixture.issuer)\#(picture.path)""#
            #expect(try await list("NORTHSPORT").contains(own))
            #expect(try await list("EASTSPORT").contains(#""displayName":"Cable Nova",\#(configured)"#))
            try await wire.call(.get, picture.path).expect(200, headers: ["Content-Type": "image/png"])
            logos.keep([])
            #expect(try await list("NORTHSPORT").contains(configured))
        }
    }

    @Test func `says which providers are bypassed, for as long as they are`() async throws {
        try await wire.add(.authnAll, WireFixture.requestor, message: "")
        let json = try await wire.call(.get, "/api/v1/config/NORTHSPORT.json").text
        #expect(json.contains(#""isTempPass":false,"metadata":{"degradation":"authn-all"}}"#))
        let xml = try await wire.call(.get, "/api/v1/config/NORTHSPORT").text
        #expect(xml.contains("<metadata><degradation>authn-all</degradation></metadata>"))
        wire.clock.advance(by: .seconds(365 * 24 * 3600))
        #expect(try await !wire.call(.get, "/api/v1/config/NORTHSPORT.json").text.contains("degradation"))
    }

    private static func provider(_ id: String, _ name: String, logo: String, trial: Bool, _ more: String) -> String {
        #"{"id":"\#(id)","displayName":"\#(name)","logoUrl":"\#(logo)","iFrameRequired":false,"#
            + #""authPerAggregator":false,"passiveAuthnEnabled":true,"authPerBrowserSession":false,"#
            + #""foregroundLogout":false,"isProxy":false,"isTempPass":\#(trial)\#(more)}"#
    }

    private static let providers: String = {
        let logo = "https://tve.example.net/assets/logo.svg"
        let supported =
            #","enablePlatformServices":true,"boardingStatus":"SUPPORTED","displayInPlatformPicker":true,"#
            + #""platformMappingId":"cable_nova","requiredMetadataFields":["givenName","zip"],"#
            + #""enforcePlatformPermissions":true"#
        let listed =
            #","enablePlatformServices":false,"boardingStatus":"PICKER","displayInPlatformPicker":true,"#
            + #""enforcePlatformPermissions":false"#
        let entries = [
            Self.provider(
                "CableNova", "Cable Nova", logo: "https://cdn.example.net/cablenova.png", trial: false, supported),
            Self.provider("DishNova", "Dish & Nova", logo: logo, trial: false, listed),
            Self.provider("FreeHour", "Free hour", logo: logo, trial: true, ""),
            Self.provider(
                "FreePick", "Free pick", logo: logo, trial: true, #","metadata":{"promotional":true}"#),
        ]
        return #""mvpds":{"mvpd":["# + entries.joined(separator: ",") + "]}}}"
    }()

    private static let platform =
        "<isTempPass>false</isTempPass><enablePlatformServices>true</enablePlatformServices>"
        + "<boardingStatus>SUPPORTED</boardingStatus><displayInPlatformPicker>true</displayInPlatformPicker>"
        + "<platformMappingId>cable_nova</platformMappingId><requiredMetadataFields><field>givenName</field>"
        + "<field>zip</field></requiredMetadataFields>"
        + "<enforcePlatformPermissions>true</enforcePlatformPermissions></mvpd>"

    @Test("does not exist for unknown requestors", arguments: ["NOBODY", "northsport", "a%20b", "%C3"])
    func unknown(name: String) async throws {
        try await wire.call(.get, "/api/v1/config/\(name).json").expect(
            400, message: "Invalid requestor", headers: ["Cache-Control": "no-store"])
    }
}
