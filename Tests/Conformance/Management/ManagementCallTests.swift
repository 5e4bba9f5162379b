import Clientless
import Cryptography
import Entitlement
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Management calls", .management, .timeLimit(.minutes(5)))
struct ManagementCallTests {
    /// Every endpoint with parameters that are right.
    static let endpoints: [(HTTPClient.Method, String)] = [
        (.delete, "/reset-tempass/v3/reset.json?requestor_id=NORTHSPORT&mvpd_id=FreePreview"),
        (.delete, "/reset-tempass/v3/reset/generic.json?requestor_id=NORTHSPORT&mvpd_id=FreePreview"),
        (.get, "/control/v3/degradation/NorthMedia/all.json"),
        (.get, "/control/v3/degradation/NorthMedia/authnAll.json?programmer=NORTHSPORT"),
        (.post, "/control/v3/degradation/NorthMedia/authzAll.json?programmer=NORTHSPORT"),
        (.delete, "/control/v3/degradation/NorthMedia/authzNone.json?programmer=NORTHSPORT"),
        (.get, "/management/v1/devices/records.json?deviceId=box"),
        (.delete, "/management/v1/devices/records.json?deviceId=box"),
        (.delete, "/management/v1/sign-ins/00000000000000000000000000000000.json"),
        (.post, "/management/v1/sign-ins/end.json?viewer=00"),
        (.delete, "/management/v1/key-pairs/P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L.json"),
        (.delete, "/management/v1/applications/\(Managed.box).json"),
        (.delete, "/management/v1/clients/5f0c2b7e-3f42-4a57-9a55-0c7d1be7a0d4.json"),
        (.get, "/management/v1/audit.json"), (.get, "/esm/v3/year/month.json"),
    ]

    @Test("without a token, with a foreign one, or without the scope are answered as rest-v1 7.6 says, on every path")
    func refusals() async throws {
        let unscoped = try await wire.token(for: Managed.box)
        let foreign = try AccessTokens(signingKey: ECPrivateKey.generate(), issuer: WireFixture.issuer)
            .issue(to: "x", scopes: Set(Scope.allCases), id: "i", now: wire.clock.now)
        for (method, target) in Self.endpoints {
            try await wire.call(method, target).expect(
                401, message: "Unauthorized", error: "invalid_request",
                headers: ["WWW-Authenticate": "Bearer error=\"invalid_request\""], comment: "\(target)")
            try await wire.call(method, target, token: foreign).expect(
                401, message: "Unauthorized", error: "access_denied",
                headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
            try await wire.call(method, target, token: unscoped).expect(
                403, message: "Forbidden", error: "invalid_client")
        }
        #expect(try await wire.domain.operations.auditEntries(limit: 100).allSatisfy { $0.actor == "test" })
    }

    @Test func `signed with a key pair are not of this class`() async throws {
        let header =
            "GET requestor_id=NORTHSPORT, nonce=a, signature_method=HMAC-SHA1, request_time=1, request_uri=/x, "
            + "public_key=P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L, signature=AAAA"
        try await wire.call(.get, "/management/v1/audit.json", headers: ["Authorization": header]).expect(401)
    }

    @Test func `carry the token in the header alone: parameters reach the logs of proxies`() async throws {
        let token = try await wire.token()
        let target = "/control/v3/degradation/NorthMedia/all.json"
        #expect(try await wire.call(.get, "\(target)?access_token=\(token)").status == 401)
        #expect(try await wire.call(.get, "\(target)?access_token=x", token: token).status == 200)
    }

    @Test func `are refused once the token ended or the application was revoked`() async throws {
        let (token, other) = (try await wire.token(), try await wire.token(for: Managed.everything))
        let target = "/control/v3/degradation/NorthMedia/all.json"
        #expect(try await wire.call(.get, target, token: token).status == 200)
        try await wire.call(.delete, "/management/v1/applications/\(Managed.operations)", token: other).expect(204)
        #expect(try await wire.call(.get, target, token: token).status == 403)
        wire.clock.advance(by: .seconds(21_659))
        #expect(try await wire.call(.get, target, token: other).status == 200)
        wire.clock.advance(by: .seconds(1))
        #expect(try await wire.call(.get, target, token: other).status == 401)
    }

    @Test func `are answered 405 for another method, and XML errors have no OAuth member`() async throws {
        let token = try await wire.token()
        try await wire.call(.post, "/management/v1/audit.json", token: token).expect(
            405, headers: ["Allow": "GET, HEAD, OPTIONS"])
        #expect(try await wire.call(.post, "/control/v3/degradation/N/all.json", token: token).status == 405)
        let xml = try await wire.call(.get, "/management/v1/audit")
        #expect(xml.text.hasSuffix("<error><status>401</status><message>Unauthorized</message></error>"))
        #expect(xml.headers["Adobe-Request-Id"] != nil)
    }
}
