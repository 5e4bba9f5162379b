import Clientless
import StoreFixtures
import Testing

@testable import Entitlement

@Suite("In every store, what keeps it small and ready", .stores)
struct HousekeepingTests {
    @Test("takes the raw data off a code as soon as no one may read or needs it", arguments: StoreUnderTest.all)
    func rawData(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let states = [
            RegistrationCode.State.declined, .cancelled, .expired, .completed(Fixture.authenticationID(2)),
        ]
        for (number, state) in states.enumerated() {
            var record = try await store.keep(Fixture.record(number, device: number), limit: 9)
            record.life = RegistrationCode(generated: record.life.generated, expires: record.life.expires, state: state)
            #expect(try await store.replace(record, attempt: nil, creating: nil))
            record.version = 1
            #expect(try await store.code(record.code) == record.withoutRawData())
        }
        let completed = try await store.keep(
            Fixture.record(7, device: 7, state: .completed(Fixture.authenticationID(1))), limit: 9)
        let end = completed.life.expires
        _ = try await store.purge(limit: 9, now: end - .milliseconds(1))
        #expect(try await store.code(completed.code) == completed)
        _ = try await store.purge(limit: 9, now: end)
        #expect(try await store.code(completed.code) == completed.withoutRawData())
    }

    @Test("says when a purge is done, however many are over at one moment", arguments: StoreUnderTest.all)
    func completeness(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let records = (0..<7).map { Fixture.record($0, device: $0) }
        for record in records { try await store.keep(record, limit: 9) }
        let end = records[0].life.expires
        while try await !store.purge(StoreRetention(), limit: 3, now: end).isComplete {}
        for record in records { #expect(try await store.code(record.code) == record.withoutRawData()) }
        let day: Duration = .seconds(24 * 3600)
        var erased = 0
        while true {
            let outcome = try await store.purge(StoreRetention(), limit: 3, now: end + day)
            erased += outcome.erased
            if outcome.isComplete { break }
        }
        #expect(erased == 7)
    }

    @Test(arguments: StoreUnderTest.all) func `keeps as long as it is told`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var retention = StoreRetention()
        retention.authentications = .seconds(10)
        retention.authorizations = .seconds(5)
        let signIn = Fixture.authentication(1, Fixture.context(1), lifetime: .seconds(86_400))
        try await store.save(signIn)
        let permit = Fixture.authorization(signIn, Fixture.resource("A"))
        #expect(try await store.save(permit))
        func purge(_ seconds: Int64) async throws -> Int {
            try await store.purge(retention, limit: 9, now: signIn.expires + .seconds(seconds)).erased
        }
        #expect(try await purge(4) == 0)
        #expect(try await store.authorizations(of: Fixture.device(1)) == [permit])
        #expect(try await purge(5) == 1)
        #expect(try await store.authorizations(of: Fixture.device(1)) == [])
        #expect(try await store.authentications(of: Fixture.device(1)) == [signIn])
        #expect(try await purge(10) == 1)
        #expect(try await store.authentications(of: Fixture.device(1)) == [])
    }

    @Test("erases nothing before the least stay after its end", arguments: StoreUnderTest.all)
    func leastStay(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var retention = StoreRetention()
        retention.leastStay = .seconds(7 * 86_400)
        let end = Fixture.now + .seconds(60)
        #expect(try await store.takeNonce("n", publicKey: "key", expires: end, now: Fixture.now))
        let before = try await store.purge(retention, limit: 9, now: end + .seconds(7 * 86_400) - .milliseconds(1))
        #expect(before.erased == 0)
        #expect(try await store.takeNonce("n", publicKey: "key", expires: end, now: Fixture.now) == false)
        #expect(try await store.purge(retention, limit: 9, now: end + .seconds(7 * 86_400)).erased == 1)
        #expect(try await store.takeNonce("n", publicKey: "key", expires: end, now: Fixture.now))
    }

    @Test("erases clients that are not used any more, and tells of them", arguments: StoreUnderTest.all)
    func clients(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let days: Duration = .seconds(90 * 86_400)
        for id in ["idle", "used"] { try await store.insert(Self.client(id)) }
        try await store.markUsed("used", at: Fixture.now + .seconds(60))
        try await store.markUsed("used", at: Fixture.now)
        try await store.markUsed("unknown", at: Fixture.now)
        #expect(try await reader.client("used")?.lastUsed == Fixture.now + .seconds(60))
        let position = try await reader.latestChange()
        #expect(try await store.purge(limit: 9, now: Fixture.now + days - .milliseconds(1)) == 0)
        #expect(try await store.purge(limit: 9, now: Fixture.now + days) == 1)
        #expect(try await reader.client("idle") == nil)
        #expect(try await reader.client("used") != nil)
        #expect(try await reader.subjects(after: position) == [.client("idle")])
    }

