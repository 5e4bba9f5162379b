import Clientless
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Signed calls on the wire", .wire, .timeLimit(.minutes(5)))
struct SigningTests {
    static let notAuthorized = #"{"status":401,"message":"Not Authorized"}"#

    @Test func `verify under the published vectors`() async throws {
        let vectors = [
            (
                HTTPClient.Method.post, "/reggie/v1/NORTHSPORT/regcode?deviceId=dev-1", 201,
                "POST requestor_id=NORTHSPORT, nonce=3f1c9a52-7b1e-4d0c-9a6e-5b8f2c7d1e90, "
                    + "signature_method=HMAC-SHA1, request_time=1767225600000, "
                    + "request_uri=/reggie/v1/NORTHSPORT/regcode, public_key=P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L, "
                    + "signature=pJSCKAFU/H4TBz0rW9m0bEtQmFQ="
            ),
            (
                .get, "/api/v1/authorize?deviceId=dev-1&resource=x", 403,
                "GET requestor_id=NORTHSPORT, nonce=A1B2C3D4-0001-4002-8003-000000000004, "
                    + "signature_method=HMAC-SHA1, request_time=1767225601500, request_uri=/authorize, "
                    + "public_key=P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L, signature=MSNRE80RikYEvGurv35/evFOKd8="
            ),
            (
                .get, "/api/v1/mediatoken?deviceId=dev-1&requestor=NORTHSPORT&resource=North%20Sport%20HD", 403,
                "GET requestor_id=NORTHSPORT, nonce=9f8e7d6c5b4a39281706f5e4d3c2b1a0, "
                    + "signature_method=HMAC-SHA1, request_time=1767225602250, request_uri="
                    + "https://tve.example.net/api/v1/mediatoken?deviceId=dev-1&requestor=NORTHSPORT&"
                    + "resource=North%20Sport%20HD, public_key=P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L, "
                    + "signature=99fNSPgnK5DDCpWD8OL6WBcketY="
            ),
        ]
        for (method, target, status, header) in vectors {
            let answer = try await wire.call(
                method, target, headers: ["Authorization": header, "Accept": "application/json"]
            ).expect(status)
            if status == 403 { #expect(answer.text.contains("User not authenticated")) }
        }
    }

    struct Variant: Sendable {
        let method: HTTPClient.Method
        let target: String
        let verb: String
        let uri: String
        let expected: Int

        init(_ method: HTTPClient.Method, _ target: String, signed verb: String, _ uri: String, _ expected: Int) {
            self.method = method
            self.target = target
            self.verb = verb
            self.uri = uri
            self.expected = expected
        }
    }

    static let device = "deviceId=box-1&requestor=NORTHSPORT"

    @Test(arguments: [
        // 1, the full path
        Variant(
            .post, "/reggie/v1/NORTHSPORT/regcode?deviceId=d", signed: "POST",
            "/reggie/v1/NORTHSPORT/regcode", 201),
        Variant(.get, "/api/v1/tokens/authn?\(device)", signed: "GET", "/api/v1/tokens/authn", 404),
        // 2, relative to the service
        Variant(.post, "/reggie/v1/NORTHSPORT/regcode?deviceId=d", signed: "POST", "/regcode", 201),
        Variant(.get, "/api/v1/tokens/authn?\(device)", signed: "GET", "/tokens/authn", 404),
        Variant(.get, "/api/v1/authenticate/K7M2QXA?\(device)", signed: "GET", "/authenticate/K7M2QXA", 404),
        // 3, the last segment
        Variant(.get, "/api/v1/tokens/authn?\(device)", signed: "GET", "/authn", 404),
        Variant(.get, "/api/v1/tokens/media?\(device)&resource=x", signed: "GET", "/media", 403),
        // 4, an absolute URL with its query
        Variant(
            .get, "/api/v1/authorize?\(device)&resource=x%20y", signed: "GET",
            "https://host/api/v1/authorize?\(device)&resource=x%20y", 403),
        // 5 and 6, one header for everything
        Variant(.get, "/api/v1/checkauthn?\(device)", signed: "POST", "/regcode", 403),
        Variant(.get, "/api/v1/tokens/authz?\(device)&resource=x", signed: "POST", "/authorize", 412),
        // 7, the suffix is not signed
        Variant(.get, "/api/v1/checkauthn.json?\(device)", signed: "GET", "/api/v1/checkauthn", 403),
        // 8, another verb
        Variant(.delete, "/api/v1/logout?\(device)", signed: "GET", "/logout", 204),
        Variant(.delete, "/api/v1/logout?\(device)", signed: "POST", "/logout", 204),
    ])
    func `verify in every variant found in the wild`(_ variant: Variant) async throws {
        try await wire.call(
            variant.method, variant.target,
            headers: ["Authorization": wire.signature(variant.verb, variant.uri), "Accept": "application/json"]
        ).expect(variant.expected)
    }

    @Test func `may all carry one header that was signed once`() async throws {
        let header = wire.signature("POST", "/regcode")
        let created = try await wire.call(
            .post, "/reggie/v1/NORTHSPORT/regcode.json?deviceId=box-1", headers: ["Authorization": header],
            body: "{}")
        try await wire.signIn(try #require(created.value("code")))
        let calls = [
            ("checkauthn.json", 200), ("tokens/authn.json", 200), ("authorize.json", 200),
            ("tokens/authz.json", 200),
            ("tokens/media.json", 200),
        ]
        for (path, status) in calls {
            let answer = try await wire.call(
                .get, "/api/v1/\(path)?\(Self.device)&resource=North%20Sport%20HD",
                headers: ["Authorization": header])
            #expect(answer.status == status, "\(path): \(answer.text)")
        }
    }

    @Test("are refused with one answer, whatever is wrong with them")
    func refused() async throws {
        let (uri, now) = ("/checkauthn", wire.clock.now.milliseconds)
        let good = wire.signature("GET", uri)
        let headers: [(String, String)] = [
            ("nothing", ""),
            ("another scheme", "Basic YTpi"),
            ("no signature", "GET requestor_id=NORTHSPORT"),
            ("a changed text", good.replacing("requestor_id=NORTHSPORT", with: "requestor_id=WESTSPORT")),
            ("a cut signature", String(good.dropLast(4))),
            ("a signature that is not Base64", String(good.dropLast(4)) + "%%%="),
            ("an empty signature", String(good.prefix(upTo: good.firstRange(of: ", signature=")!.upperBound))),
            ("an unknown key", good.replacing("P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", with: "NoSuchKey")),
            ("a revoked key", wire.signature("GET", uri, keyPair: WireFixture.revokedKeyPair)),
            (
                "another key's signature",
                good.replacing("P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", with: "ForeignForeignForeignForeign1234")
            ),
            ("seconds", wire.signature("GET", uri, time: String(now / 1000))),
            ("fourteen digits", wire.signature("GET", uri, time: "0" + String(now))),
            ("a stale clock", wire.signature("GET", uri, time: String(now - 900_001))),
            ("a fast clock", wire.signature("GET", uri, time: String(now + 900_001))),
            ("another method", wire.signature("GET", uri, method: "HMAC-MD5")),
        ]
        for (name, header) in headers where name != "another key's signature" {
            var fields: HTTPClient.Headers = ["Accept": "application/json"]
            if !header.isEmpty { fields.append("Authorization", header) }
            try await wire.call(.get, "/api/v1/checkauthn?\(Self.device)", headers: fields).expect(
                401, Self.notAuthorized, comment: "\(name)")
        }
        let xml = try await wire.call(.get, "/api/v1/checkauthn?\(Self.device)")
        #expect(xml.text.hasSuffix("<error><status>401</status><message>Not Authorized</message></error>"))
    }

    @Test("are taken at the edges of the clock's window", arguments: [-900_000, 900_000] as [Int64])
    func window(offset: Int64) async throws {
        let time = String(wire.clock.now.milliseconds + offset)
        try await wire.call(
            .get, "/api/v1/checkauthn.json?\(Self.device)",
            headers: ["Authorization": wire.signature("GET", "/checkauthn", time: time)]
        ).expect(403)
    }

    @Test func `are forbidden where the key may not speak for the requestor`() async throws {
        let own = wire.signature("GET", "/checkauthn")
        let foreign = wire.signature("GET", "/checkauthn", requestor: "EASTSPORT")
        for (header, requestor) in [(own, "EASTSPORT"), (foreign, "NORTHSPORT"), (foreign, "EASTSPORT")] {
            try await wire.call(
                .get, "/api/v1/checkauthn.json?deviceId=d&requestor=\(requestor)",
                headers: ["Authorization": header]
            ).expect(403, message: "Forbidden")
        }
    }

    @Test func `may not use a nonce for two headers, but one header twice`() async throws {
        func status(_ header: String) async throws -> Int {
            try await wire.call(
                .get, "/api/v1/checkauthn.json?\(Self.device)", headers: ["Authorization": header]
            ).status
        }
        let first = wire.signature("GET", "/checkauthn", nonce: "n-1")
        let second = wire.signature("GET", "/tokens/authn", nonce: "n-1")
        #expect(try await status(first) == 403)
        #expect(try await status(first) == 403)
        #expect(try await status(second) == 401)
    }

    @Test("of strict requestors count once and are for their own call")
    func strictReplay() async throws {
        func status(_ header: String, requestor: String = "SOUTHSPORT") async throws -> Int {
            try await wire.call(
                .get, "/api/v1/checkauthn.json?deviceId=d&requestor=\(requestor)",
                headers: ["Authorization": header]
            ).status
        }
        let first = wire.signature("GET", "/api/v1/checkauthn", requestor: "SOUTHSPORT", nonce: "n-1")
        #expect(try await status(first) == 403)
        #expect(try await status(first) == 401)
        #expect(try await status(first, requestor: "NORTHSPORT") == 401)
        let otherPath = wire.signature("GET", "/api/v1/tokens/authn", requestor: "SOUTHSPORT", nonce: "n-2")
        #expect(try await status(otherPath) == 401)
        let otherVerb = wire.signature("POST", "/api/v1/checkauthn", requestor: "SOUTHSPORT", nonce: "n-3")
        #expect(try await status(otherVerb) == 401)
        // A tolerant requestor's header does not open a strict one's door twice either.
        let tolerant = wire.signature("GET", "/api/v1/checkauthn", requestor: "NORTHSPORT", nonce: "n-4")
        #expect(try await status(tolerant) == 403)
        #expect(try await status(tolerant) == 401)
    }

    @Test func `take the requestor from the header where the call names none`() async throws {
        try await wire.signed(.get, "/api/v1/checkauthn?deviceId=d&format=json", accept: "*/*").expect(
            403, message: "Authentication token not found")
        try await wire.signed(.get, "/api/v1/checkauthn?deviceId=d&requestor_id=WESTSPORT").expect(403)
        try await wire.signed(.get, "/api/v1/checkauthn?deviceId=d&requestor=NOBODY").expect(
            400, message: "Invalid requestor")
    }
}
