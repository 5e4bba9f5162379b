import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, a sign-in", .stores)
struct IdentityTests {
    private func trial(_ number: Int, created: Timestamp = Fixture.now) -> AuthNRecord {
        Fixture.authentication(
            number, Fixture.context(1), isExclusive: true, mvpd: Fixture.skyPeak, origin: .temporaryPass,
            created: created)
    }

    @Test("that is erased brings no older one back", arguments: StoreUnderTest.all)
    func noResurrection(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        // A requestor's own sign-in first, then one it shares, at another provider.
        try await store.save(Fixture.authentication(1, Fixture.context(1), isExclusive: true))
        let second = Fixture.authentication(2, Fixture.context(1), mvpd: Fixture.skyPeak)
        try await store.save(second)
        #expect(try await store.authentications(of: Fixture.device(1)) == [second])
        _ = try await store.deleteAuthentication(second.id, audit: nil)
        #expect(try await store.authentications(of: Fixture.device(1)) == [])
    }

    @Test(arguments: StoreUnderTest.all) func `has its own ID`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let record = Fixture.authentication(1, Fixture.context(1))
        try await store.save(record)
        let other = Fixture.authentication(1, Fixture.context(2))
        await #expect { try await store.save(other) } throws: { ($0 as? StoreError)?.code == .conflict }
        let code = try await store.keep(Fixture.record(1, device: 2), limit: 1)
        await #expect { try await store.replace(code, attempt: nil, creating: other) } throws: {
            ($0 as? StoreError)?.code == .conflict
        }
        #expect(try await store.code(code.code) == code)
        #expect(try await store.authentication(record.id) == record)
    }

    @Test("is changed when the version is that which was read, else not at all", arguments: StoreUnderTest.all)
    func update(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        var record = Fixture.authentication(1, Fixture.context(1), code: Fixture.code(1))
        try await store.save(record)
        let position = try await reader.latestChange()
        record.expires = Fixture.now + .seconds(7)
        record.sealedSession = [7, 7]
        record.providerSession = [1, 2]
        #expect(try await store.update(record))
        #expect(try await reader.subjects(after: position) == [.device(Fixture.device(1))])
        var stale = record
        record.version = 1
        #expect(try await reader.authentication(record.id) == record)
        stale.expires = Fixture.now
        for version in [-1, 0, 2] {
            stale.version = version
            #expect(try await store.update(stale) == false)
        }
        #expect(try await reader.authentication(record.id) == record)
        let latest = try await reader.latestChange()
        _ = try await store.deleteAuthentication(record.id, audit: nil)
        let gone = try await reader.latestChange()
        #expect(gone != latest)
        #expect(try await store.update(record) == false)
        #expect(try await reader.latestChange() == gone)
        #expect(try await reader.authentication(record.id) == nil)
    }

    @Test("changed by fifty at once is changed by one", arguments: StoreUnderTest.all)
    func race(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let record = Fixture.authentication(1, Fixture.context(1))
        try await one.save(record)
        let winners = try await Race.winners(50, one, other) { store, number in
            var mine = record
            mine.sealedSession = [UInt8(number)]
            return try await store.update(mine)
        }
        #expect(winners.count == 1)
        #expect(try await one.authentication(record.id)?.version == 1)
    }

    @Test("is not brought back by the alignment of a trial that lost against it", arguments: StoreUnderTest.all)
    func alignment(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var trial = self.trial(1)
        try await store.save(trial)
        let real = Fixture.authentication(2, Fixture.context(1), isExclusive: true, created: Fixture.now + .seconds(1))
        try await store.save(real)
        trial.expires = Fixture.now + .seconds(60)
        #expect(try await store.update(trial) == false)
        #expect(try await store.authentications(of: Fixture.device(1)) == [real])
        // Nor does signing in to the trial anew end it.
        let again = self.trial(3, created: Fixture.now + .seconds(2))
        try await store.save(again)
        #expect(try await store.authentications(of: Fixture.device(1)) == [again, real])
    }

    @Test("is one of a bounded number, of which the oldest goes", arguments: StoreUnderTest.all)
    func bounds(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let records = (0..<20).map { number in
            Fixture.authentication(
                number, Fixture.context(1, appID: "\(number)"), code: Fixture.code(number),
                created: Fixture.now + .seconds(number))
        }
        for record in records[..<16] { try await store.insert(record) }
        let position = try await reader.latestChange()
        for record in records[16...] { try await store.insert(record) }
        let newest = Array(records[4...].reversed())
        #expect(try await store.authentications(of: Fixture.device(1)) == newest)
        #expect(try await store.authentications(of: Fixture.device(1), limit: 3) == Array(newest[..<3]))
        #expect(try await store.authentications(of: Fixture.device(1), limit: 0) == [])
        let device = StoreChange.device(Fixture.device(1))
        #expect(
            try await reader.subjects(after: position) == (0..<4).flatMap { [device, .code(Fixture.code($0))] })
    }
}

