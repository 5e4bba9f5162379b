import Cryptography
import TestSupport
import Testing

@testable import Entitlement

/// `Tests/Conformance/Vectors/passkeys.json`, which a program of another hand made.
private struct PasskeyVectors: Decodable {
    struct Use: Decodable {
        let clientData: String
        let authenticatorData: String
        let signature: String
    }

    struct Vector: Decodable {
        let name: String
        let credential: String
        let clientData: String
        let attestation: String
        let signCount: UInt32
        let isSyncable: Bool
        let publicKey: String
        let use: Use
    }

    let publicURL: String
    let handle: String
    let challenge: String
    let passkeys: [Vector]
}

@Suite("What a browser brings of a passkey")
struct PasskeyCheckTests {
    private let vectors: PasskeyVectors
    private let party: RelyingParty

    init() throws {
        self.vectors = try Vectors.load("passkeys")
        self.party = try #require(RelyingParty(publicURL: self.vectors.publicURL))
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.decodeURL(text)) }

    private func registration(_ vector: PasskeyVectors.Vector) throws -> PasskeyRegistration {
        try #require(
            PasskeyRegistration(
                clientData: try self.bytes(vector.clientData), attestation: try self.bytes(vector.attestation)))
    }

    private func passkey(_ vector: PasskeyVectors.Vector) throws -> Passkey {
        Passkey(
            credential: try self.bytes(vector.credential), mvpd: Fixture.provider, account: "a",
            publicKey: try self.bytes(vector.publicKey), isSyncable: vector.isSyncable, signCount: vector.signCount,
            created: Fixture.now)
    }

    private func assertion(
        _ vector: PasskeyVectors.Vector, data: [UInt8]? = nil, handle: [UInt8]? = nil
    ) throws -> PasskeyAssertion {
        try #require(
            PasskeyAssertion(
                credential: try self.bytes(vector.credential), clientData: try self.bytes(vector.use.clientData),
                authenticatorData: try data ?? self.bytes(vector.use.authenticatorData),
                signature: try self.bytes(vector.use.signature),
                userHandle: try handle ?? self.bytes(self.vectors.handle)))
    }

    /// The reason for which `body` threw; `nil` when it did not.
    private func fault<Result>(_ body: () throws -> Result) -> PasskeyFault? { thrown(body) as? PasskeyFault }

    @Test func `is taken from authenticators of each kind that is asked for`() throws {
        #expect(self.vectors.passkeys.count == 5)
        let handle = try self.bytes(self.vectors.handle)
        for vector in self.vectors.passkeys {
            let (credential, data) = try self.party.credential(of: try self.registration(vector))
            #expect(credential.id == (try self.bytes(vector.credential)), "\(vector.name)")
            #expect(credential.publicKey == (try self.bytes(vector.publicKey)), "\(vector.name)")
            #expect(data.signCount == vector.signCount)
            #expect(data.flags.contains(.backupEligible) == vector.isSyncable)
            let made = try ClientData(try self.bytes(vector.clientData), .creation, at: self.party)
            #expect(made.challenge == (try self.bytes(self.vectors.challenge)))
            let counted = try self.party.check(
                try self.assertion(vector), by: try self.passkey(vector), handle: handle)
            #expect(counted == (vector.signCount == 0 ? 0 : vector.signCount + 1), "\(vector.name)")
        }
    }

    @Test("counts only when every part of it fits")
    func faults() throws {
        let vector = try #require(self.vectors.passkeys.first { $0.signCount == 7 })
        let (passkey, handle) = (try self.passkey(vector), try self.bytes(self.vectors.handle))
        let data = try self.bytes(vector.use.authenticatorData)
        let changes: [(String, PasskeyFault?, (inout [UInt8]) -> Void)] = [
            ("nothing", nil, { _ in }), ("another party", .party, { $0[0] ^= 1 }),
            ("nobody was there", .viewer, { $0[32] = 0x04 }), ("nobody was verified", .viewer, { $0[32] = 0x01 }),
            ("it may be copied now", .malformed, { $0[32] = 0x0D }),
            ("copied, and not to be copied", .malformed, { $0[32] = 0x15 }),
            ("the counter", .signature, { $0[36] ^= 1 }),
            ("a byte more", .malformed, { $0.append(0) }), ("a byte less", .malformed, { _ = $0.removeLast() }),
        ]
        for (name, expected, change) in changes {
            var changed = data
            change(&changed)
            let assertion = try self.assertion(vector, data: changed)
            let found = self.fault { try self.party.check(assertion, by: passkey, handle: handle) }
            #expect(found == expected, "\(name)")
        }

        var ahead = passkey
        ahead.signCount = 8
        let assertion = try self.assertion(vector)
        #expect(self.fault { try self.party.check(assertion, by: ahead, handle: handle) } == .counter)
        let foreign = try self.assertion(vector, handle: [1, 2, 3])
        #expect(self.fault { try self.party.check(foreign, by: passkey, handle: handle) } == .account)
        let silent = try self.assertion(vector, handle: [])
        #expect(self.fault { try self.party.check(silent, by: passkey, handle: handle) } == nil)
        let other = try self.passkey(try #require(self.vectors.passkeys.first))
        #expect(self.fault { try self.party.check(assertion, by: other, handle: handle) } == .account)
    }

    @Test("is of this site's own page, and of the right ceremony")
    func clientData() throws {
        func fault(_ text: String) -> PasskeyFault? {
            self.fault { try ClientData(Array(text.utf8), .use, at: self.party) }
        }
        func text(
            type: String = "webauthn.get", origin: String = "https://tve.example.net", rest: String = ""
        ) -> String { #"{"type":"\#(type)","challenge":"AAAA","origin":"\#(origin)"\#(rest)}"# }
        #expect(fault(text()) == nil)
        #expect(fault(text(rest: #","crossOrigin":false,"other":{"a":[1]}"#)) == nil)
        #expect(fault(text(type: "webauthn.create")) == .kind)
        #expect(fault(text(rest: #","crossOrigin":true"#)) == .origin)
        for origin in [
            "https://tve.example.net.evil.example", "http://tve.example.net", "https://tve.example.net:8443", "null",
            "",
            "https://TVE.example.net",
        ] {
            #expect(fault(text(origin: origin)) == .origin, "\(origin)")
        }
        for broken in ["", "{}", "[]", #"{"type":"webauthn.get","challenge":"A","origin":"https://tve.example.net"}"#] {
            #expect(fault(broken) == .malformed, "\(broken)")
        }
        #expect(fault(text(rest: #","x":""# + String(repeating: "x", count: 4096) + "\"")) == .malformed)
    }

    @Test func `is asked for under a name, over an encrypted line or on this machine`() throws {
        for (url, id, origin) in [
            ("https://tve.example.net", "tve.example.net", "https://tve.example.net"),
            ("https://TVE.example.net:443/", "tve.example.net", "https://tve.example.net"),
            ("https://tve.example.net:8443", "tve.example.net", "https://tve.example.net:8443"),
            ("http://localhost:8080", "localhost", "http://localhost:8080"),
            ("http://tv.localhost:80", "tv.localhost", "http://tv.localhost"),
        ] {
            let party = try #require(RelyingParty(publicURL: url), "\(url)")
            #expect(party.id == id && party.origin == origin, "\(url)")
        }
        for url in [
            "http://tve.example.net", "https://192.0.2.1", "https://[2001:db8::1]", "http://127.0.0.1:8080", "https://",
            "ftp://tve.example.net", "https://tve..example", "https://tve.example:0", "https://tve.example:x",
            "https://user@tve.example", "https://t\u{FC}r.example", "tve.example.net",
        ] {
            #expect(RelyingParty(publicURL: url) == nil, "\(url)")
        }
    }

    @Test func `has no attestation but none, or the new key's own`() throws {
        let own = try #require(self.vectors.passkeys.first { $0.name.contains("attestation") })
        let plain = try #require(self.vectors.passkeys.first)
        var bytes = try self.bytes(own.attestation)
        // Within the signature, which stands before the data.
        bytes[60] ^= 1
        let forged = try #require(PasskeyRegistration(clientData: try self.bytes(own.clientData), attestation: bytes))
        #expect(self.fault { try self.party.credential(of: forged) } != nil)
        let exchanged = try #require(
            PasskeyRegistration(
                clientData: try self.bytes(plain.use.clientData), attestation: try self.bytes(own.attestation)))
        #expect(self.fault { try self.party.credential(of: exchanged) } == .attestation)
        // The first entry of the map is "fmt", and its value the text "none".
        var unknown = try self.bytes(plain.attestation)
        unknown.replaceSubrange(6..<10, with: "maker".utf8.prefix(4))
        let named = try #require(
            PasskeyRegistration(clientData: try self.bytes(plain.clientData), attestation: unknown))
        #expect(self.fault { try self.party.credential(of: named) } == .attestation)
    }

    @Test func `is bounded before it is read`() throws {
        #expect(PasskeyRegistration(clientData: [], attestation: Array(repeating: 0, count: 8193)) == nil)
        #expect(PasskeyRegistration(clientData: Array(repeating: 0, count: 4097), attestation: []) == nil)
        for (credential, data, signature, handle) in [
            (0, 0, 0, 0), (15, 0, 0, 0), (1024, 0, 0, 0), (16, 4097, 0, 0), (16, 0, 513, 0), (16, 0, 0, 65),
        ] {
            #expect(
                PasskeyAssertion(
                    credential: Array(repeating: 0, count: credential), clientData: [],
                    authenticatorData: Array(repeating: 0, count: data),
                    signature: Array(repeating: 0, count: signature), userHandle: Array(repeating: 0, count: handle))
                    == nil)
        }
    }

    @Test("has keys of the kinds that are asked for, and of a size that can be checked quickly")
    func keys() throws {
        let keys = try self.vectors.passkeys.map { try self.bytes($0.publicKey) }
        for key in keys { #expect(self.fault { try CredentialKey(cose: key) } == nil) }
        #expect(Set(keys.compactMap { try? CredentialKey(cose: $0).algorithm }) == [-8, -7, -257])
        var offCurve = keys[0]
        offCurve[offCurve.count - 1] ^= 1
        #expect(self.fault { try CredentialKey(cose: offCurve) } == .key)
        // ES256 with the key of another kind; a map without anything; a list.
        for bytes: [UInt8] in [[0xA2, 0x01, 0x01, 0x03, 0x26], [0xA0], [0x80], []] {
            #expect(self.fault { try CredentialKey(cose: bytes) } == .key, "\(bytes)")
        }
        // RSA with a modulus of 8192 bits.
        var large: [UInt8] = [0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, 0x04, 0x00]
        large.append(contentsOf: [UInt8](repeating: 0xFF, count: 1024))
        large.append(contentsOf: [0x21, 0x43, 0x01, 0x00, 0x01])
        #expect(self.fault { try CredentialKey(cose: large) } == .key)
    }

    @Test("ends no process, whatever its bytes are")
    func mutations() throws {
        var generator = SeededGenerator(seed: 24)
        var taken = 0
        for vector in self.vectors.passkeys {
            let (good, clientData) = (try self.bytes(vector.attestation), try self.bytes(vector.clientData))
            for _ in 0..<2000 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                    default: if bytes.count > 1 { bytes.remove(at: place) }
                    }
                }
                guard let registration = PasskeyRegistration(clientData: clientData, attestation: bytes),
                    let (credential, _) = try? self.party.credential(of: registration)
                else { continue }
                taken += 1
                #expect(Passkey.credentialLength.contains(credential.id.count))
            }
        }
        // Another credential's ID is as good as this one.
        #expect(taken > 0)
    }
}

