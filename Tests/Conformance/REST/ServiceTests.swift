import Cryptography
import Entitlement
import HTTPClient
import HTTPServer
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("The service endpoints on the wire", .wire, .timeLimit(.minutes(5)))
struct ServiceTests {
    @Test func `say that the server lives, and whether it is ready`() async throws {
        #expect(try await wire.call(.get, "/healthz").text == "ok\n")
        #expect(try await wire.call(.get, "/readyz").text == "ready\n")
        #expect(try await wire.call(.get, "/metrics").text.contains("latchkey_store_ready 1\n"))
        await wire.store.close()
        wire.clock.advance(by: .seconds(1))
        #expect(try await wire.call(.get, "/healthz").status == 200)
        // The number is that of the moment, though /readyz was not asked since.
        #expect(try await wire.call(.get, "/metrics").text.contains("latchkey_store_ready 0\n"))
        #expect(try await wire.call(.get, "/readyz").status == 503)
    }

    @Test func `are not ready while another server seals with a key that is missing here, nor are calls of its boxes`()
        async throws
    {
        let publicKey = "SealedSealedSealedSealedSealed12"
        let seal = SealingKeys([try SealingKeys.Key(Secret(Array(repeating: 9, count: 32)))])
        let sealed = try seal.seal(Secret("private"), authenticating: Credentials.purpose(of: publicKey).utf8)
        try await wire.store.save(
            KeyPairRecord(
                publicKey: publicKey, sealedPrivateKey: sealed, requestors: [WireFixture.requestor],
                created: wire.clock.now, ends: nil), audit: WireFixture.audit)
        try await wire.domain.credentials.reload()
        #expect(try await wire.call(.get, "/readyz").text == "the key folder lacks the newest sealing key\n")
        let header = wire.signature("GET", "/checkauthn").replacing("P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", with: publicKey)
        try await wire.call(.get, "/api/v1/checkauthn?deviceId=d", headers: ["Authorization": header]).expect(503)
    }

    @Test func `believe for a second what they found out of the store`() async throws {
        // What the server finds out when it starts is over then.
        #expect(try await wire.call(.get, "/readyz").status == 200)
        wire.clock.advance(by: .seconds(1))
        #expect(try await wire.call(.get, "/readyz").status == 200)
        await wire.store.close()
        wire.clock.advance(by: .milliseconds(999))
        #expect(try await wire.call(.get, "/readyz").status == 200)
        wire.clock.advance(by: .milliseconds(1))
        #expect(try await wire.call(.get, "/readyz").status == 503)
    }

    @Test("like every other answer tell browsers to come by https, where the public address is https")
    func transportSecurity() async throws {
        let paths = [
            "/healthz", "/activate", "/", "/assets/x", "/nowhere", "/api/v1/config/NORTHSPORT", "/api/v1/checkauthn",
            "/api/v1/checkauthn/BCDFGHJ?requestor=NORTHSPORT", "/api/v1/authenticate", "/o/client/token",
            "/adobe-services/session", "/management/v1/audit", "/help/errors",
        ]
        for (address, value) in [("https://tve.example.net", "max-age=31536000"), ("http://tve.example.net", nil)] {
            try await WireFixture.serve(settings: { $0 = APISettings(publicURL: address) }) { wire in
                for path in paths {
                    let answer = try await wire.call(.get, path, headers: ["Origin": "https://north-sport.example"])
                    #expect(answer.headers.values("Strict-Transport-Security") == [value].compactMap { $0 }, "\(path)")
                }
                try await wire.signedInDevice()
                let poll = try await wire.signed(.get, "/api/v1/checkauthn?deviceId=box-1")
                #expect(poll.headers.values("Strict-Transport-Security") == [value].compactMap { $0 })
            }
        }
    }

    @Test func `show the numbers to this machine, and to nobody a proxy forwards`() async throws {
        _ = try await wire.call(.get, "/api/v1/checkauthn?deviceId=d")
        let answer = try await wire.call(.get, "/metrics").expect(
            200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"])
        #expect(answer.text.contains("latchkey_refused_calls_total{status=\"401\"} 1"))
        #expect(try await wire.call(.get, "/metrics", headers: ["X-Forwarded-For": "127.0.0.1"]).status == 404)
        for name in ["Via", "Forwarded", "X-Real-IP", "X-Forwarded-Host", "x-forwarded-proto"] {
            #expect(try await wire.call(.get, "/metrics", headers: [name: "x"]).status == 404, "\(name)")
        }
    }

    @Test(
        "hide the numbers from a proxy of this machine that says nothing of whom it forwards", arguments: [false, true])
    func silentProxy(isTrusted: Bool) async throws {
        try await WireFixture.serve(settings: {
            $0.publicURL = "https://tv.example:8443"
            if isTrusted { $0.trustedProxies = [IPAddress("127.0.0.1")!] }
        }) { wire async throws in
            for (host, status) in [
                ("tv.example", 404), ("TV.Example.:443", 404), ("localhost", 200), ("127.0.0.1:8080", 200),
            ] {
                #expect(try await wire.call(.get, "/metrics", headers: ["Host": host]).status == status, "\(host)")
            }
        }
        try await WireFixture.serve(settings: { $0.publicURL = "http://localhost:8080" }) { wire async throws in
            #expect(try await wire.call(.get, "/metrics", headers: ["Host": "localhost:8080"]).status == 200)
        }
    }

    @Test func `describe the API where the operator allows it, and are a missing page elsewhere`() async throws {
        #expect(try await wire.call(.get, "/openapi.json").status == 404)
        try await WireFixture.serve(settings: { $0.showDescription(version: "1.2.3") }) { wire async throws in
            let answer = try await wire.call(.get, "/openapi.json")
            #expect(answer.status == 200 && answer.text.hasPrefix("{\n  \"openapi\": \"3.1.0\""))
            #expect(answer.text.contains("\"1.2.3\""))
        }
    }

    @Test(
        .wire(settings: {
            $0.trustedProxies = [IPAddress("127.0.0.1")!]
            $0.metricsReaders = [IPAddress("192.0.2.9")!]
        }))
    func `show the numbers to configured readers behind a trusted proxy`() async throws {
        #expect(try await wire.call(.get, "/metrics", headers: ["X-Forwarded-For": "192.0.2.9"]).status == 200)
        #expect(try await wire.call(.get, "/metrics", headers: ["X-Forwarded-For": "192.0.2.8"]).status == 404)
    }

    @Test func `answer storage that is gone with 503 and a time to come back`() async throws {
        await wire.store.close()
        let answer = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: "deviceId=d").expect(
            503, message: "Service Unavailable")
        #expect(answer.headers["Retry-After"] != nil)
        try await wire.signed(.get, "/api/v1/tokens/authn?deviceId=d").expect(503)
    }
}
