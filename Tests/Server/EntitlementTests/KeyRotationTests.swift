import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("Signing keys and device passes", .fixture, .timeLimit(.minutes(5)))
struct KeyRotationTests {
    private let box = DeviceID("box")!

    @Test("a document of an older key is honoured while the key is kept, and new ones are the newest key's")
    func rotation() async throws {
        try await fixture.signedIn()
        let old = try Fixture.signingKey.get()
        let new = try ECPrivateKey.generate()
        let rotated = try Fixture.domain(
            on: fixture.store,
            documents: TokenDocumentSigner(signingWith: new, alsoAccepting: [old.verificationKey]))
        let forgetful = try Fixture.domain(on: fixture.store, documents: TokenDocumentSigner(signingWith: new))
        let record = try await fixture.record()
        let before = try fixture.domain.documents.authenticationDocument(of: record, device: self.box)
        let after = try rotated.documents.authenticationDocument(of: record, device: self.box)
        #expect(try SignedTokenDocument(parsing: after).isSigned(byOneOf: [new.verificationKey]))
        func present(_ document: String, to domain: Entitlements) async throws -> AuthNRecord {
            try await domain.documents.authentication(
                presenting: document, device: self.box, requestor: nil, now: Fixture.now)
        }
        #expect(try await present(before, to: rotated) == record)
        #expect(try await present(after, to: rotated) == record)
        await expectError(.foreignToken) { try await present(before, to: forgetful) }
        await expectError(.foreignToken) { try await present(after, to: fixture.domain) }
    }

    @Test func `a pass is its device's alone, and any other text is as none`() async throws {
        let pass = try domain.documents.passDocument(for: self.box, now: Fixture.now)
        #expect(pass.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || (0x30...0x7A).contains($0) })
        try domain.documents.checkPass(pass, device: self.box)
        await expectError(.deviceMismatch) { try domain.documents.checkPass(pass, device: DeviceID("other")!) }
        var bytes = try #require(Base64.decodeURL(pass))
        for index in [0, 31, 32, 39, 40, bytes.count - 1] {
            bytes[index] ^= 1
            let altered = Base64.encodeURL(bytes)
            // What cannot be verified is as none: a pass may be left out.
            try domain.documents.checkPass(altered, device: self.box)
            bytes[index] ^= 1
        }
        let foreign = try Fixture.domain(
            on: fixture.store, documents: TokenDocumentSigner(signingWith: RSAPrivateKey.generate()))
        let texts = [
            "", "AAAA", Base64.encodeURL(bytes.prefix(40)), String(repeating: "A", count: 1 << 20), pass + "!",
            try foreign.documents.passDocument(for: self.box, now: Fixture.now),
        ]
        for text in texts { try domain.documents.checkPass(text, device: self.box) }
    }

    @Test func `a fingerprint gets one device ID on every node, and not the hash the store keeps of it`() async throws {
        let id = domain.documents.individualDeviceID(of: "box")
        #expect(id.count == 64 && id.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(try Fixture.domain(on: fixture.store).documents.individualDeviceID(of: "box") == id)
        #expect(domain.documents.individualDeviceID(of: "other") != id)
        #expect(Hex.encode(domain.keys.deviceHash(self.box).bytes) != id)
    }
}
