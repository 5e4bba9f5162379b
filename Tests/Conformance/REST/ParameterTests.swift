import Entitlement
import HTTPClient
import Testing
import WireAnswers

@Suite("Common parameters on the wire", .wire, .timeLimit(.minutes(5)))
struct ParameterTests {
    /// Every endpoint that takes a requestor by parameter, with what else it needs.
    private static let endpoints: [(HTTPClient.Method, String)] = [
        (.get, "checkauthn?"), (.get, "tokens/authn?"), (.get, "authorize?resource=x"), (.post, "authorize?resource=x"),
        (.get, "tokens/authz?resource=x"), (.get, "tokens/media?resource=x"), (.get, "mediatoken?resource=x"),
        (.get, "preauthorize?resource=x"), (.get, "tokens/usermetadata?"), (.get, "authenticate/BCDFGHJ?"),
        (.post, "authenticate/freepreview?mso_id=FreeHour&domain_name=full-sport.example"),
        (.post, "tokens/authn?mvpd=CableNova&deviceType=iOS&SAMLResponse=YWNjZXB0ZWQgMQ"),
    ]

    @Test func `name the requestor as requestor or requestor_id, or leave it to the credential`() async throws {
        try await wire.signedInDevice()
        let key = WireFixture.full
        for (method, target) in Self.endpoints {
            let target = "/api/v1/\(target)&deviceId=box-3"
            let named = try await wire.signed(method, target + "&requestor=FULLSPORT")
            #expect(named.status != 400, "\(target): \(named.text)")
            for other in ["&requestor_id=FULLSPORT", "&requestor=&requestor_id=FULLSPORT"] {
                let answer = try await wire.signed(method, target + other)
                #expect(answer.status != 400 || target.contains("SAML"), "\(target)\(other)")
            }
            let signed = try await wire.signed(method, target.replacing("MQ", with: "Mg"), requestor: key)
            #expect(signed.status != 400, "\(target): \(signed.text)")
            try await wire.signed(method, target + "&requestor_id=NOBODY").expect(400, comment: "\(target)")
        }
    }

    @Test func `leave the requestor to an application that has one, and name it for one that has more`() async throws {
        let only = try await wire.accessToken()
        let several = try await wire.accessToken(for: WireFixture.sharedApplication)
        for (method, target) in Self.endpoints where !target.contains("FreeHour") && !target.contains("SAML") {
            let target = "/api/v1/\(target)&deviceId=box-3&format=json&access_token="
            #expect(try await wire.call(method, target + only).status != 400, "\(target)")
            let open = try await wire.call(method, target + several).expect(400, comment: "\(target)")
            #expect(open.text.hasPrefix(#"{"status":400,"message":"Required 'requestor' is not present""#))
            let named = try await wire.call(method, target + several + "&requestor_id=WESTSPORT")
            #expect(named.status != 400, "\(target)")
        }
        let body = "deviceId=box-3&resource=x&access_token=\(only)"
        #expect(try await wire.call(.post, "/api/v1/authorize.json", body: body).status == 403)
    }

    @Test func `name the provider as mso_id or mvpd`() async throws {
        let preview = "deviceId=d&requestor=FULLSPORT&domain_name=full-sport.example&"
        for name in ["mso_id", "mvpd"] {
            try await wire.signed(
                .post, "/api/v1/authenticate/freepreview", body: preview + "\(name)=FreeHour"
            ).expect(204)
            try await wire.signed(
                .post, "/api/v1/tokens/authn",
                body: "deviceId=d&requestor=FULLSPORT&deviceType=iOS&SAMLResponse=YWNjZXB0ZWQgMQ&\(name)=NoSuch"
            ).expect(400, message: "Invalid mvpd")
            let code = try await wire.code()
            let login = wire.authenticateTarget(code).replacing("mso_id", with: name)
            #expect(try await wire.call(.get, login).status == 302)
        }
    }

    @Test func `that identify the viewer to a platform are ignored, whatever they hold`() async throws {
        try await wire.signedInDevice()
        for token in ["eyJ.a.b", "%FF", "", "nonsense with spaces"] {
            try await wire.signed(
                .get, "/api/v1/checkauthn?deviceId=box-1&ast=\(token.replacing(" ", with: "%20"))",
                headers: [
                    "Adobe-Subject-Token": token, "X-Roku-Reserved-Roku-Connect-Token": token,
                    "AP-SDK-Identifier": token,
                ]
            ).expect(200)
        }
    }

    @Test func `come back without breaking out of an answer`() async throws {
        try await wire.add(.authnAll, WireFixture.requestor, message: "")
        let code = try await wire.code()
        try await wire.confirm(try await wire.call(.get, wire.authenticateTarget(code)))
        let hostile = "a%22%7D%3C/resource%3E%5D%5D%3E%0D%0ASet-Cookie:%20x%3Dy%0D%0A%0D%0A%3Cscript%3E%26amp;%5C"
        let json = try await wire.signed(.get, "/api/v1/authorize?deviceId=box-1&resource=\(hostile)").expect(
            200, headers: ["Set-Cookie": nil])
        #expect(
            json.text.contains(
                #""resource":"a\"}</resource>]]>\r\nSet-Cookie: x=y\r\n\r\n<script>&amp;\\""#))
        let xml = try await wire.signed(.get, "/api/v1/authorize?deviceId=box-1&resource=\(hostile)", accept: "*/*")
        #expect(
            xml.text.contains(
                "<resource>a\"}&lt;/resource&gt;]]&gt;&#13;\nSet-Cookie: x=y&#13;\n&#13;\n&lt;script&gt;&amp;amp;\\"
                    + "</resource>"))
        // What was authorized has a token, and what no token could name is not authorized.
        try await wire.signed(.get, "/api/v1/tokens/media?deviceId=box-1&resource=\(hostile)").expect(200)
        try await wire.signed(.get, "/api/v1/authorize?deviceId=box-1&resource=\(hostile)%01").expect(
            400, #"{"status":400,"message":"Invalid resource","details":null}"#)
    }
}
