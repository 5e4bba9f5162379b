import Entitlement
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Callers of the SDK services", .wire, .box, .timeLimit(.minutes(5)))
struct CallerTests {
    private static let operations = [
        "session", "sessionDevice", "authorize", "authorizeDevice", "shortAuthorize", "deviceShortAuthorize",
        "preauthorize", "usermetadata", "passive", "temporary", "platform", "profile", "logout",
    ]

    @Test func `without a good bearer are told to get one, by every operation under both its paths`() async throws {
        let token = try await wire.accessToken()
        for path in ["/adobe-services/", "/adobe-services/1.0/"] {
            for operation in Self.operations {
                for header in [nil, "Bearer ", "Bearer nonsense", "Bearer \(token.dropLast(2))", "Basic YTpi"] {
                    var headers: HTTPClient.Headers = ["ap_21": "box-1"]
                    if let header { headers.append("Authorization", header) }
                    let answer = try await wire.call(
                        .post, path + operation, headers: headers,
                        body: "requestor_id=NORTHSPORT&signed_requestor_id=AAAA&reg_code=BCDFGHJ")
                    #expect(answer.isError(401, "401"), "\(operation) \(header ?? "none"): \(answer.text)")
                    #expect(answer.headers["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
                }
            }
        }
        wire.clock.advance(by: .seconds(21_660))
        let late = try await wire.call(
            .post, "/adobe-services/session", headers: ["Authorization": "Bearer \(token)", "ap_21": "box-1"],
            body: "requestor_id=NORTHSPORT&reg_code=BCDFGHJ")
        #expect(late.isError(401, "401"))
    }

    @Test func `may sign instead, as the oldest ones do`() async throws {
        let code = try await wire.code()
        let headers: HTTPClient.Headers = [
            "Authorization": wire.signature("POST", "/adobe-services/session"), "ap_21": "box-1",
        ]
        let body = "requestor_id=NORTHSPORT&reg_code=\(code)"
        let answer = try await wire.call(.post, "/adobe-services/session", headers: headers, body: body)
        #expect(answer.isError(401, "N000"))
        // The requestor is the signed one where none is named.
        let unnamed = try await wire.call(.post, "/adobe-services/session", headers: headers, body: "reg_code=\(code)")
        #expect(unnamed.isError(401, "N000"))
        let revoked = try await wire.call(
            .post, "/adobe-services/session",
            headers: [
                "Authorization": wire.signature(
                    "POST", "/adobe-services/session", keyPair: WireFixture.revokedKeyPair), "ap_21": "box-1",
            ], body: body)
        #expect(revoked.isError(401, "401"))
    }

    @Test func `may speak for their own requestors alone`() async throws {
        let box = try await SDKBox(wire, application: WireFixture.application)
        #expect(try await box.session("BCDFGHJ").isError(404, "404"))
        let foreign = try await box.with { $0.requestor = WireFixture.sibling }.session("BCDFGHJ")
        #expect(foreign.isError(403, "SEC403"), "\(foreign.text)")
        let isRevoked = try await wire.domain.credentials.revokeApplication(
            WireFixture.application, actor: "operator", now: wire.clock.now)
        #expect(isRevoked != nil)
        #expect(try await box.session("BCDFGHJ").isError(403, "SEC403"))
    }

    @Test func `from browsers get what lets their page read the answer`() async throws {
        let answer = try await box.session("BCDFGHJ", headers: ["Origin": "https://north-sport.example"])
        #expect(answer.headers["Access-Control-Allow-Origin"] == "https://north-sport.example")
        #expect(answer.headers["Access-Control-Expose-Headers"]?.contains("pass_sfp") == true)
        #expect(answer.headers["Access-Control-Allow-Headers"]?.contains("ap_21") == true)
        #expect(answer.headers["Vary"]?.contains("Origin") == true)
        #expect(answer.headers["Adobe-Request-Id"] != nil)
        let preflight = try await wire.call(.options, "/adobe-services/authorize").expect(204)
        #expect(preflight.headers["Access-Control-Allow-Headers"]?.contains("pass_sfp") == true)
    }

    @Test(
        .wire(settings: {
            $0.throttle = Throttle.Settings()
            $0.throttle?.device = ThrottleLimit(interval: 1000, tolerance: 2000)
        }), .box)
    func `that hurry are told to wait, each device for itself`() async throws {
        for operation in ["session", "authorize", "logout"] {
            #expect(try await box.call(operation).status != 429)
        }
        let answer = try await box.session("BCDFGHJ")
        #expect(answer.isError(429, "429"), "\(answer.text)")
        #expect(answer.headers["Retry-After"] == "1")
        #expect(try await box.with { $0.device = "box-2" }.session("BCDFGHJ").status == 404)
        // The device is the same one, whether header or body says so.
        let inBody = try await box.with { $0.device = nil }.call(
            "sessionDevice", [("device_id", "box-1"), ("reg_code", "BCDFGHJ")])
        #expect(inBody.status == 429)
        wire.clock.advance(by: .seconds(1))
        #expect(try await box.session("BCDFGHJ").status == 404)
    }

    @Test func `get no field of an answer from what they sent`() async throws {
        let nasty = "x\r\nSet-Cookie: a=b\r\n\r\n</details><script>"
        let answer = try await box.call("authorize", [("authentication_token", nasty), ("resource_id", nasty)])
        #expect(answer.headers["Set-Cookie"] == nil && !answer.text.contains("<script>"))
    }
}
