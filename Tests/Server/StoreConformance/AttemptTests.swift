import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("Kept login attempts", .stores)
struct AttemptTests {
    @Test("change by the version that was read, one change after the other", arguments: StoreUnderTest.all)
    func swap(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let record = try await one.keep(Fixture.record(1))
        var attempt = Fixture.attempt(1, code: record.code)
        let stranger = Fixture.attempt(2, code: record.code)
        #expect(try await one.update(attempt) == false)
        #expect(try await one.replace(record, attempt: attempt, creating: nil))
        for progress: LoginAttempt.Progress in [
            .handedOver(sealedExchange: [0, 255, 1]),
            .handedOver(sealedExchange: []), .answered, .accepted(sealedLogin: [1]), .closed,
            .completed, .closed, .atProvider,
        ] {
            let stale = attempt
            attempt.progress = progress
            #expect(try await other.update(attempt))
            #expect(try await one.update(stale) == false)
            attempt.version += 1
            #expect(try await one.login(attempt.id, now: Fixture.now)?.attempt == attempt)
        }
        #expect(try await one.update(stranger) == false)
        #expect(try await one.login(stranger.id, now: Fixture.now) == nil)
    }

    @Test("change in nothing but their progress", arguments: StoreUnderTest.all)
    func progressAlone(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = try await store.keep(Fixture.record(1))
        var kept = Fixture.attempt(1, code: record.code)
        #expect(try await store.replace(record, attempt: kept, creating: nil))
        let other = Fixture.attempt(
            1, code: Fixture.code(2), created: Fixture.now + Duration.seconds(60),
            origin: .foreignPage(redirectURL: "https://sport.example/"), progress: .answered)
        #expect(try await store.update(other))
        kept.progress = .answered
        kept.version = 1
        #expect(try await store.login(kept.id, now: Fixture.now)?.attempt == kept)
    }

    @Test("keep where they began, a look at boxes too", arguments: StoreUnderTest.all)
    func origins(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let origins: [LoginAttempt.Origin] = [
            .secondScreen, .foreignPage(redirectURL: "https://sport.example/"), .boxList,
        ]
        for (number, origin) in origins.enumerated() {
            let record = try await store.keep(Fixture.record(number + 1))
            let attempt = Fixture.attempt(number + 1, code: record.code, origin: origin)
            #expect(try await store.replace(record, attempt: attempt, creating: nil))
            #expect(try await store.login(attempt.id, now: Fixture.now)?.attempt.origin == origin)
        }
    }

    @Test(
        "are swapped by one of fifty callers, and no change is lost to one kept with a code",
        arguments: StoreUnderTest.all)
    func concurrent(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let record = try await one.keep(Fixture.record(1))
        let attempt = Fixture.attempt(1, code: record.code)
        #expect(try await one.replace(record, attempt: attempt, creating: nil))
        let swapped = try await Race.winners(50, one, other) { store, _ in
            var changed = attempt
            changed.progress = .answered
            return try await store.update(changed)
        }
        #expect(swapped.count == 1)
        // A caller that read before knows by the version that a code's change came in between.
        var late = attempt
        late.version = 1
        var next = record
        next.version = 1
        #expect(try await one.replace(next, attempt: Fixture.attempt(1, code: record.code), creating: nil))
        #expect(try await one.update(late) == false)
    }
}