@Suite("In every store, sign-ins are selected", .stores)
struct SelectionTests {
    private let records: [AuthNRecord] = (0..<12).map { number in
        var record = Fixture.authentication(
            number, Fixture.context(number),
            requestor: number.isMultiple(of: 2) ? Fixture.northSport : Fixture.southNews,
            mvpd: number < 6 ? Fixture.cableNova : Fixture.skyPeak, code: Fixture.code(number / 2),
            created: Fixture.now + .seconds(number))
        record.providerSession = number.isMultiple(of: 3) ? [1, 2, 3] : nil
        return record
    }

    private var selections: [AuthNSelection] {
        var all = (0..<11).map { _ in AuthNSelection.all }
        all[1].mvpd = Fixture.skyPeak
        all[2].userID = "viewer-7"
        all[3].requestor = Fixture.southNews
        all[4].code = Fixture.code(3)
        all[5].providerSession = [1, 2, 3]
        (all[6].since, all[6].before) = (Fixture.now + .seconds(3), Fixture.now + .seconds(9))
        (all[7].requestor, all[7].mvpd, all[7].since) = (Fixture.northSport, Fixture.skyPeak, Fixture.now)
        // The boxes of one viewer.
        (all[8].requestor, all[8].mvpd, all[8].userID) = (Fixture.southNews, Fixture.cableNova, "viewer-3")
        all[9].endingAfter = self.records[4].expires
        all[10].devices = Fixture.device(3)...Fixture.device(5)
        return all
    }

    @Test(arguments: StoreUnderTest.all) func `by all that is given, in pages`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for record in self.records { try await store.save(record) }
        for selection in self.selections {
            let expected = self.records.filter(selection.selects)
            #expect(!expected.isEmpty)
            var found: [AuthNRecord] = []
            while true {
                let page = try await store.authentications(selection, after: found.last?.id, limit: 2)
                if page.isEmpty { break }
                #expect(page.count <= 2)
                found += page
            }
            #expect(found == expected)
        }
    }

    @Test("and erased with what belongs to them, at most so many at once", arguments: StoreUnderTest.all)
    func deletion(_ kind: StoreUnderTest) async throws {
        for selection in self.selections {
            let (store, reader) = try await kind.pair()
            for record in self.records { try await store.save(record) }
            for record in self.records {
                #expect(try await store.save(Fixture.authorization(record, Fixture.resource("A"))))
            }
            let position = try await reader.latestChange()
            var erased: [AuthNRecord] = []
            while true {
                let page = try await store.deleteAuthentications(
                    selection, limit: 5, audit: erased.isEmpty ? Fixture.audit(1) : nil)
                #expect(page.count <= 5)
                erased += page
                if page.count < 5 { break }
            }
            #expect(Set(erased) == Set(self.records.filter(selection.selects)))
            #expect(try await store.auditEntries(limit: 9) == [Fixture.audit(1)])
            for record in self.records {
                let isLeft = !selection.selects(record)
                #expect((try await reader.authentication(record.id) != nil) == isLeft)
                #expect(try await reader.authorizations(of: record.context.device).isEmpty == !isLeft)
            }
            let told = Set(try await reader.subjects(after: position))
            #expect(told == Set(erased.flatMap { [.device($0.context.device), .code($0.code ?? Fixture.code(99))] }))
            await kind.giveBack()
        }
    }
}
