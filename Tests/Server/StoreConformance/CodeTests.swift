import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, codes", .stores)
struct CodeTests {
    @Test("are read as they were written, every field", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let full = Fixture.record(1, appID: "player", deviceUser: "anna")
        let bare = RegistrationRecord(
            id: "x", code: Fixture.code(2),
            request: CodeRequest(
                requestor: Fixture.southNews, deviceID: full.request.deviceID, context: Fixture.context(2), mvpd: nil,
                registrationURL: nil, deviceType: nil, appVersion: nil,
                box: BoxDescription(
                    name: nil, model: nil, software: nil, userAgent: nil, deviceInformation: nil, address: ""),
                application: nil), life: full.life, version: 7)
        // Its `==`, which names every field, is written by hand.
        #expect(Mirror(reflecting: full.request).children.count == 10)
        for record in [full, bare] {
            #expect(try await store.insert(record, limitPerDevice: 10, now: Fixture.now) == .inserted(cancelled: []))
            #expect(try await store.code(record.code) == record)
        }
        #expect(try await store.code(Fixture.code(3)) == nil)
    }

    @Test("keep every state with what belongs to it", arguments: StoreUnderTest.all)
    func states(_ kind: StoreUnderTest) async throws {
        let states: [RegistrationCode.State] = [
            .waiting(refusal: nil), .waiting(refusal: ""), .waiting(refusal: "No such “subscription”"), .opened,
            .loggingIn, .confirming, .completed(Fixture.authenticationID(9)), .declined, .cancelled, .expired,
        ]
        let store = try await kind.store()
        for (number, state) in states.enumerated() {
            let inserted = try await store.keep(Fixture.record(number, device: number, state: state))
            #expect(try await store.code(inserted.code)?.life.storedState == state)

            let replaced = try await store.keep(Fixture.record(100 + number, device: 100 + number))
            var changed = replaced
            changed.life = inserted.life
            #expect(try await store.replace(changed, attempt: nil, creating: nil))
            #expect(try await store.code(replaced.code)?.life.storedState == state)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `keep any text byte for byte`(_ kind: StoreUnderTest) async throws {
        let longest = String(repeating: "é", count: 256)
        // Composed and decomposed, combining, right to left, beyond the first plane, and a quote for good measure.
        let texts = ["caf\u{E9}", "cafe\u{301}", "שלום", "📺👩‍👩‍👧", "'; DROP TABLE codes; --", "%_\\\"", longest, " "]
        let store = try await kind.store()
        for (number, text) in texts.enumerated() {
            let record = try await store.keep(
                Fixture.record(number, device: number, appID: text, deviceUser: text, deviceID: text))
            let read = try #require(try await store.code(record.code))
            #expect(read.request.deviceID == record.request.deviceID)
            #expect(read.context.appID.map { Array($0.utf8) } == Array(text.utf8))
            #expect(read.context.deviceUser.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(arguments: StoreUnderTest.all) func `live into the far future`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let far = Timestamp(milliseconds: 253_402_300_799_999)
        let record = Fixture.record(1, generated: far)
        _ = try await store.insert(record, limitPerDevice: 1, now: far)
        #expect(try await store.code(record.code)?.life == record.life)
        #expect(try await store.liveCodeCount(now: far) == 1)
    }

    @Test("never replace a kept code, whoever has it and however over it is", arguments: StoreUnderTest.all)
    func collision(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let first = Fixture.record(1, state: .cancelled)
        let second = Fixture.record(1, device: 2, requestor: Fixture.southNews, generated: Fixture.now + .seconds(7200))
        try await store.keep(first)
        let now = Fixture.now + .seconds(7200)
        #expect(try await store.insert(second, limitPerDevice: 10, now: now) == .taken)
        #expect(try await store.code(first.code) == first)
    }

    @Test(arguments: StoreUnderTest.all) func `that collide cancel nothing`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.keep(Fixture.record(1), limit: 1)
        let again = Fixture.record(1)
        #expect(try await store.insert(again, limitPerDevice: 1, now: Fixture.now) == .taken)
        #expect(try await store.code(Fixture.code(1))?.life.storedState == .waiting(refusal: nil))
    }

    @Test("of one text and fifty callers are kept once", arguments: StoreUnderTest.all)
    func concurrentCollision(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let kept = try await Race.winners(50, one, other) { store, number in
            let record = Fixture.record(1, device: number)
            return try await store.insert(record, limitPerDevice: 10, now: Fixture.now) == .inserted(cancelled: [])
        }
        #expect(kept.count == 1)
    }

    @Test("that are deleted are returned, once", arguments: StoreUnderTest.all)
    func deletion(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = try await store.keep(Fixture.record(1))
        #expect(try await store.deleteCode(record.code, of: Fixture.southNews) == nil)
        #expect(try await store.code(record.code) == record)
        #expect(try await store.deleteCode(record.code, of: record.requestor) == record)
        #expect(try await store.deleteCode(record.code, of: record.requestor) == nil)
        #expect(try await store.code(record.code) == nil)

        try await store.keep(record)
        #expect(try await store.deleteCode(record.code, of: nil) == record)
    }

    @Test("leave the sign-in they obtained when they are deleted", arguments: StoreUnderTest.all)
    func deletionKeepsTokens(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = Fixture.record(1)
        let authentication = Fixture.authentication(1, record.context, code: record.code)
        try await store.keep(record)
        #expect(try await store.replace(record, attempt: nil, creating: authentication))
        _ = try await store.deleteCode(record.code, of: nil)
        #expect(try await store.authentications(of: record.context.device) == [authentication])
    }
}
