import Entitlement
import TestSupport
import Testing

@Suite("Whether the store is ready", .fixture, .timeLimit(.minutes(5)))
struct ReadinessTests {
    @Test func `is found out once a second, however many ask`() async throws {
        func ask(_ uptime: Duration) async throws -> Int {
            let before = fixture.store.statistics
            try await concurrently(50) { _ in try await domain.upkeep.checkStore(at: uptime) }
            #expect(fixture.store.statistics.reads == before.reads)
            return fixture.store.statistics.accepted - before.accepted
        }
        #expect(try await ask(.seconds(10)) == 1)
        #expect(try await ask(.milliseconds(10_999)) == 0)
        #expect(try await ask(.seconds(11)) == 1)
        await fixture.store.close()
        try await domain.upkeep.checkStore(at: .milliseconds(11_999))
        for uptime in [12.0, 12.5] {
            await expectError(.storeUnavailable) {
                try await domain.upkeep.checkStore(at: .seconds(uptime))
            }
        }
    }
}
