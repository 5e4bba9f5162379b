import Clientless
import HTTPClient
import Testing

@Suite("The provider list on the wire", .timeLimit(.minutes(1)))
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

    @Test("is written as documented, needs no credential, and may be kept for minutes")
    func documents() async throws {
        try await WireFixture.serve { wire in
            let xml = try await wire.call(.get, "/api/v1/config/NORTHSPORT?deviceType=x")
            #expect(xml.status == 200)
            #expect(xml.text == Self.xml)
            #expect(xml.headers["Cache-Control"] == "max-age=300")
            #expect(xml.headers["Vary"] == "Accept, Origin")
            let json = try await wire.call(.get, "/api/v1/config/EASTSPORT.json")
            #expect(json.text == Self.json)
            #expect(json.headers["Content-Type"] == "application/json;charset=utf-8")
        }
    }

    @Test("is always XML under its other name")
    func alias() async throws {
        try await WireFixture.serve { wire in
            for target in ["/adobe-services/config/NORTHSPORT.json", "/adobe-services/config/NORTHSPORT?format=json"] {
                let answer = try await wire.call(.get, target, headers: ["Accept": "application/json"])
                #expect(answer.text == Self.xml)
                #expect(answer.headers["Content-Type"] == "application/xml;charset=utf-8")
            }
        }
    }

    @Test("does not exist for unknown requestors", arguments: ["NOBODY", "northsport", "a%20b", "%C3"])
    func unknown(name: String) async throws {
        try await WireFixture.serve { wire in
            let answer = try await wire.call(.get, "/api/v1/config/\(name).json")
            #expect(answer.status == 400)
            #expect(answer.text == #"{"status":400,"message":"Invalid requestor"}"#)
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }
}
