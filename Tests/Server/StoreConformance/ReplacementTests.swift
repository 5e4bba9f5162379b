import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, a swap of a code", .stores)
struct ReplacementTests {
    @Test("counts the version up and changes nothing but the life", arguments: StoreUnderTest.all)
    func swap(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var record = try await store.keep(Fixture.record(1))
        try record.life.apply(.providerChosen, at: Fixture.now)
        #expect(try await store.replace(record, attempt: nil, creating: nil))
        record.version += 1
        #expect(try await store.code(record.code) == record)
        #expect(try await store.replace(record, attempt: nil, creating: nil))
    }

    @Test("of an old version changes nothing at all", arguments: StoreUnderTest.all)
    func stale(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var record = try await store.keep(Fixture.record(1))
        #expect(try await store.replace(record, attempt: nil, creating: nil))
        let position = try await store.latestChange()
        let attempt = Fixture.attempt(1, code: record.code)
        let authentication = Fixture.authentication(1, record.context)
        for version in [0, 2, -1] {
            record.version = version
            #expect(try await store.replace(record, attempt: attempt, creating: authentication) == false)
        }
        #expect(try await store.code(record.code)?.version == 1)
        #expect(try await store.login(attempt.id, now: Fixture.now) == nil)
        #expect(try await store.authentications(of: record.context.device) == [])
        #expect(try await store.latestChange() == position)
    }

    @Test("of a code that is gone changes nothing at all", arguments: StoreUnderTest.all)
    func gone(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = Fixture.record(1)
        let attempt = Fixture.attempt(1, code: record.code)
        let authentication = Fixture.authentication(1, record.context)
        #expect(try await store.replace(record, attempt: attempt, creating: authentication) == false)
        #expect(try await store.login(attempt.id, now: Fixture.now) == nil)
        #expect(try await store.authentications(of: record.context.device) == [])
    }

    @Test("by fifty at once succeeds for exactly one", arguments: StoreUnderTest.all)
    func race(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let record = try await one.keep(Fixture.record(1))
        let winners = try await Race.winners(50, one, other) { store, number in
            var mine = record
            let authentication = Fixture.authentication(number, record.context, code: record.code)
            mine.life = RegistrationCode(
                generated: record.life.generated, expires: record.life.expires,
                state: .completed(authentication.id))
            return try await store.replace(mine, attempt: nil, creating: authentication)
        }
        #expect(winners.count == 1)
        let winner = try #require(winners.first)
        let kept = try #require(try await other.code(record.code))
        #expect(kept.life.storedState == .completed(Fixture.authenticationID(winner)))
        #expect(kept.version == 1)
        #expect(
            try await one.authentications(of: record.context.device).map(\.id) == [Fixture.authenticationID(winner)]
        )
    }

    @Test("keeps the attempt as given, also over an older one", arguments: StoreUnderTest.all)
    func attempts(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var record = try await store.keep(Fixture.record(1))
        let page = LoginAttempt.Origin.foreignPage(redirectURL: "https://sport.example/äß?x=1&y='2'")
        var versions: [AttemptID: Int] = [:]
        for attempt in [
            Fixture.attempt(1, code: record.code), Fixture.attempt(1, code: record.code, origin: page),
            Fixture.attempt(1, code: record.code, progress: .accepted(sealedLogin: [0, 255, 7])),
            Fixture.attempt(1, code: record.code, progress: .accepted(sealedLogin: [])),
            Fixture.attempt(
                1, code: record.code, progress: .handedOver(sealedExchange: [0, 255, 8])),
            Fixture.attempt(
                1, code: record.code, progress: .handedOver(sealedExchange: [])),
            Fixture.attempt(1, code: record.code, progress: .answered),
            Fixture.attempt(1, code: record.code, origin: page, progress: .closed),
            Fixture.attempt(2, code: record.code),
        ] {
            #expect(try await store.replace(record, attempt: attempt, creating: nil))
            record.version += 1
            var expected = attempt
            expected.version = versions[attempt.id].map { $0 + 1 } ?? 0
            versions[attempt.id] = expected.version
            #expect(try await store.login(attempt.id, now: Fixture.now)?.attempt == expected)
        }
        #expect(try await store.login(Fixture.attempt(1, code: record.code).id, now: Fixture.now) != nil)
    }

    @Test("keeps an attempt that is there until its time is over", arguments: StoreUnderTest.all)
    func attemptExpiry(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = try await store.keep(Fixture.record(1))
        let attempt = Fixture.attempt(1, code: record.code)
        #expect(try await store.replace(record, attempt: attempt, creating: nil))
        #expect(try await store.login(attempt.id, now: attempt.expires - .milliseconds(1))?.attempt == attempt)
        #expect(try await store.login(attempt.id, now: attempt.expires) == nil)
        #expect(try await store.login(AttemptID(bytes: []), now: Fixture.now) == nil)
    }
}
