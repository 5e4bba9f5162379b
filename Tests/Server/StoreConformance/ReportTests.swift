import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, counts of reports", .stores)
struct ReportTests {
    private func count(
        _ hour: Int64, _ number: Int, requestor: RequestorID = Fixture.northSport, mvpd: MVPDID? = nil,
        platform: String? = nil, event: BoxStep.Kind = .codeMade
    ) -> ReportCount {
        ReportCount(
            ReportCount.Key(
                hour: hour, requestor: requestor, mvpd: mvpd, model: BoxModel(deviceType: "STB", platform: platform),
                event: event), count: number)
    }

    @Test("add up by their whole key, and are read by the hour", arguments: StoreUnderTest.all)
    func adding(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let first = [
            self.count(10, 1), self.count(10, 2, platform: "Linux"), self.count(10, 3, event: .confirmed),
            self.count(10, 4, requestor: Fixture.southNews), self.count(10, 5, mvpd: MVPDID("CableNova")),
            self.count(11, 6), self.count(9, 7),
        ]
        try await store.add(first)
        try await store.add([])
        try await store.add([self.count(10, 10), self.count(12, 1)])
        let all = try await reader.reportCounts(ReportSelection(0..<100), limit: 100)
        #expect(all.map(\.key.hour) == [9, 10, 10, 10, 10, 10, 11, 12])
        #expect(Set(all) == Set(first.dropFirst() + [self.count(10, 11), self.count(12, 1)]))
        #expect(try await reader.reportCounts(ReportSelection(10..<12), limit: 100).count == 6)
        #expect(try await reader.reportCounts(ReportSelection(0..<100), limit: 3) == Array(all.prefix(3)))
        #expect(try await reader.reportCounts(ReportSelection(13..<13), limit: 3).isEmpty)
    }

    @Test("come as one where they are not told apart, and of the requestors asked for", arguments: StoreUnderTest.all)
    func grouping(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let nova = MVPDID("CableNova")!
        try await store.add([
            self.count(25, 1, mvpd: nova), self.count(47, 2, platform: "Linux"), self.count(48, 4),
            self.count(26, 8, requestor: Fixture.southNews), self.count(26, 16, event: .confirmed),
        ])
        var selection = ReportSelection(0..<100)
        selection.requestors = [Fixture.northSport]
        #expect(try await store.reportCounts(selection, limit: 9).map(\.count) == [1, 16, 2, 4])
        selection.isByDay = true
        (selection.tellsProviders, selection.tellsModels) = (false, false)
        let found = try await store.reportCounts(selection, limit: 9)
        #expect(found.map(\.key.hour) == [24, 24, 48] && found.map(\.count) == [3, 16, 4])
        #expect(found.allSatisfy { $0.key.mvpd == nil && $0.key.model == BoxModel() })
        #expect(try await store.reportCounts(selection, limit: 2) == Array(found.prefix(2)))
        selection.tellsProviders = true
        #expect(try await store.reportCounts(selection, limit: 9).map(\.key.mvpd) == [nil, nil, nova, nil])
        selection.requestors = []
        #expect(try await store.reportCounts(selection, limit: 9).isEmpty)
    }

    @Test(arguments: StoreUnderTest.all) func `are added once for each batch`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for batch in ["a", "a", "b"] {
            do throws(StoreError) {
                try await store.add([self.count(1, 1)], batch: batch, until: Fixture.now + .seconds(60))
            } catch {
                #expect(error.code == .conflict)
            }
        }
        #expect(try await store.reportCounts(ReportSelection(0..<9), limit: 9) == [self.count(1, 2)])
    }

    @Test("are as many as the domain says, and the oldest go", arguments: StoreUnderTest.all)
    func bound(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for hour in 1...6 { try await store.add([self.count(Int64(hour), hour)]) }
        // The oldest row stays the oldest, also when it counted last.
        try await store.add([self.count(1, 1)])
        var retention = StoreRetention()
        retention.reportCounts = 4
        let outcome = try await store.purge(retention, limit: 500, now: Fixture.now)
        #expect(outcome.erased == 2 && outcome.isComplete)
        #expect(try await store.reportCounts(ReportSelection(0..<100), limit: 10).map(\.key.hour) == [3, 4, 5, 6])
        #expect(try await store.purge(retention, limit: 500, now: Fixture.now).erased == 0)
    }
}
