import Clientless
import Entitlement
import StoreFixtures
import StoreSQLite
import Testing

@Suite("The audit log of a SQLite store")
struct AuditLogTests {
    @Test("keeps its newest entries in a purge, which stops at its limit")
    func bound() async throws {
        var options = SQLiteStore.Options()
        options.maximumAuditEntries = 5
        try await withTemporaryFolder { folder in
            let store = try await SQLiteStore.open("\(folder)/store.sqlite", options: options)
            func log(_ number: Int) async throws {
                try await store.save([], audit: Fixture.audit(number))
            }
            for number in 0..<12 { try await log(number) }
            #expect(try await store.purge(limit: 4, now: Fixture.now) == 4)
            #expect(try await store.auditEntries(limit: 100) == (4..<12).reversed().map { Fixture.audit($0) })
            #expect(try await store.purge(limit: 4, now: Fixture.now) == 3)
            #expect(try await store.purge(limit: 4, now: Fixture.now) == 0)
            try await log(12)
            #expect(try await store.purge(limit: 4, now: Fixture.now) == 1)
            #expect(try await store.auditEntries(limit: 100) == (8..<13).reversed().map { Fixture.audit($0) })
            await store.close()
        }
    }
}
