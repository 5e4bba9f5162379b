import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, sign-ins that were ended", .stores, .timeLimit(.minutes(5)))
struct EndedSignInTests {
    private static func end(_ seconds: Int) -> SignInEnd {
        SignInEnd(at: Fixture.now + .seconds(seconds), by: "operator-\(seconds)", .endedByOperator)
    }

    @Test("leave when, by whom and why, however they ended; trials leave nothing", arguments: StoreUnderTest.all)
    func ways(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let records = (1...4).map { Fixture.authentication($0, Fixture.context($0)) }
        let trial = Fixture.authentication(5, Fixture.context(5), origin: .temporaryPass)
        for record in records + [trial] { try await store.insert(record) }
        let new = Fixture.authentication(6, Fixture.context(1), created: Fixture.now + .seconds(1))
        try await store.insert(new)
        _ = try await store.deleteAuthentication(records[1].id, as: Self.end(2), audit: nil)
        _ = try await store.deleteAuthentications(records[2].context, as: Self.end(3), audit: nil)
        _ = try await store.deleteAuthentication(trial.id, as: Self.end(3), audit: nil)
        var selection = AuthNSelection.all
        selection.userID = records[3].userID
        _ = try await store.deleteAuthentications(selection, limit: 9, as: Self.end(3), audit: nil)
        // Nothing ends twice.
        _ = try await store.deleteAuthentication(records[3].id, as: Self.end(4), audit: nil)
        let expected = [
            EndedSignIn(records[3], Self.end(3)), EndedSignIn(records[2], Self.end(3)),
            EndedSignIn(records[1], Self.end(2)), EndedSignIn(records[0], SignInEnd(replacedBy: new)),
        ].compactMap(\.self)
        #expect(try await store.endedSignIns(.all, limit: 9) == expected)
        #expect(try await store.endedSignIns(.all, limit: 1) == [expected[0]])
        #expect(expected.count == 4 && expected[3].end.actor == "sign-in")
    }

    @Test("are found by all that is given, and stay for 30 days", arguments: StoreUnderTest.all)
    func selections(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        var ended: [EndedSignIn] = []
        for number in 1...8 {
            let record = Fixture.authentication(
                number, Fixture.context(number % 2),
                requestor: number % 3 == 0 ? Fixture.southNews : Fixture.northSport,
                mvpd: number % 4 == 0 ? Fixture.skyPeak : Fixture.cableNova)
            try await store.insert(record)
            _ = try await store.deleteAuthentication(record.id, as: Self.end(number), audit: nil)
            if let kept = EndedSignIn(record, Self.end(number)) { ended.insert(kept, at: 0) }
        }
        var selections = (0..<8).map { _ in EndedSelection.all }
        selections[0].id = ended[2].id
        selections[1].device = ended[2].device
        selections[2].mvpd = Fixture.skyPeak
        selections[3].userID = ended[5].userID
        selections[4].requestor = Fixture.southNews
        selections[5].since = Fixture.now + .seconds(4)
        selections[6].before = Fixture.now + .seconds(4)
        selections[7].devices = Fixture.device(1)...Fixture.device(2)
        var both = selections[1]
        both.requestor = Fixture.southNews
        for selection in selections + [both] {
            let found = try await store.endedSignIns(selection, limit: 9)
            #expect(!found.isEmpty && found == ended.filter(selection.selects))
        }
        let last = Fixture.now + .seconds(6) + StoreRetention().authentications
        _ = try await store.purge(StoreRetention(), limit: 100, now: last)
        #expect(try await store.endedSignIns(.all, limit: 9) == Array(ended.prefix(2)))
    }

    @Test("are told from those that go on, which are read newest first, page by page", arguments: StoreUnderTest.all)
    func newest(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        // Some of one moment.
        let records = (1...9).map { number in
            Fixture.authentication(
                number, Fixture.context(number), requestor: number == 5 ? Fixture.southNews : Fixture.northSport,
                created: Fixture.now + .seconds(number / 3), lifetime: .seconds(number == 4 ? 1 : 1000))
        }
        for record in records.shuffled() { try await store.insert(record) }
        var selection = AuthNSelection.all
        selection.requestor = Fixture.northSport
        selection.endingAfter = Fixture.now + .seconds(500)
        let expected = records.filter(selection.selects).sorted { ($0.created, $0.id.text) > ($1.created, $1.id.text) }
        var read: [AuthNRecord] = []
        repeat {
            let page = try await store.newestAuthentications(selection, before: read.last, limit: 2)
            read += page
            if page.count < 2 { break }
        } while read.count < 20
        #expect(read == expected && read.count == 7)
    }
}
