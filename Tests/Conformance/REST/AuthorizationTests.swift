import Clientless
import Cryptography
import Entitlement
import FoundationEssentials
import HTTPClient
import MediaTokenVerifier
import TestSupport
import Testing
import WireAnswers

@Suite("Decisions and media tokens on the wire", .wire, .timeLimit(.minutes(5)))
struct AuthorizationTests {
    static let query = "deviceId=box-1&requestor=NORTHSPORT&resource=North%20Sport%20HD"
    static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    @Test(arguments: [
        ("authorize", 403), ("tokens/authz", 412), ("tokens/media", 403), ("mediatoken", 403),
    ])
    func `are refused before anybody signed in`(path: String, status: Int) async throws {
        let json = try await wire.signed(.get, "/api/v1/\(path)?\(Self.query)").expect(status)
        // A client shows `details` where the member exists (rest-v1 15.1).
        let details = status == 412 ? #","details":null"# : ""
        #expect(json.text == #"{"status":\#(status),"message":"User not authenticated"\#(details)}"#)
        try await wire.signed(.get, "/api/v1/\(path)?\(Self.query)", accept: "*/*").expect(
            status,
            Self.xml
                + "<error><status>\(status)</status><message>User not authenticated</message></error>")
    }

    @Test func `are given, kept and read`() async throws {
        try await wire.signedInDevice()
        try await wire.signed(.get, "/api/v1/tokens/authz?\(Self.query)").expect(
            404, #"{"status":404,"message":"Not Found","details":null}"#)
        try await wire.signed(.get, "/api/v1/tokens/authz.xml?\(Self.query)").expect(
            404, Self.xml + "<error><status>404</status><message>Not found</message></error>")
        try await wire.signed(.get, "/api/v1/tokens/media?\(Self.query)").expect(
            403, #"{"status":403,"message":"User not authorized","details":null}"#)

        let json =
            #"{"mvpd":"CableNova","resource":"North Sport HD","requestor":"NORTHSPORT","expires":"1767312000000"}"#
        for (method, path) in [(HTTPClient.Method.get, "authorize"), (.post, "authorize"), (.get, "tokens/authz")] {
            try await wire.signed(method, "/api/v1/\(path)?\(Self.query)").expect(
                200, json, headers: ["Cache-Control": "no-store"])
        }
        #expect(wire.provider.decisions == 1)
        try await wire.signed(.get, "/api/v1/authorize?\(Self.query)", accept: "*/*").expect(
            200,
            Self.xml + "<authorization><expires>1767312000000</expires><mvpd>CableNova</mvpd>"
                + "<requestor>NORTHSPORT</requestor><resource>North Sport HD</resource></authorization>")
    }

    @Test func `name the provider that serves another's viewers, as the list of providers does`() async throws {
        let mvpds = WireFixture.catalogue.mvpds.map { mvpd in
            MVPD(id: mvpd.id, displayName: mvpd.displayName, trial: mvpd.trial, proxy: MVPDID("NovaProxy"))
        }
        let catalogue = Catalogue(requestors: WireFixture.catalogue.requestors, mvpds: mvpds)
        try await WireFixture.serve(catalogue: catalogue) { wire in
            try await wire.signedInDevice()
            try await wire.signed(.get, "/api/v1/authorize?\(Self.query)").expect(
                200,
                #"{"mvpd":"CableNova","resource":"North Sport HD","requestor":"NORTHSPORT","#
                    + #""expires":"1767312000000","proxyMvpd":"NovaProxy"}"#)
            let xml = try await wire.signed(.get, "/api/v1/tokens/authz?\(Self.query)", accept: "*/*")
            #expect(
                xml.text.hasSuffix(
                    "<resource>North Sport HD</resource><proxyMvpd>NovaProxy</proxyMvpd></authorization>"))
            let picker = try await wire.call(.get, "/api/v1/config/NORTHSPORT.json").text
            #expect(picker.contains(#""isProxy":true"#) && !picker.contains(#""isProxy":false"#))
        }
    }

    @Test func `say the resource as it was asked, white space included, and keep one decision about it`() async throws {
        try await wire.signedInDevice()
        let device = "deviceId=box-1&requestor=NORTHSPORT"
        for (encoded, resource) in [
            ("North%20Sport%20HD", "North Sport HD"), ("%20North%20Sport%20HD%20", " North Sport HD "),
            ("North%20Sport%20HD%20%20", "North Sport HD  "),
        ] {
            for path in ["authorize", "tokens/authz", "mediatoken"] {
                let answer = try await wire.signed(.get, "/api/v1/\(path).json?\(device)&resource=\(encoded)")
                #expect(answer.status == 200 && answer.value("resource") == resource, "\(path): \(answer.text)")
                guard path == "mediatoken" else { continue }
                let token = try #require(answer.value("serializedToken").flatMap { Base64.decode($0) })
                let signed = try SignedTokenDocument(parsing: String(decoding: token, as: UTF8.self))
                #expect(try MediaTokenDocument(element: signed.element).resource.received == resource)
            }
        }
        #expect(wire.provider.decisions == 1)
        let list = try await wire.signed(
            .get, "/api/v1/preauthorize.json?\(device)&resource=%20North%20Sport%20HD%20,b")
        #expect(list.text.contains(#""id":"North Sport HD","authorized":true"#), "\(list.text)")
    }

    @Test func `expire, and are gone then`() async throws {
        try await wire.signedInDevice()
        #expect(try await wire.signed(.get, "/api/v1/authorize?\(Self.query)").status == 200)
        wire.clock.advance(by: .seconds(24 * 3600))
        try await wire.signed(.get, "/api/v1/tokens/authz?\(Self.query)").expect(
            410, #"{"status":410,"message":"Gone","details":null}"#)
        #expect(try await wire.signed(.get, "/api/v1/tokens/media?\(Self.query)").status == 403)
        #expect(try await wire.signed(.get, "/api/v1/authorize?\(Self.query)").status == 200)
    }

    @Test func `carry the provider's sentence when they are refused`() async throws {
        try await wire.signedInDevice()
        let target = "/api/v1/authorize?deviceId=box-1&requestor=NORTHSPORT&resource=A%26B"
        try await wire.signed(.get, target).expect(
            403, #"{"status":403,"message":"User not authorized","details":"A&B is not part of your package."}"#)
        try await wire.signed(.get, target, accept: "*/*").expect(
            403,
            Self.xml + "<error><status>403</status><message>User not authorized</message>"
                + "<details>A&amp;B is not part of your package.</details></error>")
        wire.provider.setDown(true)
        let down = try await wire.signed(.get, target).expect(403)
        #expect(down.text.hasPrefix(#"{"status":403,"message":"User not authorized","details":""#))
    }

    @Test(arguments: ["authorize", "tokens/authz", "tokens/media"])
    func `need a requestor, a device and a well-formed resource`(path: String) async throws {
        let rows = [
            ("resource=x", "Required 'deviceId' is not present"),
            ("deviceId=d", "Required 'resource' is not present"),
            ("deviceId=d&resource=", "Required 'resource' is not present"),
            ("deviceId=d&resource=%20%0A", "Invalid resource"),
            ("deviceId=d&resource=%3Crss%3E", "Invalid resource"),
            ("deviceId=d&resource=%3Ca%3E%3C/a%3E", "Invalid resource"),
            ("deviceId=d&resource=%C3", "Invalid resource"),
            ("deviceId=d&resource=\(String(repeating: "a", count: 8193))", "Invalid resource"),
            ("deviceId=d&resource=x&requestor=NOBODY", "Invalid requestor"),
        ]
        for (query, message) in rows {
            try await wire.signed(.get, "/api/v1/\(path)?\(query)").expect(
                400, #"{"status":400,"message":"\#(message)","details":null}"#, comment: "\(query.prefix(60))")
        }
    }

    @Test func `take a whole MRSS document, and give it back escaped`() async throws {
        try await wire.signedInDevice()
        let resource = "<rss><channel><title>North Sport HD</title><item><title>Cup</title></item></channel></rss>"
        let encoded = resource.replacing("<", with: "%3C").replacing(">", with: "%3E").replacing(" ", with: "%20")
        let answer = try await wire.signed(.get, "/api/v1/authorize?deviceId=box-1&resource=\(encoded)", accept: "*/*")
            .expect(200)
        #expect(answer.text.contains("<resource>&lt;rss&gt;&lt;channel&gt;&lt;title&gt;North Sport HD"))
    }

    @Test(arguments: [
        "tokens/media", "mediatoken",
    ])
    func `turn into media tokens that the published key verifies, a new one each time`(path: String) async throws {
        try await wire.signedInDevice()
        _ = try await wire.signed(.get, "/api/v1/authorize?\(Self.query)")
        let json = try await wire.signed(.get, "/api/v1/\(path)?\(Self.query)").expect(200)
        let token = try #require(json.value("serializedToken"))
        let user = try #require(json.value("userId"))
        #expect(
            json.text
                == #"{"resource":"North Sport HD","requestor":"NORTHSPORT","expires":"1767226020000","#
                + #""serializedToken":"\#(token)","userId":"\#(user)","mvpdId":"CableNova"}"#)
        let pem = try await wire.call(.get, "/.well-known/media-token-key.pem").expect(200)
        let verifier = try MediaTokenVerifier(requestor: "NORTHSPORT", trustedKeys: [pem.text])
        let issued = Date(timeIntervalSince1970: 1_767_225_600)
        #expect(verifier.verify(token, resource: "North Sport HD", at: issued).result == .validToken)
        #expect(verifier.verify(token, resource: "Other", at: issued).result == .invalidResourceID)
        #expect(
            verifier.verify(token, resource: "North Sport HD", at: issued.addingTimeInterval(420)).result
                == .tokenExpired)
        wire.clock.advance(by: .seconds(1))
        let xml = try await wire.signed(.post, "/api/v1/\(path)?\(Self.query)", accept: "*/*")
        let next = try #require(xml.value("serializedToken"))
        #expect(next != token)
        #expect(
            xml.text
                == Self.xml + "<play><expires>1767226021000</expires><mvpdId>CableNova</mvpdId>"
                + "<requestor>NORTHSPORT</requestor><resource>North Sport HD</resource>"
                + "<serializedToken>\(next)</serializedToken><userId>\(user)</userId></play>")
    }

    @Test func `belong to the sign-in they were made under`() async throws {
        try await wire.signedInDevice()
        #expect(try await wire.signed(.get, "/api/v1/authorize?\(Self.query)").status == 200)
        try await wire.signedInDevice("box-1", mvpd: WireFixture.otherProvider)
        #expect(try await wire.signed(.get, "/api/v1/tokens/authz?\(Self.query)").status == 404)
        #expect(try await wire.signed(.get, "/api/v1/authorize?\(Self.query)").value("mvpd") == "DishNova")
        #expect(wire.otherProvider.decisions == 1)
        #expect(try await wire.signed(.delete, "/api/v1/logout?deviceId=box-1").status == 204)
        #expect(try await wire.signed(.get, "/api/v1/tokens/authz?\(Self.query)").status == 412)
    }
}
