import Entitlement
import StoreFixtures
import Stores
import Testing

@Suite("The audit log of a SQLite store", .store)
struct AuditLogTests {
    @Test func `keeps its newest entries in a purge, which stops at its limit`() async throws {
        var retention = StoreRetention()
        retention.auditEntries = 5
        let bounded = retention
        func log(_ number: Int) async throws { try await store.log(Fixture.audit(number)) }
        for number in 0..<12 { try await log(number) }
        #expect(try await store.purge(bounded, limit: 4, now: Fixture.now).erased == 4)
        #expect(try await store.auditEntries(limit: 100) == (4..<12).reversed().map { Fixture.audit($0) })
        #expect(try await store.purge(bounded, limit: 4, now: Fixture.now).erased == 3)
        #expect(try await store.purge(bounded, limit: 4, now: Fixture.now).erased == 0)
        try await log(12)
        #expect(try await store.purge(bounded, limit: 4, now: Fixture.now).erased == 1)
        #expect(try await store.auditEntries(limit: 100) == (8..<13).reversed().map { Fixture.audit($0) })
    }
}
