import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, trials", .stores)
struct TrialTests {
    private let device = TrialIdentity.device(Fixture.device(1))
    private let otherDevice = TrialIdentity.device(Fixture.device(2))
    /// The bytes of ``device``: an identity is its kind, too.
    private let person = TrialIdentity.person(Fixture.device(1).bytes)

    private func trial(
        _ store: any Store, _ identities: TrialIdentity..., requestor: RequestorID = Fixture.northSport,
        mvpd: MVPDID = Fixture.cableNova
    ) async throws -> TrialRecord? {
        try await store.trial(of: identities, requestor: requestor, mvpd: mvpd)
    }

    private func kept(_ record: TrialRecord) -> TrialRecord {
        var record = record
        record.version += 1
        return record
    }

    @Test("are found by any of their identities, as they were written", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let resources = [Fixture.resource("Z"), Fixture.resource("A"), Fixture.resource("ü")]
        let record = Fixture.trial(1, [self.person, self.otherDevice], resources: resources)
        let unused = Fixture.trial(2, [self.device], firstUse: nil)
        #expect(try await store.replace(record))
        #expect(try await store.replace(unused))
        #expect(try await self.trial(reader, self.person) == self.kept(record))
        #expect(try await self.trial(reader, self.otherDevice) == self.kept(record))
        #expect(try await self.trial(reader, self.device) == self.kept(unused))
        #expect(try await self.trial(reader, .device(Fixture.device(3))) == nil)
        #expect(try await self.trial(reader) == nil)
    }