@Suite("CBOR of authenticators")
struct CBORReaderTests {
    @Test(
        arguments: [
            ([0x00], CBORItem.integer(0)), ([0x17], .integer(23)), ([0x18, 0x18], .integer(24)),
            ([0x19, 0x03, 0xE8], .integer(1000)), ([0x1A, 0x00, 0x0F, 0x42, 0x40], .integer(1_000_000)),
            ([0x1B, 0x00, 0x00, 0x00, 0xE8, 0xD4, 0xA5, 0x10, 0x00], .integer(1_000_000_000_000)),
            ([0x20], .integer(-1)), ([0x39, 0x03, 0xE7], .integer(-1000)), ([0xF4], .flag(false)),
            ([0xF5], .flag(true)), ([0xF6], .null), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])),
            ([0x62, 0xC3, 0xBC], .text("\u{FC}")),
            ([0x83, 1, 2, 3], .list([.integer(1), .integer(2), .integer(3)])),
            ([0xA2, 1, 2, 3, 4], .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
        ] as [([UInt8], CBORItem)])
    func `is read as RFC 8949 has it in its appendix A`(_ bytes: [UInt8], _ item: CBORItem) throws {
        #expect(try CBORReader.item(in: bytes) == item)
    }

    @Test(
        "is refused when it is cut, endless, doubled, too deep, or of a kind that no authenticator writes",
        arguments: [
            [], [0x18], [0x44, 1, 2, 3], [0x62, 0xC3, 0x28], [0x5F, 0x41, 1, 0xFF], [0x9F, 0xFF], [0xBF, 0xFF],
            [0xA2, 1, 2, 1, 3], [0xC0, 0x00], [0xF9, 0x00, 0x00], [0xFB, 0, 0, 0, 0, 0, 0, 0, 0], [0xF7], [0xFF],
            [0x1C], [0x00, 0x00], [0x81, 0x81, 0x81, 0x81, 0x81, 0x00],
            [0x1B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x5B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func refusals(_ bytes: [UInt8]) {
        #expect(throws: CBORReader.Malformed.self) { try CBORReader.item(in: bytes) }
    }

    @Test func `is refused when it has more items than anything an authenticator says`() throws {
        func list(_ count: UInt8) -> [UInt8] { [0x98, count] + [UInt8](repeating: 0, count: Int(count)) }
        #expect(throws: CBORReader.Malformed.self) { try CBORReader.item(in: list(128)) }
        #expect(try CBORReader.item(in: list(127)) == .list(Array(repeating: .integer(0), count: 127)))
    }
}
