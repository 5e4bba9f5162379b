import Entitlement
import StoreFixtures
import Testing

@testable import Stores

@Suite("The identities of a trial in SQLite", .store)
struct TrialIdentityTests {
    @Test func `stay as they are when others are added`() async throws {
        let connection = try SQLiteConnection(opening: file)
        try connection.run(
            """
            CREATE TRIGGER kept BEFORE DELETE ON trial_identities
                BEGIN SELECT RAISE(ABORT, 'an identity is erased'); END
            """)
        var identities: [TrialIdentity] = []
        for number in 0..<4 {
            identities.append(.person(Array(repeating: UInt8(number), count: 32)))
            var record = Fixture.trial(1, identities)
            record.version = number
            #expect(try await store.replace(record))
            record.version += 1
            let kept = try await store.trial(of: [identities[0]], requestor: record.requestor, mvpd: record.mvpd)
            #expect(kept == record)
        }
    }
}
