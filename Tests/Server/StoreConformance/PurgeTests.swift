import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, a purge", .stores)
struct PurgeTests {
    private let day: Duration = .seconds(24 * 3600)

    @Test(arguments: StoreUnderTest.all) func `leaves an empty store as it is`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        #expect(try await store.purge(limit: 100, now: Fixture.now) == 0)
        #expect(try await store.purge(limit: 0, now: Fixture.now) == 0)
    }

    @Test("erases codes a day after their time is over, not before", arguments: StoreUnderTest.all)
    func codes(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let states: [RegistrationCode.State] = [
            .waiting(refusal: nil), .completed(Fixture.authenticationID(1)), .declined, .cancelled, .expired,
        ]
        for (number, state) in states.enumerated() {
            try await store.keep(Fixture.record(number, device: number, state: state))
        }
        let end = Fixture.now + .seconds(1800)
        #expect(try await store.purge(limit: 100, now: end + self.day - .milliseconds(1)) == 0)
        for number in states.indices { #expect(try await store.code(Fixture.code(number)) != nil) }
        #expect(try await store.purge(limit: 100, now: end + self.day) == states.count)
        for number in states.indices { #expect(try await store.code(Fixture.code(number)) == nil) }
        // The text is free again.
        let again = Fixture.record(0, generated: end + self.day)
        #expect(try await store.insert(again, limitPerDevice: 10, now: end + self.day) == .inserted(cancelled: []))
    }

    @Test("erases attempts when their time is over", arguments: StoreUnderTest.all)
    func attempts(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = try await store.keep(Fixture.record(1))
        let attempt = Fixture.attempt(1, code: record.code)
        #expect(try await store.replace(record, attempt: attempt, creating: nil))
        #expect(try await store.purge(limit: 100, now: attempt.expires - .milliseconds(1)) == 0)
        #expect(try await store.purge(limit: 100, now: attempt.expires) == 1)
        #expect(try await store.login(attempt.id, now: Fixture.now) == nil)
    }

    @Test("erases AuthN records 30 days after expiry, with their AuthZ records", arguments: StoreUnderTest.all)
    func authentications(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = try await store.keep(Fixture.record(1))
        let authentication = Fixture.authentication(1, record.context, lifetime: .seconds(3600))
        #expect(try await store.replace(record, attempt: nil, creating: authentication))
        let authorization = Fixture.authorization(authentication, Fixture.resource("North Sport HD"))
        #expect(try await store.save(authorization))
        let end = authentication.expires + .seconds(30 * 24 * 3600)
        _ = try await store.purge(limit: 100, now: end - .milliseconds(1))
        #expect(try await store.authentications(of: record.context.device) == [authentication])
        _ = try await store.purge(limit: 100, now: end)
        #expect(try await store.authentications(of: record.context.device) == [])
        #expect(try await store.save(authorization) == false)
    }

    @Test("erases nonces that expired, and keeps the others", arguments: StoreUnderTest.all)
    func nonces(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let expires = Fixture.now + .seconds(900)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires, now: Fixture.now))
        #expect(try await store.purge(limit: 100, now: expires - .milliseconds(1)) == 0)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires, now: Fixture.now) == false)
        #expect(try await store.purge(limit: 100, now: expires) == 1)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires, now: Fixture.now))
    }

    @Test(
        "erases changes of yesterday, keeps those of a moment ago, and never reuses a position",
        arguments: StoreUnderTest.all)
    func changes(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let start = try await store.latestChange()
        let pair = KeyPairRecord(publicKey: "k", sealedPrivateKey: [], requestors: [], created: Fixture.now, ends: nil)
        for _ in 0..<3 { try await store.save(pair, audit: Fixture.audit(1)) }
        _ = try await store.purge(limit: 100, now: Fixture.now)
        _ = try await store.purge(limit: 100, now: Fixture.now + .seconds(60))
        #expect(try await store.subjects(after: start).count == 3)
        let latest = try await store.latestChange()
        var erased = 0
        for hour in 1...48 { erased += try await store.purge(limit: 2, now: Fixture.now + .seconds(3600 * hour)) }
        #expect(erased == 3)
        #expect(try await store.changes(after: start, limit: 100) == .gap(position: latest))
        #expect(try await store.latestChange() == latest)
        #expect(try await store.changes(after: latest, limit: 100) == .changes([], position: latest, hasMore: false))
        try await store.save(pair, audit: Fixture.audit(1))
        #expect(try await store.subjects(after: latest).count == 1)
    }

    @Test(
        "stops at its limit for each kind and goes on where it stopped, the oldest first",
        arguments: StoreUnderTest.all)
    func limit(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for number in 0..<10 {
            let generated = Fixture.now + .seconds(Int64((number * 7) % 10))
            try await store.keep(Fixture.record(number, device: number, generated: generated), limit: 1)
            #expect(
                try await store.takeNonce(
                    "\(number)", publicKey: "k", expires: Fixture.now + .seconds(1), now: Fixture.now))
        }
        let now = Fixture.now + self.day + .seconds(2000)
        #expect(try await store.purge(limit: 4, now: now) == 8)
        for number in 0..<10 {
            #expect((try await store.code(Fixture.code(number)) == nil) == ((number * 7) % 10 < 4))
        }
        #expect(try await store.purge(limit: 4, now: now) == 8)
        #expect(try await store.purge(limit: 4, now: now) == 4)
        #expect(try await store.purge(limit: 4, now: now) == 0)
    }
}
