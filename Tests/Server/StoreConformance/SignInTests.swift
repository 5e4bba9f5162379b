import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, sign-ins without a code", .stores)
struct SignInTests {
    private let north = Fixture.resource("North Sport HD")

    @Test("are read as they were written, by device and by ID", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        for (number, origin) in [AuthNOrigin.regular, .temporaryPass, .degraded, .platform].enumerated() {
            let record = Fixture.authentication(
                number, Fixture.context(number, appID: "a"), isExclusive: true, origin: origin, lifetime: .zero)
            try await store.save(record)
            #expect(try await reader.authentication(record.id) == record)
            #expect(try await reader.authentications(of: record.context.device) == [record])
        }
        #expect(try await reader.authentication(Fixture.authenticationID(9)) == nil)
    }

    @Test("replace what their context held, with its AuthZ records", arguments: StoreUnderTest.all)
    func replacement(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let first = Fixture.authentication(1, Fixture.context(1))
        let second = Fixture.authentication(2, Fixture.context(1), mvpd: Fixture.skyPeak, origin: .platform)
        try await store.save(first)
        #expect(try await store.save(Fixture.authorization(first, self.north)))
        try await store.save(second)
        #expect(try await store.authentications(of: Fixture.device(1)) == [second])
        #expect(try await store.authorizations(of: Fixture.device(1)) == [])
        #expect(try await store.save(Fixture.authorization(first, self.north)) == false)
    }

    @Test("keep their AuthZ records when they are renewed", arguments: StoreUnderTest.all)
    func renewal(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let code = try await store.keep(Fixture.record(1), limit: 1)
        let record = Fixture.authentication(1, code.context, code: code.code, origin: .temporaryPass)
        #expect(try await store.replace(code, attempt: nil, creating: record))
        let neighbour = Fixture.authentication(2, Fixture.context(1, appID: "a"))
        try await store.save(neighbour)
        let authorization = Fixture.authorization(record, self.north, origin: .temporaryPass)
        #expect(try await store.save(authorization))
        var renewed = record.ending(at: Fixture.now + .seconds(60))
        #expect(try await store.update(renewed))
        renewed.version = 1
        #expect(try await store.authentication(record.id) == renewed)
        // It is no newer than it was: of two of the same moment the one kept later comes first.
        #expect(try await store.authentications(of: record.context.device) == [neighbour, renewed])
        #expect(try await store.authorizations(of: record.context.device) == [authorization])
    }

    @Test("at a provider end the trial of the same context and requestor", arguments: StoreUnderTest.all)
    func realOverTrial(_ kind: StoreUnderTest) async throws {
        for origin in [AuthNOrigin.regular, .platform] {
            let store = try await kind.store()
            let trial = self.trial(1, Fixture.context(1))
            let others = [
                self.trial(2, Fixture.context(1), requestor: Fixture.southNews),
                self.trial(3, Fixture.context(1, appID: "a")), self.trial(4, Fixture.context(2)),
            ]
            for record in [trial] + others { try await store.save(record) }
            #expect(try await store.save(Fixture.authorization(trial, self.north, origin: .temporaryPass)))
            let real = Fixture.authentication(5, Fixture.context(1), origin: origin)
            try await store.save(real)
            #expect(try await store.authentication(trial.id) == nil)
            #expect(try await store.authorizations(of: Fixture.device(1)) == [])
            for record in others + [real] { #expect(try await store.authentication(record.id) == record) }
        }
    }

    @Test("at a provider end it also when they came with a code", arguments: StoreUnderTest.all)
    func codeOverTrial(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let (first, second) = (Fixture.record(1), Fixture.record(Fixture.code(2)))
        for code in [first, second] { try await store.keep(code, limit: 2) }
        let trial = self.trial(1, first.context, code: first.code)
        #expect(try await store.replace(first, attempt: nil, creating: trial))
        let position = try await reader.latestChange()
        let real = Fixture.authentication(2, second.context, code: second.code)
        #expect(try await store.replace(second, attempt: nil, creating: real))
        #expect(try await store.authentications(of: Fixture.device(1)) == [real])
        // Whoever asks by the code of the trial has to hear that it leads nowhere now.
        let subjects = Set(try await reader.subjects(after: position))
        #expect(subjects == [.code(first.code), .code(second.code), .device(Fixture.device(1))])
    }

    @Test("leave a trial that began later, and one that only a skipped login follows", arguments: StoreUnderTest.all)
    func trialStays(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let real = Fixture.authentication(1, Fixture.context(1))
        try await store.save(real)
        let trial = self.trial(2, Fixture.context(1), created: Fixture.now + .milliseconds(1))
        try await store.save(trial)
        #expect(try await store.authentications(of: Fixture.device(1)) == [trial, real])
        // The provider renewed it: it is no later sign-in for that.
        var renewed = real.ending(at: Fixture.now + .seconds(60))
        #expect(try await store.update(renewed))
        renewed.version = 1
        #expect(try await store.authentications(of: Fixture.device(1)) == [trial, renewed])
        let skipped = Fixture.authentication(
            3, Fixture.context(1), origin: .degraded, created: Fixture.now + .seconds(1))
        try await store.save(skipped)
        #expect(try await store.authentications(of: Fixture.device(1)) == [skipped, trial])
    }

    @Test("are erased by ID, once, with their AuthZ records alone", arguments: StoreUnderTest.all)
    func deletion(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let (one, two) = (
            Fixture.authentication(1, Fixture.context(1), code: Fixture.code(1)),
            Fixture.authentication(2, Fixture.context(1, appID: "a"))
        )
        for record in [one, two] { try await store.save(record) }
        let kept = Fixture.authorization(two, Fixture.resource("South News"))
        #expect(try await store.save(Fixture.authorization(one, self.north)))
        #expect(try await store.save(kept))
        let position = try await reader.latestChange()
        #expect(try await store.deleteAuthentication(one.id, audit: nil) == one)
        #expect(try await reader.authentications(of: Fixture.device(1)) == [two])
        #expect(try await reader.authorizations(of: Fixture.device(1)) == [kept])
        let subjects = Set(try await reader.subjects(after: position))
        #expect(subjects == [.code(Fixture.code(1)), .device(Fixture.device(1))])
        let latest = try await reader.latestChange()
        #expect(try await store.deleteAuthentication(one.id, audit: nil) == nil)
        #expect(try await reader.latestChange() == latest)
    }

    private func trial(
        _ number: Int, _ context: DeviceContext, requestor: RequestorID = Fixture.northSport,
        code: RegistrationCodeText? = nil, created: Timestamp = Fixture.now
    ) -> AuthNRecord {
        Fixture.authentication(
            number, context, requestor: requestor, isExclusive: true, mvpd: Fixture.skyPeak, code: code,
            origin: .temporaryPass, created: created)
    }
}
