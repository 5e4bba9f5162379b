import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, degradation rules", .stores)
struct DegradationTests {
    /// The rule as it is read after it was saved.
    private func kept(_ rule: DegradationRule) -> DegradationRule {
        var kept = rule
        kept.version += 1
        return kept
    }

    private let long = Fixture.now - .seconds(1_000_000)

    @Test("are read as they were written, by activation", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        #expect(try await reader.degradationRules(endingAfter: self.long) == [])
        let rules = [
            Fixture.rule(3, .authnAll, mvpd: nil, activation: Fixture.now - .seconds(2)),
            Fixture.rule(
                1, .authzNone, resources: [Fixture.resource("Z"), Fixture.resource("A"), Fixture.resource("ü")],
                activation: Fixture.now - .seconds(1)),
            Fixture.rule(2, .authzAll, requestor: Fixture.southNews, mvpd: Fixture.skyPeak),
        ]
        #expect(try await store.save([rules[2], rules[0]], audit: Fixture.audit(1)))
        #expect(try await store.save([rules[1]], audit: Fixture.audit(2)))
        #expect(try await reader.degradationRules(endingAfter: self.long) == rules.map { self.kept($0) })
    }

    @Test("are kept under their ID: saved again, they replace the version that was read", arguments: StoreUnderTest.all)
    func replacement(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let rule = Fixture.rule(1, resources: [Fixture.resource("A"), Fixture.resource("B")])
        let other = Fixture.rule(2, resources: [Fixture.resource("A")])
        #expect(try await store.save([rule, other], audit: Fixture.audit(1)))
        var ended = Fixture.rule(1, .authzNone, mvpd: nil, resources: [Fixture.resource("B")], lifetime: .seconds(1))
        // Not over one that it does not know of, alone or with others.
        #expect(try await store.save([ended], audit: Fixture.audit(3)) == false)
        #expect(try await store.save([Fixture.rule(3), ended], audit: Fixture.audit(3)) == false)
        #expect(try await store.degradationRules(endingAfter: self.long) == [rule, other].map { self.kept($0) })
        ended.version = 1
        #expect(try await store.save([ended], audit: Fixture.audit(2)))
        #expect(try await store.degradationRules(endingAfter: self.long) == [self.kept(ended), self.kept(other)])
        #expect(try await store.auditEntries(limit: 9) == [Fixture.audit(2), Fixture.audit(1)])
    }

    @Test("are listed when they end after a moment, not at it", arguments: StoreUnderTest.all)
    func ending(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let (short, long) = (
            Fixture.rule(1, resources: [Fixture.resource("A")], lifetime: .seconds(10)),
            Fixture.rule(2, resources: [Fixture.resource("B")], lifetime: .seconds(20))
        )
        #expect(try await store.save([short, long], audit: Fixture.audit(1)))
        #expect(
            try await store.degradationRules(endingAfter: short.ends - .milliseconds(1))
                == [short, long].map { self.kept($0) })
        #expect(try await store.degradationRules(endingAfter: short.ends) == [self.kept(long)])
        #expect(try await store.degradationRules(endingAfter: long.ends) == [])
    }

    @Test(arguments: StoreUnderTest.all) func `are told to other programs`(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let start = try await reader.latestChange()
        #expect(try await store.save([Fixture.rule(1), Fixture.rule(2)], audit: Fixture.audit(1)))
        #expect(try await reader.subjects(after: start) == [.degradation])
        let latest = try await reader.latestChange()
        #expect(try await store.save([], audit: Fixture.audit(2)))
        #expect(try await reader.latestChange() == latest)
    }

    @Test("are purged 30 days after their end, not before", arguments: StoreUnderTest.all)
    func purge(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let rules = (0..<5).map {
            Fixture.rule($0, resources: [Fixture.resource("A")], lifetime: .seconds(Int64(10 + $0)))
        }
        _ = try await store.save(rules, audit: Fixture.audit(1))
        let end = rules[0].ends + .seconds(30 * 86_400)
        #expect(try await store.purge(limit: 100, now: end - .milliseconds(1)) == 0)
        #expect(try await store.degradationRules(endingAfter: self.long) == rules.map { self.kept($0) })
        _ = try await store.purge(limit: 100, now: end)
        #expect(try await store.degradationRules(endingAfter: self.long) == rules[1...].map { self.kept($0) })
        // At its limit it stops, the oldest first.
        _ = try await store.purge(limit: 2, now: end + .seconds(100))
        #expect(try await store.degradationRules(endingAfter: self.long) == rules[3...].map { self.kept($0) })
    }
}
