import Clientless
import Cryptography
import Entitlement
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Clients and bearer calls on the wire", .wire, .timeLimit(.minutes(5)))
struct BearerTests {
    private func statement(_ application: String, key: RSAPrivateKey? = nil, issuer: String = WireFixture.issuer) throws
        -> String
    {
        try SoftwareStatement(
            softwareID: application, issuer: issuer, issuedAt: TestClock.start, notBefore: TestClock.start
        ).signed(by: key ?? WireFixture.statementKey.get())
    }

    @Test("register with a statement, by JSON or form, and get all six members")
    func register() async throws {
        let statement = try self.statement(WireFixture.application)
        let json = try await wire.call(
            .post, "/o/client/register.xml", headers: ["Content-Type": "application/json;charset=utf-8"],
            body:
                #"{"software_statement":"\#(statement)","redirect_uri":"hcplayer://signed-in","grant_types":["x"]}"#
        ).expect(201)
        #expect(json.headers["Content-Type"] == "application/json;charset=UTF-8")
        #expect(json.headers["Cache-Control"] == "no-store")
        #expect(json.headers["Pragma"] == "no-cache")
        let id = try #require(json.value("client_id"))
        let secret = try #require(json.value("client_secret"))
        #expect(
            json.text
                == #"{"client_id":"\#(id)","client_secret":"\#(secret)","redirect_uris":["hcplayer://signed-in"],"#
                + #""grant_types":["client_credentials"],"scopes":["api:client:v1"],"#
                + #""client_id_issued_at":1767225600}"#
        )
        let wrapped = statement.prefix(40) + "%0A%20" + statement.dropFirst(40)
        let form = try await wire.call(.post, "/o/client/register", body: "software_statement=\(wrapped)").expect(201)
        #expect(form.text.contains(#""redirect_uris":[]"#))
        #expect(form.value("client_id") != id)
    }

    @Test("are shown their scopes as the statement wrote them, and may do what the names mean together")
    func fieldScopes() async throws {
        let field = ["config:client", "decisions:client", "platform:sso", "profile:client", "tokens:client"]
        func register(_ scopes: [String]) async throws -> WireAnswer {
            let statement = try SoftwareStatement(
                softwareID: WireFixture.application, issuer: WireFixture.issuer, issuedAt: wire.clock.now,
                notBefore: wire.clock.now, scopes: scopes
            ).signed(by: WireFixture.statementKey.get())
            return try await wire.call(.post, "/o/client/register", body: "software_statement=\(statement)")
        }
        let client = try await register(field)
        let shown = field.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(client.text.contains("\"scopes\":[\(shown)]"), "\(client.text)")
        // More than the application was granted is not shown.
        for scopes in [["devices:owner"], ["x"], Array(field.dropLast())] {
            #expect(try await register(scopes).text.contains(#""scopes":["api:client:v1"]"#))
        }
        let id = try #require(client.value("client_id"))
        let secret = try #require(client.value("client_secret"))
        let credentials = "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)&scope="
        let token = try await wire.call(.post, "/o/client/token", body: credentials + field.joined(separator: "%2C"))
            .expect(201)
        let bearer = "Bearer \(try #require(token.value("access_token")))"
        let check = try await wire.call(
            .get, "/api/v1/checkauthn?deviceId=box-1&requestor=NORTHSPORT", headers: ["Authorization": bearer])
        #expect(check.status == 403 && check.text.contains("token not found"), "\(check.text)")
        for scope in ["config%3Aclient", "config%3Aclient%20x", field.joined(separator: "+") + "+devices%3Aowner"] {
            let refused = try await wire.call(.post, "/o/client/token", body: credentials + scope)
            #expect(refused.text.hasPrefix(#"{"error":"unauthorized_client","error_description":""#), "\(scope)")
        }
    }

    @Test func `sign boxes in by codes that name their credential, as a signed call does`() async throws {
        try await wire.signedInDevice("box-1")
        let answer = try await wire.call(
            .post, "/reggie/v1/NORTHSPORT/regcode",
            headers: ["Authorization": "Bearer \(try await wire.accessToken())", "Accept": "application/json"],
            body: "deviceId=box-2")
        try await wire.signIn(try #require(answer.value("code")))
        for (device, credential) in [
            ("box-1", BoxCredential.keyPair(WireFixture.keyPair.publicKey)),
            ("box-2", .application(WireFixture.application)),
        ] {
            let box = try await wire.domain.operations.box(try #require(DeviceID(device)))
            #expect(box?.credentials == [credential], "\(device)")
        }
    }

    @Test func `are not registered without good reason, and told which`() async throws {
        let good = try self.statement(WireFixture.application)
        let forged = try self.statement(WireFixture.application, key: RSAPrivateKey.generate())
        let foreignIssuer = try self.statement(WireFixture.application, issuer: "https://elsewhere.example")
        let unknown = try self.statement("2c1d7f10-0000-4000-8000-00000unknown")
        let ended = try self.statement(WireFixture.endedApplication)
        let rows = [
            ("", "invalid_request"), ("{", "invalid_request"), ("[]", "invalid_request"), ("{}", "invalid_request"),
            (#"{"software_statement":""}"#, "invalid_request"),
            (#"{"software_statement":"\#(good)","software_statement":"\#(good)"}"#, "invalid_request"),
            (#"{"software_statement":"abc"}"#, "invalid_software_statement"),
            (#"{"software_statement":"a.b.c"}"#, "invalid_software_statement"),
            (#"{"software_statement":"\#(forged)"}"#, "invalid_software_statement"),
            (#"{"software_statement":"\#(foreignIssuer)"}"#, "invalid_software_statement"),
            (#"{"software_statement":"\#(unknown)"}"#, "unapproved_software_statement"),
            (#"{"software_statement":"\#(ended)"}"#, "unapproved_software_statement"),
            (#"{"software_statement":"\#(good)","redirect_uri":"https://evil.example/"}"#, "invalid_redirect_uri"),
            (#"{"software_statement":"\#(good)","redirect_uri":"other://x"}"#, "invalid_redirect_uri"),
            (#"{"software_statement":"\#(good)","redirect_uri":"nonsense"}"#, "invalid_redirect_uri"),
        ]
        for (body, code) in rows {
            let answer = try await wire.call(
                .post, "/o/client/register", headers: ["Content-Type": "application/json"], body: body
            ).expect(400)
            #expect(answer.text.hasPrefix(#"{"error":"\#(code)","error_description":""#), "\(body.prefix(60))")
        }
        let twice = try await wire.call(
            .post, "/o/client/register", body: "software_statement=\(good)&software_statement=\(good)")
        #expect(twice.text.hasPrefix(#"{"error":"invalid_request","error_description":""#))
        #expect(try await wire.call(.get, "/o/client/register").status == 405)
    }

    @Test(.wire(limits: { $0.registrations?.address = IssuanceLimiter.Rate(burst: 1, perHour: 60) }))
    func `are told to wait where an address registers too many`() async throws {
        let statement = try self.statement(WireFixture.application)
        let body = "software_statement=\(statement)"
        #expect(try await wire.call(.post, "/o/client/register", body: body).status == 201)
        let refused = try await wire.call(
            .post, "/o/client/register", headers: ["Accept": "application/json"], body: body
        ).expect(429, headers: ["Retry-After": "60"])
        #expect(refused.text.contains("Too Many Requests"))
    }

    @Test func `get tokens by form or query, which are real tokens of six hours`() async throws {
        let statement = try self.statement(WireFixture.application)
        let client = try await wire.call(.post, "/o/client/register", body: "software_statement=\(statement)")
        let id = try #require(client.value("client_id"))
        let secret = try #require(client.value("client_secret"))
        let credentials = "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"
        let form = try await wire.call(.post, "/o/client/token", body: credentials + "&refresh_token=x").expect(
            201, headers: ["Cache-Control": "no-store"])
        let token = try #require(form.value("access_token"))
        #expect(token.split(separator: ".").count == 3)
        let claims = try #require(token.split(separator: ".").dropFirst().first.flatMap { Base64.decodeURL($0) })
        #expect(String(decoding: claims, as: UTF8.self).contains(#""exp":1767247200"#))
        #expect(
            form.text.hasSuffix(
                #""access_token":"\#(token)","created_at":1767225600000,"expires_in":21600,"token_type":"bearer"}"#)
        )
        try await wire.call(
            .post, "/o/client/token?" + credentials, headers: ["Content-Type": "application/json"], body: ""
        ).expect(201)
        let object = #"{"grant_type":"client_credentials","client_id":"\#(id)","client_secret":"\#(secret)"}"#
        try await wire.call(
            .post, "/o/client/token", headers: ["Content-Type": "application/json"], body: object
        ).expect(201)
        let rows = [
            ("client_id=\(id)&client_secret=\(secret)", "invalid_request"),
            ("grant_type=client_credentials&client_id=\(id)", "invalid_request"),
            ("grant_type=client_credentials&client_secret=\(secret)", "invalid_request"),
            (credentials + "&client_id=\(id)", "invalid_request"),
            ("grant_type=password&client_id=\(id)&client_secret=\(secret)", "unsupported_grant_type"),
            ("grant_type=client_credentials&client_id=\(id)&client_secret=wrong", "invalid_client"),
            ("grant_type=client_credentials&client_id=nobody&client_secret=\(secret)", "invalid_client"),
            (credentials + "&scope=decisions:owner", "unauthorized_client"),
        ]
        for (body, code) in rows {
            let answer = try await wire.call(.post, "/o/client/token", body: body).expect(400)
            #expect(answer.text.hasPrefix(#"{"error":"\#(code)","error_description":""#), "\(body)")
        }
        let header = try await wire.call(
            .post, "/o/client/token", headers: ["Authorization": "Basic YTpi"], body: credentials)
        #expect(header.text.hasPrefix(#"{"error":"invalid_request","error_description":""#))
        #expect(try await wire.call(.post, "/o/client/scopes").status == 404)
    }

    @Test func `get no token when their application was granted nothing`() async throws {
        let statement = try self.statement(WireFixture.idleApplication)
        let client = try await wire.call(.post, "/o/client/register", body: "software_statement=\(statement)")
        let id = try #require(client.value("client_id"))
        let secret = try #require(client.value("client_secret"))
        let answer = try await wire.call(
            .post, "/o/client/token", body: "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)")
        #expect(answer.text.hasPrefix(#"{"error":"unauthorized_client","error_description":""#))
    }

    @Test func `call with the token in the header, in the query or in the body`() async throws {
        let token = try await wire.accessToken()
        let target = "/api/v1/checkauthn.json?deviceId=d"
        for scheme in ["Bearer ", "bearer ", "BEARER  "] {
            #expect(try await wire.call(.get, target, headers: ["Authorization": scheme + token]).status == 403)
        }
        try await wire.call(.get, target + "&access_token=\(token)").expect(
            403, message: "Authentication token not found")
        try await wire.call(
            .post, "/reggie/v1/NORTHSPORT/regcode.json", body: "deviceId=d&access_token=\(token)"
        ).expect(201)
        try await wire.call(.get, target + "&access_token=\(token)", token: token).expect(403)
    }

    @Test("are refused as the table says")
    func refused() async throws {
        let token = try await wire.accessToken()
        let shared = try await wire.accessToken(for: WireFixture.sharedApplication)
        let foreign = try AccessTokens(signingKey: ECPrivateKey.generate(), issuer: WireFixture.issuer).issue(
            to: "x", scopes: [.clientV1], id: "i", now: wire.clock.now)
        let unscoped = try wire.accessTokens.issue(to: "nobody", scopes: [.clientV1], id: "i", now: wire.clock.now)
        func call(_ header: String, _ query: String = "requestor=NORTHSPORT") async throws -> WireAnswer {
            try await wire.call(.get, "/api/v1/checkauthn.json?deviceId=d&\(query)", headers: ["Authorization": header])
        }
        let denied = #"{"status":401,"message":"Unauthorized","error":"access_denied"}"#
        let invalidClient = #"{"status":403,"message":"Forbidden","error":"invalid_client"}"#
        try await call("Bearer \(token.dropLast(2))").expect(
            401, denied, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
        #expect(try await call("Bearer \(foreign)").text == denied)
        #expect(try await call("Bearer nonsense").text == denied)
        #expect(try await call("Bearer ").text == #"{"status":401,"message":"Unauthorized","error":"invalid_request"}"#)
        try await call("Bearer \(token)", "requestor=NORTHSPORT&access_token=x").expect(
            400, message: "Bad Request", error: "invalid_request")
        #expect(try await call("Bearer \(unscoped)").text == invalidClient)
        #expect(try await call("Bearer \(token)", "requestor=WESTSPORT").text == invalidClient)
        #expect(try await call("Bearer \(shared)", "requestor=WESTSPORT").status == 403)
        #expect(
            try await call("Bearer \(shared)", "x=y").text
                == #"{"status":400,"message":"Required 'requestor' is not present"}"#)
        let xml = try await wire.call(.get, "/api/v1/checkauthn?deviceId=d", token: "nonsense")
        #expect(xml.text.hasSuffix("<error><status>401</status><message>Unauthorized</message></error>"))
    }

    @Test func `are refused when the token has ended, but for a minute of leeway`() async throws {
        let token = try await wire.accessToken()
        func status() async throws -> Int {
            try await wire.call(.get, "/api/v1/checkauthn.json?deviceId=d", token: token).status
        }
        #expect(try await status() == 403)
        wire.clock.advance(by: .seconds(21_659))
        #expect(try await status() == 403)
        wire.clock.advance(by: .seconds(1))
        #expect(try await status() == 401)
    }

    @Test("are refused as soon as their application is revoked")
    func revocation() async throws {
        let token = try await wire.accessToken()
        func answer() async throws -> WireAnswer {
            try await wire.call(.get, "/api/v1/checkauthn.json?deviceId=d", token: token)
        }
        #expect(try await answer().text.contains("Authentication token not found"))
        try await wire.store.save(
            WireFixture.applicationRecord(
                WireFixture.application, [WireFixture.requestor], ends: wire.clock.now),
            audit: WireFixture.audit)
        try await wire.domain.credentials.reload()
        #expect(try await answer().text == #"{"status":403,"message":"Forbidden","error":"invalid_client"}"#)
    }
}
