import Clientless
import Entitlement
import StoreFixtures
import Synchronization
import TestSupport
import Testing

@Suite("Everything in a store", .stores, .timeLimit(.minutes(5)))
struct MovingTests {
    /// From each kind to each.
    private static let ways = StoreUnderTest.all.flatMap { source in StoreUnderTest.all.map { (source, $0) } }

    /// A store of each kind, empty, that can be moved.
    private func stores(
        _ source: StoreUnderTest, _ target: StoreUnderTest
    ) async throws -> (source: any Store & MovableStore, target: any Store & MovableStore) {
        (
            try #require(try await source.store() as? any Store & MovableStore),
            try #require(try await target.store() as? any Store & MovableStore)
        )
    }

    @Test("arrives in a store of another kind, in its order and to the byte", arguments: Self.ways)
    func copied(_ source: StoreUnderTest, _ target: StoreUnderTest) async throws {
        let (source, target) = try await self.stores(source, target)
        try await self.fill(source)
        var outcomes: [StoreCopy.TableOutcome] = []
        try await StoreCopy(from: source, to: target).run(now: { Fixture.now }) { outcomes.append($0) }
        #expect(outcomes.map(\.table) == source.tables.map(\.name))
        // A table that the filling left empty would prove nothing.
        #expect(outcomes.filter { $0.rows == 0 || $0.added != $0.rows }.map(\.table) == [])
        for table in source.tables {
            let (left, right) = (try await self.rows(of: table, in: source), try await self.rows(of: table, in: target))
            #expect(self.areSame(left, right), "\(table.name)")
        }
        // What the domain reads is the same, too, and the new store goes on from there.
        #expect(try await target.accounts() == source.accounts())
        #expect(try await target.auditEntries(limit: 2000) == source.auditEntries(limit: 2000))
        for device in 0..<4 {
            let device = Fixture.device(device)
            #expect(try await target.authentications(of: device) == source.authentications(of: device))
            // Those of one moment are in no order.
            let permits = [try await source.authorizations(of: device), try await target.authorizations(of: device)]
            #expect(Set(permits[0]) == Set(permits[1]) && permits[0].count == permits[1].count)
        }
        #expect(try await target.liveCodeCount(now: Fixture.now) == source.liveCodeCount(now: Fixture.now))
        #expect(try await target.lastPurge() == source.lastPurge())
        let added = Fixture.record(99_999, device: 1)
        let insertions = [
            try await source.insert(added, limitPerDevice: 1, now: Fixture.now),
            try await target.insert(added, limitPerDevice: 1, now: Fixture.now),
        ]
        #expect(insertions[0] == insertions[1])
        try await target.log(Fixture.audit(7))
        #expect(try await target.auditEntries(limit: 1) == [Fixture.audit(7)])
    }

    @Test("goes on where it ended, and nothing is copied twice", arguments: Self.ways)
    func resumed(_ source: StoreUnderTest, _ target: StoreUnderTest) async throws {
        let (source, target) = try await self.stores(source, target)
        try await self.fill(source)
        // What a copy leaves that was killed between two pages.
        let table = try #require(source.tables.first { $0.name == "codes" })
        let codes = try await self.rows(of: table, in: source)
        try await target.append(Array(codes.prefix(codes.count / 2)), to: table)
        var added = 0
        try await StoreCopy(from: source, to: target).run(now: { Fixture.now }) { outcome in
            if outcome.table == "codes" { added = outcome.added }
        }
        #expect(added == codes.count - codes.count / 2)
        var again = 0
        try await StoreCopy(from: source, to: target).run(now: { Fixture.now }) { again += $0.added }
        #expect(again == 0)
    }