    @Test("of several identities are found by the earliest in the list", arguments: StoreUnderTest.all)
    func precedence(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let (of, by) = (Fixture.trial(1, [self.device]), Fixture.trial(2, [self.person]))
        for record in [of, by] { #expect(try await store.replace(record)) }
        #expect(try await self.trial(store, self.person, self.device)?.id == by.id)
        #expect(try await self.trial(store, self.device, self.person)?.id == of.id)
        #expect(try await self.trial(store, self.otherDevice, self.device)?.id == of.id)
    }

    @Test("are one per requestor, provider and identity", arguments: StoreUnderTest.all)
    func uniqueness(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let records = [
            Fixture.trial(1, [self.device]), Fixture.trial(2, [self.device], requestor: Fixture.southNews),
            Fixture.trial(3, [self.device], mvpd: Fixture.skyPeak),
        ]
        for record in records { #expect(try await store.replace(record)) }
        for record in records {
            let found = try await self.trial(store, self.device, requestor: record.requestor, mvpd: record.mvpd)
            #expect(found == self.kept(record))
        }
        // Neither a second one, nor the same one as if it were new.
        #expect(try await store.replace(Fixture.trial(4, [self.person, self.device])) == false)
        #expect(try await store.replace(Fixture.trial(1, [self.person])) == false)
        #expect(try await self.trial(store, self.person) == nil)
    }

    @Test("are swapped when the version is that which was read, else not at all", arguments: StoreUnderTest.all)
    func swap(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var record = Fixture.trial(1, [self.device], firstUse: nil, resources: [])
        #expect(try await store.replace(record))
        record.version = 1
        record.trial = Trial(firstUse: Fixture.now, resources: [Fixture.resource("A")])
        record.identities.append(self.person)
        #expect(try await store.replace(record))
        #expect(try await self.trial(store, self.person) == self.kept(record))
        var late = record
        late.trial = Trial(firstUse: Fixture.now + .seconds(5), resources: [])
        late.identities = [self.otherDevice]
        for version in [-1, 0, 1, 3] {
            late.version = version
            #expect(try await store.replace(late) == false)
        }
        #expect(try await self.trial(store, self.device) == self.kept(record))
        #expect(try await self.trial(store, self.otherDevice) == nil)
    }

    @Test("do not take an identity from another trial", arguments: StoreUnderTest.all)
    func contested(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let ofDevice = Fixture.trial(1, [self.device])
        var ofPerson = Fixture.trial(2, [self.person])
        for record in [ofDevice, ofPerson] { #expect(try await store.replace(record)) }
        ofPerson.version = 1
        ofPerson.identities = [self.person, self.device, self.otherDevice]
        #expect(try await store.replace(ofPerson))
        #expect(try await self.trial(store, self.device) == self.kept(ofDevice))
        ofPerson.identities = [self.person, self.otherDevice]
        #expect(try await self.trial(store, self.otherDevice) == self.kept(ofPerson))
    }

    @Test("begun fifty times at once begin once", arguments: StoreUnderTest.all)
    func race(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let winners = try await Race.winners(50, one, other) { store, number in
            try await store.replace(Fixture.trial(number, [self.person, .device(Fixture.device(number))]))
        }
        #expect(winners.count == 1)
        for number in 0..<50 {
            let found = try await self.trial(one, .device(Fixture.device(number)))
            #expect((found == nil) == !winners.contains(number))
        }
    }

    @Test("counted by fifty at once count each of them", arguments: StoreUnderTest.all)
    func counting(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        #expect(try await one.replace(Fixture.trial(1, [self.device])))
        try await Race.winners(50, one, other) { store, number in
            while true {
                var record = try #require(try await self.trial(store, self.device))
                _ = record.trial.use(
                    Fixture.resource("\(number)"), at: Fixture.now,
                    rules: TrialRules(lifetime: .seconds(60), maximumResources: 100))
                if try await store.replace(record) { return true }
            }
        }
        let record = try #require(try await self.trial(one, self.device))
        #expect(record.version == 51)
        #expect(Set(record.trial.resources) == Set((0..<50).map { Fixture.resource("\($0)") }))
        #expect(record.trial.resources.count == 50)
    }

    @Test("are reset by one identity or all, within one requestor and provider", arguments: StoreUnderTest.all)
    func reset(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let foreign = [
            Fixture.trial(8, [self.device], requestor: Fixture.southNews),
            Fixture.trial(9, [self.device], mvpd: Fixture.skyPeak),
        ]
        let own = [
            Fixture.trial(1, [self.person, self.device], resources: [Fixture.resource("A")]),
            Fixture.trial(2, [self.otherDevice]), Fixture.trial(3, [.device(Fixture.device(3))]),
        ]
        for record in foreign + own { #expect(try await store.replace(record)) }
        func reset(_ identity: TrialIdentity?) async throws -> Int {
            try await store.resetTrials(
                of: identity, requestor: Fixture.northSport, mvpd: Fixture.cableNova, limit: 100, audit: nil)
        }
        #expect(try await reset(.device(Fixture.device(4))) == 0)
        #expect(try await reset(self.device) == 1)
        // Under no name is it found again, and it may begin anew.
        #expect(try await self.trial(store, self.person, self.device) == nil)
        #expect(try await store.replace(own[0]))
        #expect(try await reset(nil) == 3)
        #expect(try await reset(nil) == 0)
        for record in own {
            #expect(
                try await store.trial(
                    of: record.identities, requestor: record.requestor, mvpd: record.mvpd) == nil)
        }
        for record in foreign {
            let found = try await self.trial(store, self.device, requestor: record.requestor, mvpd: record.mvpd)
            #expect(found == self.kept(record))
        }
    }

    @Test("are reset in batches, with one entry in the log where it is given", arguments: StoreUnderTest.all)
    func batches(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for number in 0..<5 {
            #expect(try await store.replace(Fixture.trial(number, [.device(Fixture.device(number))])))
        }
        func reset(_ audit: AuditEntry?) async throws -> Int {
            try await store.resetTrials(
                of: nil, requestor: Fixture.northSport, mvpd: Fixture.cableNova, limit: 2, audit: audit)
        }
        #expect(try await reset(Fixture.audit(1)) == 2)
        #expect(try await reset(nil) == 2)
        #expect(try await reset(nil) == 1)
        #expect(try await reset(nil) == 0)
        #expect(try await store.auditEntries(limit: 10) == [Fixture.audit(1)])
    }

    @Test("begin with the permit they give, or not at all", arguments: StoreUnderTest.all)
    func permit(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let signIn = Fixture.authentication(1, Fixture.context(1), isExclusive: true, origin: .temporaryPass)
        let permit = Fixture.authorization(signIn, Fixture.resource("A"), origin: .temporaryPass)
        var record = Fixture.trial(1, [self.device])
        #expect(try await store.replace(record, keeping: permit, limit: 9) == .signedOut)
        #expect(try await self.trial(store, self.device) == nil)
        try await store.save(signIn)
        #expect(try await store.replace(record, keeping: permit, limit: 9) == .kept)
        #expect(try await self.trial(store, self.device) == self.kept(record))
        #expect(try await store.authorizations(of: Fixture.device(1)) == [permit])
        let second = Fixture.authorization(signIn, Fixture.resource("B"), origin: .temporaryPass)
        #expect(try await store.replace(record, keeping: second, limit: 9) == .outdated)
        record.version = 1
        _ = try await store.deleteAuthentication(signIn.id, audit: nil)
        #expect(try await store.replace(record, keeping: second, limit: 9) == .signedOut)
        #expect(try await self.trial(store, self.device)?.version == 1)
        #expect(try await store.authorizations(of: Fixture.device(1)) == [])
    }

    @Test("go at the moment they name, and those that name none stay", arguments: StoreUnderTest.all)
    func end(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let end = Fixture.now + .seconds(400 * 86_400)
        var (ending, other) = (Fixture.trial(1, [self.device]), Fixture.trial(2, [self.otherDevice]))
        ending.keptUntil = end
        other.keptUntil = nil
        for record in [ending, other] { #expect(try await store.replace(record)) }
        #expect(try await store.purge(limit: 9, now: end - .milliseconds(1)) == 0)
        #expect(try await self.trial(store, self.device) == self.kept(ending))
        #expect(try await store.purge(limit: 9, now: end) == 1)
        #expect(try await self.trial(store, self.device) == nil)
        #expect(try await self.trial(store, self.otherDevice) == self.kept(other))
    }

    @Test("outlive every sign-in and every purge", arguments: StoreUnderTest.all)
    func survival(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = Fixture.trial(1, [self.device])
        #expect(try await store.replace(record))
        try await store.save(Fixture.authentication(1, Fixture.context(1), origin: .temporaryPass))
        _ = try await store.deleteAuthentications(Fixture.context(1), audit: nil)
        _ = try await store.purge(limit: 100, now: Fixture.now + .seconds(10 * 365 * 86_400))
        #expect(try await self.trial(store, self.device) == self.kept(record))
    }
}
