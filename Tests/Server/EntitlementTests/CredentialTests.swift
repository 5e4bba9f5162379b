import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("Credentials", .fixture, .timeLimit(.minutes(5)))
struct CredentialTests {
    private static let later = Fixture.now + .seconds(3600)

    @Test func `of a key pair are usable at once, overlap when they are rotated, and stay revoked`() async throws {
        let credentials = domain.credentials
        let first = try await credentials.issueKeyPair(
            for: [Fixture.requestor], isServerToServer: true, label: "kitchen", actor: "op", now: Fixture.now)
        #expect(credentials.key(first.record.publicKey)?.isActive(at: Fixture.now) == true)
        let rotated = try #require(
            try await credentials.rotateKeyPair(
                first.record.publicKey, overlap: .seconds(60), actor: "op", now: Fixture.now))
        #expect(rotated.old.ends == Fixture.now + .seconds(60))
        let new = rotated.new.record
        var copy = first.record
        (copy.publicKey, copy.sealedPrivateKey) = (new.publicKey, new.sealedPrivateKey)
        #expect(copy == new && copy != first.record)
        #expect(credentials.key(first.record.publicKey)?.isActive(at: Fixture.now + .seconds(59)) == true)
        #expect(credentials.key(first.record.publicKey)?.isActive(at: Fixture.now + .seconds(60)) == false)
        let revoked = try await credentials.revokeKeyPair(rotated.new.record.publicKey, actor: "op", now: Fixture.now)
        #expect(revoked?.ends == Fixture.now)
        #expect(
            try await credentials.rotateKeyPair(
                rotated.new.record.publicKey, overlap: .seconds(60), actor: "op", now: Fixture.now) == nil)
        #expect(try await credentials.keyPairs().count == 2)
        #expect(
            try await domain.operations.auditEntries(limit: 9).map(\.action)
                == ["key-pair.revoke", "key-pair.rotate", "key-pair.create", "key-pair.create"])
    }

    @Test func `of a client end with those of its application, in memory and in the store alike`() async throws {
        let credentials = domain.credentials
        let application = try await credentials.registerApplication(
            name: "Player", version: "1", requestors: [Fixture.requestor], scopes: [.clientV1],
            actor: "op", now: Fixture.now)
        #expect(credentials.activeApplication(application.softwareID, at: Fixture.now) == application)
        let client = try await credentials.registerClient(of: application, redirectURIs: [], by: .box, now: Fixture.now)
        let id = client.record.clientID
        #expect(credentials.clientInMemory(id, at: Fixture.now) == .unknown)
        #expect(try await credentials.authenticateClient(id, secret: "wrong", now: Fixture.now) == nil)
        #expect(try await credentials.authenticateClient("none", secret: client.secret, now: Fixture.now) == nil)
        let active = try #require(try await credentials.authenticateClient(id, secret: client.secret, now: Fixture.now))
        #expect(active.application == application)
        #expect(active.grants(.clientV1, toToken: [.clientV1]))
        #expect(!active.grants(.clientV1, toToken: [.devices]) && !active.grants(.devices, toToken: [.devices]))
        #expect(credentials.clientInMemory(id, at: Fixture.now) == .active(active))
        _ = try await credentials.revokeApplication(application.softwareID, actor: "op", now: Self.later)
        #expect(credentials.clientInMemory(id, at: Self.later) == .refused)
        #expect(try await credentials.client(id, at: Self.later) == .refused)
        #expect(try await credentials.authenticateClient(id, secret: client.secret, now: Self.later) == nil)
        #expect(credentials.activeApplication(application.softwareID, at: Self.later) == nil)
    }

    @Test func `go on while another server seals with a key that is missing here; new ones wait for it`() async throws {
        let told = Told()
        let domain = try Fixture.domain(on: fixture.store) { told.note($0) }
        let (here, there) = (domain.credentials, fixture.domain.credentials)
        func issue() async throws -> String {
            try await there.issueKeyPair(
                for: [Fixture.requestor], isServerToServer: false, actor: "op", now: Fixture.now
            ).record.publicKey
        }
        var position = try await domain.upkeep.start(now: Fixture.now)
        let old = try await issue()
        try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
        let keys = [try SealingKeys.Key(Secret(Array(repeating: 9, count: 32))), domain.keys.seal.current]
        fixture.domain.keys.seal.replace(with: keys)
        let administration = Administration(
            catalogue: Fixture.catalogue, store: fixture.store, keys: fixture.domain.keys)
        #expect(try await administration.resealing.pass().resealed == 1)
        let new = try await issue()
        for _ in 0..<2 { try await here.reload() }
        #expect(here.key(old) != nil && here.key(new) == nil && domain.upkeep.lacksSealingKey)
        #expect(here.isClosed(new, at: Fixture.now) && !here.isClosed("none", at: Fixture.now))
        #expect(told.notices == [.sealingKeyMissing(keyPairs: 2)])
        try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
        domain.keys.seal.replace(with: keys)
        try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(here.key(new) != nil && !domain.upkeep.lacksSealingKey)
    }

    @Test func `say once that nonces are held in memory`() async throws {
        let told = Told()
        let domain = try Fixture.domain(on: fixture.store) { told.note($0) }
        await fixture.store.close()
        for nonce in ["one", "two", "three"] {
            #expect(try await domain.credentials.nonces.take(nonce, of: "key", until: Self.later, now: Fixture.now))
        }
        #expect(told.notices == [.noncesHeldInMemory])
    }

    /// How many of `count` registrations one after the other are refused.
    private func refusals(
        of count: Int, _ application: ApplicationRecord, by caller: Guesser, on domain: Entitlements
    ) async throws -> Int {
        var refused = 0
        for _ in 0..<count {
            do throws(EntitlementError) {
                _ = try await domain.credentials.registerClient(
                    of: application, redirectURIs: [], by: caller, now: Fixture.now)
            } catch {
                guard error.code == .tooManyAttempts else { throw error }
                #expect(error.retryAfter != nil)
                refused += 1
            }
        }
        return refused
    }

    private func application(on domain: Entitlements) async throws -> ApplicationRecord {
        try await domain.credentials.registerApplication(
            name: "Player", version: "1", requestors: [Fixture.requestor], scopes: [.clientV1],
            actor: "op", now: Fixture.now)
    }

    @Test("of clients are refused to an address that floods, long before its application has all it may")
    func flood() async throws {
        let told = Told()
        let uptime = ManualUptime()
        let domain = try Fixture.domain(on: fixture.store, uptime: uptime) { told.note($0) }
        let application = try await self.application(on: domain)
        let stranger = Guesser(.v4(0xCB00_7107))
        #expect(try await self.refusals(of: 30, application, by: stranger, on: domain) == 10)
        guard case .clientsRefused(let network)? = told.notices.first
        else { return #expect(Bool(false), "\(told.notices)") }
        #expect(network.description == "203.0.113.0/24")
        // Its neighbours have places of their own, and the network has ten times as many.
        #expect(try await self.refusals(of: 1, application, by: Guesser(.v4(0xCB00_7108)), on: domain) == 0)
        var refused = 0
        for host in 0..<10 {
            refused += try await self.refusals(
                of: 20, application, by: Guesser(.v4(0xCB00_7110 + UInt32(host))), on: domain)
        }
        #expect(refused == 21)
        uptime.advance(by: .seconds(3600))
        #expect(try await self.refusals(of: 1, application, by: stranger, on: domain) == 0)
    }

    @Test("of clients go on for an address that has few, when a stranger used up what the application has in a day")
    func quota() async throws {
        let told = Told()
        var limits = Entitlements.Limits()
        limits.clientsPerDay = 10
        let domain = try Fixture.domain(on: fixture.store, limits: limits) { told.note($0) }
        let application = try await self.application(on: domain)
        #expect(try await self.refusals(of: 15, application, by: Guesser(.v4(0xCB00_7107)), on: domain) == 5)
        let notice = DomainNotice.registrationRefused(softwareID: application.softwareID)
        #expect(told.notices == Array(repeating: notice, count: 5))
        #expect(try await self.refusals(of: 6, application, by: .box, on: domain) == 1)
    }
}