    @Test("is not mixed with what another store has", arguments: Self.ways)
    func different(_ source: StoreUnderTest, _ target: StoreUnderTest) async throws {
        let (source, target) = try await self.stores(source, target)
        try await source.save(Fixture.authentication(1, Fixture.context(1)))
        try await target.save(Fixture.authentication(1, Fixture.context(1), lifetime: .seconds(1)))
        await #expect(throws: StoreCopy.Fault.different(table: "authentications")) {
            try await StoreCopy(from: source, to: target).run(now: { Fixture.now }) { _ in }
        }
        await #expect(throws: StoreCopy.Fault.different(table: "authentications")) {
            try await StoreCopy(from: target, to: source).run(now: { Fixture.now }) { _ in }
        }
        // More than the source has is other, too.
        _ = try await target.deleteAuthentication(Fixture.authenticationID(1), audit: nil)
        for number in [1, 2] { try await target.save(Fixture.authentication(number, Fixture.context(number))) }
        await #expect(throws: StoreCopy.Fault.different(table: "authentications")) {
            try await StoreCopy(from: source, to: target).run(now: { Fixture.now }) { _ in }
        }
    }

    @Test("stays where it is while a server uses one of the two", arguments: Self.ways)
    func served(_ source: StoreUnderTest, _ target: StoreUnderTest) async throws {
        let (source, target) = try await self.stores(source, target)
        let copy = StoreCopy(from: source, to: target)
        for (store, side) in [(source, StoreCopy.Side.source), (target, .target)] where store.isShared {
            #expect(try await store.takeLease("serve-3", holder: "a node", for: Upkeep.lease, now: Fixture.now))
            await #expect(throws: StoreCopy.Fault.served(side)) {
                try await copy.run(now: { Fixture.now }) { _ in }
            }
            #expect(try await store.takeLease("serve-3", holder: "a node", for: .zero, now: Fixture.now))
            let tasks = (0..<16).map { "serve-\($0)" }
            for task in tasks {
                #expect(try await !StoreCopy.isUnderWay(store, now: Fixture.now))
                _ = try await store.takeLease(task, holder: "a copy", for: Upkeep.lease, now: Fixture.now)
            }
            #expect(try await StoreCopy.isUnderWay(store, now: Fixture.now))
            for task in tasks { _ = try await store.takeLease(task, holder: "a copy", for: .zero, now: Fixture.now) }
        }
        // A refused copy holds nothing any more, and neither does one that is over.
        try await copy.run(now: { Fixture.now }) { _ in }
        #expect(try await source.takeLease("purge", holder: "a node", for: Upkeep.lease, now: Fixture.now))
        // A server that was killed counts until its time is over.
        let later = Fixture.now + Upkeep.lease
        try await copy.run(now: { later }) { _ in }
    }

    @Test(
        "is read back and compared: a store that keeps another row than it was given is found out",
        arguments: Self.ways)
    func falsified(_ source: StoreUnderTest, _ target: StoreUnderTest) async throws {
        let (source, target) = try await self.stores(source, target)
        for number in 0..<3 { try await source.log(Fixture.audit(number)) }
        let liar = WatchedStore(target) { rows, _ in
            var rows = rows
            if rows.count > 1 { rows[1][0] = .integer(0) }
            return rows
        }
        await #expect(throws: StoreCopy.Fault.different(table: "audit_log")) {
            try await StoreCopy(from: source, to: liar).run(now: { Fixture.now }) { _ in }
        }
    }

    @Test("is held for as long as it is copied, one table alone as well", arguments: Self.ways)
    func held(_ source: StoreUnderTest, _ target: StoreUnderTest) async throws {
        let (source, target) = try await self.stores(source, target)
        try await concurrently(1001) { try await source.log(Fixture.audit($0)) }
        let clock = Mutex(Fixture.now)
        let watched = WatchedStore(target) { rows, _ in
            // A page takes most of the time that a node which was killed counts for.
            let time = clock.withLock { time in
                time = time + Upkeep.lease * 3 / 4
                return time
            }
            for store in [source, target] as [any Store] {
                let isFree = try await store.takeLease("serve-3", holder: "a node", for: Upkeep.lease, now: time)
                #expect(isFree == !store.isShared)
            }
            return rows
        }
        try await StoreCopy(from: source, to: watched).run(now: { clock.withLock { $0 } }) { _ in }
        #expect(try await target.auditEntries(limit: 2000).count == 1001)
        // A command adds an account when accounts are copied already, and the feed tells nothing of it.
        _ = try await source.save([Fixture.rule(1, mvpd: nil)], audit: Fixture.audit(4))
        let account = Account(mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: ["A"])
        let disturbed = WatchedStore(target) { rows, table in
            if table.name == "degradation_rules" { _ = try await source.insert(account, audit: Fixture.audit(5)) }
            return rows
        }
        await #expect(throws: StoreCopy.Fault.changed) {
            try await StoreCopy(from: source, to: disturbed).run(now: { clock.withLock { $0 } }) { _ in }
        }
    }

    private func rows(of table: StoredTable, in store: any MovableStore) async throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        var place: [StoredValue]?
        while true {
            let page = try await store.rows(of: table, after: place, limit: 7)
            rows += page.rows
            place = page.place
            guard page.rows.count == 7 else { return rows }
        }
    }

    private func areSame(_ left: [[StoredValue]], _ right: [[StoredValue]]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
            }
    }

    /// Has rows in every table, of codes and entries of the audit log more than a page.
    private func fill(_ store: any Store) async throws {
        for number in 0..<12 {
            let record = Fixture.record(
                (number * 7) % 12, device: number % 4,
                deviceUser: ["é\u{1}", "e\u{301}", "\u{0}a"][number % 3])
            try await store.keep(record, limit: 3)
        }
        // Two pages, and one row beyond.
        try await concurrently(1001) { try await store.log(Fixture.audit($0)) }
        let record = try await store.keep(Fixture.record(500, device: 3), limit: 9)
        let attempt = Fixture.attempt(1, code: record.code, progress: .handedOver(sealedExchange: [0, 1]))
        #expect(try await store.replace(record, attempt: attempt, creating: nil))
        for number in 1...5 {
            let authentication = Fixture.authentication(
                6 - number, Fixture.context(number % 4, deviceUser: "user \(number)"), isExclusive: number == 2)
            try await store.save(authentication)
            for resource in ["A", "B", "Ä"] {
                _ = try await store.save(Fixture.authorization(authentication, Fixture.resource(resource)))
            }
        }
        let ended = Fixture.authentication(7, Fixture.context(3, deviceUser: "Ä"))
        try await store.save(ended)
        _ = try await store.deleteAuthentication(
            ended.id, as: SignInEnd(at: Fixture.now, by: "operator", .endedByOperator), audit: nil)
        _ = try await store.takeNonce("n", publicKey: "k", expires: Fixture.now + .seconds(60), now: Fixture.now)
        try await self.fillCredentials(store)
        let trial = Fixture.trial(
            1, [.device(Fixture.device(1)), .person([1, 0, 255])], resources: [Fixture.resource("A")])
        _ = try await store.replace(trial)
        let rules = [Fixture.rule(1, mvpd: nil), Fixture.rule(2, resources: [Fixture.resource("B")])]
        _ = try await store.save(rules, audit: Fixture.audit(4))
        let key = ReportCount.Key(
            hour: 5, requestor: Fixture.northSport, mvpd: nil, model: BoxModel(deviceType: "STB", platform: nil),
            event: .codeMade)
        try await store.add([ReportCount(key, count: 3)])
        _ = try await store.purge(StoreRetention(), limit: 10, now: Fixture.now + .seconds(1))
    }

    private func fillCredentials(_ store: any Store) async throws {
        let pair = KeyPairRecord(
            publicKey: "k", sealedPrivateKey: [9, 0, 255], requestors: [Fixture.southNews, Fixture.northSport],
            created: Fixture.now, ends: nil, label: "Küche")
        try await store.save(pair, audit: Fixture.audit(1))
        let application = ApplicationRecord(
            softwareID: "s", name: "Démo", version: "1.0", requestors: [Fixture.southNews],
            redirectTargets: ["sport.example"], scopes: ["z", "a", "a"], created: Fixture.now, ends: nil)
        try await store.save(application, audit: Fixture.audit(1))
        try await store.insert(
            ClientRecord(
                clientID: "c", secretHash: [], softwareID: "s", redirectURIs: ["b://x"], created: Fixture.now))
        let code = SetUpCodeRecord(
            hash: [1, 0, 255], requestor: Fixture.northSport, softwareID: nil, created: Fixture.now,
            expires: Fixture.now + .seconds(60), label: "Küche")
        try await store.insert(code, now: Fixture.now, audit: Fixture.audit(1))
        let account = Account(
            mvpd: Fixture.cableNova, id: "id", name: "anna", passwordHash: "$y$j9T$x", lineUp: ["A", "B"],
            metadata: ["zip": .text("1"), "rating": .map([NamedText("MPAA", "R")])])
        try await store.save(account)
        let passkey = Passkey(
            credential: [1, 0, 255], mvpd: Fixture.cableNova, account: "id", publicKey: [0xA0], isSyncable: true,
            signCount: .max, created: Fixture.now, lastUsed: nil)
        #expect(try await store.insert(passkey, limit: 3, audit: Fixture.audit(2)))
    }
}
