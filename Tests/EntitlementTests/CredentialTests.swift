import Clientless
import Cryptography
import Entitlement
import StoreSQLite
import Testing

@Suite("Credentials", .timeLimit(.minutes(1)))
struct CredentialTests {
    private typealias Fixture = PairingFixture
    private static let now = Fixture.start
    private static let later = Fixture.start + .seconds(3600)

    @Test("of a key pair are usable at once, overlap when they are rotated, and stay revoked")
    func keyPairs() async throws {
        try await Fixture.with { fixture in
            let credentials = fixture.domain.credentials
            let first = try await credentials.issueKeyPair(
                for: [Fixture.requestor], isServerToServer: true, actor: "op", now: Self.now)
            #expect(credentials.key(first.record.publicKey)?.isActive(at: Self.now) == true)
            let rotated = try #require(
                try await credentials.rotateKeyPair(
                    first.record.publicKey, overlap: .seconds(60), actor: "op", now: Self.now))
            #expect(rotated.old.ends == Self.now + .seconds(60))
            #expect(rotated.new.record.isServerToServer && rotated.new.record.requestors == [Fixture.requestor])
            #expect(credentials.key(first.record.publicKey)?.isActive(at: Self.now + .seconds(59)) == true)
            #expect(credentials.key(first.record.publicKey)?.isActive(at: Self.now + .seconds(60)) == false)
            let revoked = try await credentials.revokeKeyPair(rotated.new.record.publicKey, actor: "op", now: Self.now)
            #expect(revoked?.ends == Self.now)
            #expect(
                try await credentials.rotateKeyPair(
                    rotated.new.record.publicKey, overlap: .seconds(60), actor: "op", now: Self.now) == nil)
            #expect(try await credentials.keyPairs().count == 2)
            #expect(
                try await fixture.domain.operations.auditEntries(limit: 9).map(\.action)
                    == ["key-pair.revoke", "key-pair.rotate", "key-pair.create", "key-pair.create"])
        }
    }

    @Test("of a client end with those of its application, in memory and in the store alike")
    func clients() async throws {
        try await Fixture.with { fixture in
            let credentials = fixture.domain.credentials
            let application = try await credentials.registerApplication(
                ApplicationDescription(
                    name: "Player", version: "1", requestors: [Fixture.requestor], scopes: [.clientV1]),
                actor: "op", now: Self.now)
            #expect(credentials.activeApplication(application.softwareID, at: Self.now) == application)
            let client = try await credentials.registerClient(of: application, redirectURIs: [], now: Self.now)
            let id = client.record.clientID
            #expect(credentials.clientInMemory(id, at: Self.now) == .unknown)
            #expect(try await credentials.authenticateClient(id, secret: "wrong", now: Self.now) == nil)
            #expect(try await credentials.authenticateClient("none", secret: client.secret, now: Self.now) == nil)
            let active = try #require(
                try await credentials.authenticateClient(id, secret: client.secret, now: Self.now))
            #expect(active.application == application)
            #expect(active.grants(.clientV1, toToken: [.clientV1]))
            #expect(!active.grants(.clientV1, toToken: [.devices]) && !active.grants(.devices, toToken: [.devices]))
            #expect(credentials.clientInMemory(id, at: Self.now) == .active(active))
            _ = try await credentials.revokeApplication(application.softwareID, actor: "op", now: Self.later)
            #expect(credentials.clientInMemory(id, at: Self.later) == .refused)
            #expect(try await credentials.client(id, at: Self.later) == .refused)
            #expect(try await credentials.authenticateClient(id, secret: client.secret, now: Self.later) == nil)
            #expect(credentials.activeApplication(application.softwareID, at: Self.later) == nil)
        }
    }

    @Test("say once that nonces are held in memory")
    func notice() async throws {
        try await Fixture.with { fixture in
            let told = Told()
            let domain = try Fixture.domain(on: fixture.store) { told.note($0) }
            #expect(!domain.credentials.holdsNonces)
            await fixture.store.close()
            for nonce in ["one", "two", "three"] {
                #expect(
                    try await domain.credentials.takeNonce(nonce, of: "key", until: Self.later, now: Self.now))
            }
            #expect(told.notices == [.noncesHeldInMemory])
            #expect(domain.credentials.holdsNonces && domain.credentials.heldNonces == 3)
        }
    }
}
