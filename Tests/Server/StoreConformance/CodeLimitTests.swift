import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, the codes of one device and requestor", .stores)
struct CodeLimitTests {
    @Test("stay within the limit; the oldest are cancelled", arguments: StoreUnderTest.all)
    func limit(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for number in 0..<10 {
            // Written in another order than they were generated in.
            let generated = Fixture.now + .seconds(Int64((number * 7) % 10))
            let record = Fixture.record(number, generated: generated)
            #expect(try await store.insert(record, limitPerDevice: 10, now: Fixture.now) == .inserted(cancelled: []))
        }
        let eleventh = Fixture.record(10, generated: Fixture.now + .seconds(11))
        // Number 0 was generated first, number 3 next (3 * 7 = 21).
        let first = try await store.insert(eleventh, limitPerDevice: 10, now: Fixture.now)
        #expect(first == .inserted(cancelled: [Fixture.code(0)]))
        let twelfth = Fixture.record(11, generated: Fixture.now + .seconds(12))
        let second = try await store.insert(twelfth, limitPerDevice: 10, now: Fixture.now)
        #expect(second == .inserted(cancelled: [Fixture.code(3)]))
        let cancelled = try #require(try await store.code(Fixture.code(0)))
        #expect(cancelled.life.storedState == .cancelled)
        #expect(cancelled.version == 1)
        #expect(try await store.liveCodeCount(now: Fixture.now) == 10)
    }

    @Test("change together with the entry of the audit log, or not at all", arguments: StoreUnderTest.all)
    func audit(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = try await store.keep(Fixture.record(1))
        let entry = AuditEntry(time: Fixture.now, actor: "op", action: "code.cancel", subject: "device 1")
        for isFirst in [true, false] {
            let isSwapped = try await store.replace(record, attempt: nil, creating: nil, audit: entry)
            #expect(isSwapped == isFirst)
            #expect(try await store.auditEntries(limit: 9) == [entry])
        }
    }

    @Test("are listed while they are open, those that expire last first", arguments: StoreUnderTest.all)
    func list(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for (number, lifetime) in [(5, 1800), (1, 1800), (2, 60), (3, 1800), (4, 1801)] {
            try await store.keep(Fixture.record(number, device: number, lifetime: .seconds(lifetime)))
        }
        var declined = try #require(try await store.code(Fixture.code(3)))
        try declined.life.apply(.declined, at: Fixture.now)
        #expect(try await store.replace(declined, attempt: nil, creating: nil))
        let open = try await store.openCodes(now: Fixture.now, limit: 10)
        let sameMoment = [1, 5].map(Fixture.code).sorted { $0.text < $1.text }
        #expect(open.map(\.code) == [Fixture.code(4)] + sameMoment + [Fixture.code(2)])
        #expect(open.first == (try await store.code(Fixture.code(4))))
        #expect(try await store.openCodes(now: Fixture.now, limit: 2) == Array(open.prefix(2)))
        #expect(try await store.openCodes(now: Fixture.now + .seconds(60), limit: 10).count == 3)
        #expect(try await store.openCodes(now: Fixture.now + .seconds(1801), limit: 10).isEmpty)
    }

    @Test("of the same moment are cancelled in the order they were kept", arguments: StoreUnderTest.all)
    func ties(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for number in [5, 2, 8] { try await store.keep(Fixture.record(number), limit: 3) }
        let lowered = try await store.insert(Fixture.record(1), limitPerDevice: 2, now: Fixture.now)
        #expect(lowered == .inserted(cancelled: [Fixture.code(5), Fixture.code(2)]))
    }

    @Test("never give way to a limit below one: the new one stays", arguments: StoreUnderTest.all)
    func newestStays(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        // Generated before the code that is there: still the new one stays.
        try await store.keep(Fixture.record(1, generated: Fixture.now + .seconds(5)), limit: 1)
        let insertion = try await store.insert(Fixture.record(2), limitPerDevice: 1, now: Fixture.now)
        #expect(insertion == .inserted(cancelled: [Fixture.code(1)]))
        #expect(try await store.code(Fixture.code(2))?.life.storedState == .waiting(refusal: nil))
    }

