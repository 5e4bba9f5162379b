import Clientless
import Cryptography
import Entitlement
import HTTPClient
import HTTPServer
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("A forwarded address on the wire", .wire, .timeLimit(.minutes(5)))
struct ForwardedAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        enum Caller: Sendable { case box, server, boxBearer, serverBearer, forgedServer, slowServer }

        let caller: Caller
        let proxied: Bool
        let forwarded: String
        let believed: String

        init(_ caller: Caller, proxied: Bool = false, _ forwarded: String, _ believed: String) {
            self.caller = caller
            self.proxied = proxied
            self.forwarded = forwarded
            self.believed = believed
        }

        var testDescription: String {
            "\(self.caller)\(self.proxied ? " behind a proxy" : "") forwards \(self.forwarded): \(self.believed)"
        }
    }

    private static let rows: [Row] = [
        // A box is not believed, whatever it writes.
        Row(.box, "198.51.100.7", "127.0.0.1"),
        Row(.boxBearer, "198.51.100.7", "127.0.0.1"),
        Row(.box, proxied: true, "198.51.100.7, 203.0.113.1", "203.0.113.1"),
        Row(.boxBearer, proxied: true, "198.51.100.7, 203.0.113.1", "203.0.113.1"),
        // A server's word is taken, and the leftmost public address of it.
        Row(.server, "198.51.100.7", "198.51.100.7"),
        Row(.serverBearer, "198.51.100.7", "198.51.100.7"),
        Row(.server, "10.0.0.5, 198.51.100.7, 203.0.113.1", "198.51.100.7"),
        Row(.server, proxied: true, "198.51.100.7, 203.0.113.1", "198.51.100.7"),
        Row(.serverBearer, proxied: true, "198.51.100.7, 203.0.113.1", "198.51.100.7"),
        Row(.server, "2001:db8::5", "2001:db8::5"),
        // Words that are no public address are none.
        Row(.server, "10.0.0.5", "127.0.0.1"),
        Row(.server, "unknown", "127.0.0.1"),
        Row(.server, "", "127.0.0.1"),
        Row(.server, proxied: true, "10.0.0.5, 203.0.113.1", "203.0.113.1"),
    ]

    @Test("is stored with a code if the caller may forward one", arguments: Self.rows)
    func stored(row: Row) async throws {
        try await WireFixture.serve(settings: { Self.trust(row.proxied, &$0) }) { wire in
            let answer = try await wire.call(
                .post, "/reggie/v1/NORTHSPORT/regcode.json?deviceId=d",
                headers: [
                    "Authorization": try await Self.authorization(row.caller), "X-Forwarded-For": row.forwarded,
                ]
            ).expect(201)
            let code = try #require(answer.value("code").flatMap { RegistrationCodeText($0) })
            let record = try #require(await wire.store.code(code))
            #expect(record.box.address == row.believed)
        }
    }

    @Test(
        "counts calls for the device it names, if the caller proves to be a server",
        .wire(settings: { $0.throttle = Throttle.Settings() }),
        arguments: [
            (Row.Caller.box, false), (.boxBearer, false), (.server, true), (.serverBearer, true),
            // A server's name alone is no proof, and neither is a header that is too old.
            (.forgedServer, false), (.slowServer, false),
        ])
    func throttled(caller: Row.Caller, isBelieved: Bool) async throws {
        let authorization = try await Self.authorization(caller)
        func call(from address: String) async throws -> Int {
            try await wire.call(
                .get, "/api/v1/checkauthn?deviceId=d&requestor=NORTHSPORT",
                headers: ["Authorization": authorization, "X-Forwarded-For": address]
            ).status
        }
        for _ in 0..<11 { #expect(try await call(from: "198.51.100.7") != 429) }
        #expect(try await call(from: "198.51.100.7") == 429)
        #expect((try await call(from: "198.51.100.8") == 429) != isBelieved)
    }

    /// Endpoints that need no credential, and try a code.
    private static func guess(_ code: String) -> [String] {
        [
            "/reggie/v1/NORTHSPORT/regcode/\(code)", "/api/v1/checkauthn/\(code)?requestor=NORTHSPORT",
            "/api/v1/preauthorize/\(code)?requestor=NORTHSPORT&resource=a",
        ]
    }

    @Test(
        "is whom wrong codes count for where no credential is needed, if the caller proves to be a server",
        arguments: [
            (Row.Caller.box, false), (.boxBearer, false), (.server, true), (.serverBearer, true),
            (.forgedServer, false), (.slowServer, false),
        ], 0..<3)
    func guesses(caller: (Row.Caller, Bool), endpoint: Int) async throws {
        let authorization = try await Self.authorization(caller.0)
        func status(_ letter: Character, from address: String) async throws -> Int {
            try await wire.call(
                .get, Self.guess("BCDFGH\(letter)")[endpoint],
                headers: ["X-Forwarded-For": address, "Authorization": authorization]
            ).status
        }
        // Twenty viewers of one server mistype a code each.
        for (viewer, letter) in "BCDFGHJKLMNPQRSTVWXZ".enumerated() {
            #expect(try await status(letter, from: "198.51.100.\(viewer)") != 429)
        }
        #expect((try await status("2", from: "198.51.100.99") == 429) != caller.1)
        // One viewer who mistypes twenty is refused, and no other is for it.
        for letter in "BCDFGHJKLMNPQRSTVWXZ" { _ = try await status(letter, from: "203.0.113.9") }
        #expect(try await status("3", from: "203.0.113.9") == 429)
        #expect((try await status("4", from: "192.0.2.1") == 429) != caller.1)
    }

    private static func trust(_ isProxied: Bool, _ settings: inout APISettings) {
        if isProxied { settings.trustedProxies = [IPAddress("127.0.0.1")!] }
    }

    private static func authorization(_ caller: Row.Caller) async throws -> String {
        switch caller {
        case .box: return wire.signature("POST", "/regcode", nonce: "n-1")
        case .server: return wire.signature("POST", "/regcode", nonce: "n-1", keyPair: WireFixture.serverKeyPair)
        case .boxBearer: return "Bearer " + (try await wire.accessToken())
        case .serverBearer:
            let token = try await wire.accessToken(for: WireFixture.serverApplication)
            // The node has to have seen the client once.
            _ = try await wire.call(.get, "/api/v1/checkauthn?deviceId=other", token: token)
            return "Bearer " + token
        case .forgedServer:
            let forger = KeyPair(publicKey: WireFixture.serverKeyPair.publicKey, privateKey: Secret("not the real key"))
            return wire.signature("POST", "/regcode", keyPair: try #require(forger))
        case .slowServer:
            let time = String((wire.clock.now - .seconds(901)).milliseconds)
            return wire.signature("POST", "/regcode", time: time, keyPair: WireFixture.serverKeyPair)
        }
    }
}
