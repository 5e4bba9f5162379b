import Entitlement
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("The statistics of a SQLite store", .store)
struct StatisticsTests {
    @Test func `count one read for each question, however much it asks`() async throws {
        let record = Fixture.authentication(1, Fixture.context(1))
        try await store.save(record)
        let resources = (0..<50).map { Fixture.resource("\($0)") }
        for resource in resources { #expect(try await store.save(Fixture.authorization(record, resource))) }
        #expect(store.statistics.reads == 0)
        let found = try await store.authorizations(of: record.id, requestor: record.requestor, resources: resources)
        #expect(found.count == 50)
        #expect(store.statistics.reads == 1)
        _ = try await store.authentications(of: record.context.device)
        _ = try await store.account("anna", of: Fixture.cableNova)
        #expect(store.statistics.reads == 3)
        _ = try await store.trial(
            of: [.device(record.context.device), .person([1])], requestor: record.requestor, mvpd: record.mvpd)
        #expect(store.statistics.reads == 4)
    }

    @Test func `count the reads of callers that come at once`() async throws {
        try await concurrently(200) { _ in try await store.client("c") }
        #expect(store.statistics.reads == 200)
        #expect(store.statistics.transactions == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `count no read of a reader that waits at the end of the feed`() async throws {
        let page = try await store.changes(after: try await store.latestChange(), limit: 1)
        guard case .changes(_, let end, false) = page else { return #expect(Bool(false)) }
        let reads = store.statistics.reads
        try await store.save(Fixture.authentication(1, Fixture.context(1)))
        await store.waitForChange(after: end, timeout: .seconds(600))
        #expect(store.statistics.reads == reads)
    }

    @Test func `do not count what a closed store refuses`() async throws {
        _ = try await store.client("c")
        await store.close()
        await #expect(throws: StoreError.self) { _ = try await store.client("c") }
        #expect(store.statistics.reads == 1)
    }
}