    @Test("count alone: other devices and requestors are left in peace", arguments: StoreUnderTest.all)
    func others(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let others = [
            Fixture.record(1, device: 2),
            Fixture.record(2, requestor: Fixture.southNews),
        ]
        for record in others { try await store.keep(record, limit: 1) }
        let insertion = try await store.insert(Fixture.record(3), limitPerDevice: 1, now: Fixture.now)
        #expect(insertion == .inserted(cancelled: []))
        for record in others { #expect(try await store.code(record.code) == record) }
    }

    @Test(
        arguments: StoreUnderTest.all,
        [RegistrationCode.State.completed(Fixture.authenticationID(1)), .declined, .cancelled, .expired])
    func `count only while they are open`(_ kind: StoreUnderTest, _ state: RegistrationCode.State) async throws {
        let store = try await kind.store()
        var closing = try await store.keep(Fixture.record(1), limit: 1)
        closing.life = Fixture.record(closing.code, state: state).life
        #expect(try await store.replace(closing, attempt: nil, creating: nil))
        let insertion = try await store.insert(Fixture.record(2), limitPerDevice: 1, now: Fixture.now)
        #expect(insertion == .inserted(cancelled: []))
        #expect(try await store.code(closing.code)?.life.storedState == state)
    }

    @Test("count whether or not somebody is signing in", arguments: StoreUnderTest.all)
    func openStatesCount(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var busy = try await store.keep(Fixture.record(1), limit: 1)
        for state in [RegistrationCode.State.opened, .loggingIn, .confirming, .waiting(refusal: "no")] {
            busy.life = Fixture.record(busy.code, state: state).life
            #expect(try await store.replace(busy, attempt: nil, creating: nil))
            busy.version += 1
        }
        let insertion = try await store.insert(Fixture.record(2), limitPerDevice: 1, now: Fixture.now)
        #expect(insertion == .inserted(cancelled: [busy.code]))
    }

    @Test("do not count from the moment they expire", arguments: StoreUnderTest.all)
    func expiry(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let old = try await store.keep(Fixture.record(1), limit: 1)
        let insertion = try await store.insert(
            Fixture.record(2, generated: old.life.expires), limitPerDevice: 1, now: old.life.expires)
        #expect(insertion == .inserted(cancelled: []))
        // A millisecond earlier it would have been cancelled.
        let insertionBefore = try await store.insert(
            Fixture.record(3), limitPerDevice: 2, now: old.life.expires - .milliseconds(1))
        #expect(insertionBefore == .inserted(cancelled: [old.code]))
    }

    @Test("stay within the limit also when many come at once", arguments: StoreUnderTest.all)
    func concurrent(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let kept = try await Race.winners(40, one, other) { store, number in
            let record = Fixture.record(number)
            return try await store.insert(record, limitPerDevice: 10, now: Fixture.now) != .taken
        }
        #expect(kept.count == 40)
        var open = 0
        for number in 0..<40 {
            let record = try #require(try await one.code(Fixture.code(number)))
            if record.life.storedState == .waiting(refusal: nil) { open += 1 }
        }
        #expect(open == 10)
    }
}

@Suite("In every store, the count of live codes", .stores)
struct LiveCodeCountTests {
    @Test("follows codes as they come, close and go", arguments: StoreUnderTest.all)
    func count(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        #expect(try await store.liveCodeCount(now: Fixture.now) == 0)
        for number in 0..<5 { try await store.keep(Fixture.record(number, device: number), limit: 1) }
        #expect(try await store.liveCodeCount(now: Fixture.now) == 5)
        var declined = Fixture.record(0)
        declined.life = Fixture.record(declined.code, state: .declined).life
        #expect(try await store.replace(declined, attempt: nil, creating: nil))
        #expect(try await store.liveCodeCount(now: Fixture.now) == 4)
        _ = try await store.deleteCode(Fixture.code(1), of: nil)
        _ = try await store.deleteCode(Fixture.code(0), of: nil)
        #expect(try await store.liveCodeCount(now: Fixture.now) == 3)
        // Cancelled for a newer one: one goes, one comes.
        try await store.keep(Fixture.record(9, device: 2), limit: 1)
        #expect(try await store.liveCodeCount(now: Fixture.now) == 3)
    }

    @Test("forgets codes a purge interval after they expired", arguments: StoreUnderTest.all)
    func expiry(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let short = Fixture.record(1, device: 1, lifetime: .seconds(600))
        let long = Fixture.record(2, device: 2, lifetime: .seconds(36_000))
        for record in [short, long] { try await store.keep(record, limit: 1) }
        let now = short.life.expires + .seconds(60)
        _ = try await store.purge(limit: 100, now: now)
        #expect(try await store.liveCodeCount(now: now) == 1)
        // What closes after its minute was swept is not counted down twice.
        var late = short
        late.life = Fixture.record(short.code, lifetime: .seconds(600), state: .expired).life
        #expect(try await store.replace(late, attempt: nil, creating: nil))
        #expect(try await store.liveCodeCount(now: now) == 1)
        let end = long.life.expires + .seconds(60)
        _ = try await store.purge(limit: 100, now: end)
        #expect(try await store.liveCodeCount(now: end) == 0)
    }
}