    private static func client(_ id: String, software: String = "1", created: Timestamp = Fixture.now) -> ClientRecord {
        ClientRecord(clientID: id, secretHash: [1], softwareID: software, redirectURIs: [], created: created)
    }

    @Test("registers no more clients of an application in a while than its quota", arguments: StoreUnderTest.all)
    func quota(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let quota = (number: 2, since: Fixture.now)
        #expect(try await store.insert(Self.client("old", created: Fixture.now - .milliseconds(1)), quota: quota))
        #expect(try await store.insert(Self.client("1"), quota: quota))
        #expect(try await store.insert(Self.client("2"), quota: quota))
        #expect(try await store.insert(Self.client("3"), quota: quota) == false)
        #expect(try await store.client("3") == nil)
        #expect(try await store.insert(Self.client("other", software: "2"), quota: quota))
        #expect(try await store.insert(Self.client("4"), quota: nil))
        let listed = try await store.clients(of: Self.client("1").softwareID, limit: 9)
        #expect(listed.map(\.clientID) == ["1", "2", "4", "old"])
        #expect(try await store.clients(of: Self.client("1").softwareID, limit: 2) == Array(listed.prefix(2)))
    }

    @Test("erases a client on demand, with a line in the log", arguments: StoreUnderTest.all)
    func revocation(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        try await store.insert(Self.client("c"))
        let position = try await reader.latestChange()
        #expect(try await store.deleteClient("c", audit: Fixture.audit(1)))
        #expect(try await store.deleteClient("c", audit: Fixture.audit(2)) == false)
        #expect(try await reader.client("c") == nil)
        #expect(try await reader.subjects(after: position) == [.client("c")])
        #expect(try await reader.auditEntries(limit: 9) == [Fixture.audit(1)])
    }

    @Test("remembers the time of the last purge, or that an operator gave", arguments: StoreUnderTest.all)
    func time(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        #expect(try await reader.lastPurge() == nil)
        for moment in [Fixture.now, Fixture.now - .seconds(9)] {
            _ = try await store.purge(limit: 1, now: moment)
            #expect(try await reader.lastPurge() == moment)
        }
        try await store.confirm(Fixture.now + .seconds(9), audit: nil)
        #expect(try await reader.lastPurge() == Fixture.now + .seconds(9))
    }

    @Test("is done by one node at a time, and a wrong clock keeps it from none", arguments: StoreUnderTest.all)
    func lease(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let minute: Duration = .seconds(60)
        func take(_ store: any Store, _ holder: String, _ seconds: Int64) async throws -> Bool {
            try await store.takeLease("purge", holder: holder, for: minute, now: Fixture.now + .seconds(seconds))
        }
        #expect(try await take(one, "a", 0))
        for seconds in [-60, 0] as [Int64] { #expect(try await take(other, "b", seconds) == false) }
        #expect(try await take(one, "a", 30))
        #expect(try await take(other, "b", 89) == false)
        #expect(try await take(other, "b", 90))
        #expect(try await take(one, "a", 91) == false)
        #expect(try await one.takeLease("other", holder: "a", for: minute, now: Fixture.now))
        // Held until a year ahead.
        #expect(try await take(one, "a", 365 * 86_400))
        #expect(try await take(other, "b", 120))
    }

    @Test("is ready, and that changes nothing that can be seen", arguments: StoreUnderTest.all)
    func readiness(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let position = try await reader.latestChange()
        for _ in 0..<3 { try await store.readiness() }
        #expect(try await reader.latestChange() == position)
    }

    @Test(arguments: StoreUnderTest.all) func `ends with it`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        await store.close()
        await #expect { try await store.readiness() } throws: { ($0 as? StoreError)?.code == .unavailable }
        await #expect { _ = try await store.latestChange() } throws: {
            ($0 as? StoreError)?.code == .unavailable
        }
        await store.waitForChange(after: ChangePosition(bytes: []), timeout: .zero)
    }
}

@Suite("In every store, the clock of its machine", .stores)
struct StoreClockTests {
    @Test("is told where it may be another than this one's", arguments: StoreUnderTest.all)
    func clock(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        guard let first = try await store.clock() else { return #expect(!store.isShared) }
        #expect(store.isShared)
        // After the fixture's times, and it goes on.
        #expect(first > Fixture.now)
        #expect(try await store.clock().map { $0 >= first } == true)
    }
}
