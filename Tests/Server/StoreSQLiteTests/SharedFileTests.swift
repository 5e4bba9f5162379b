import Entitlement
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("A file that two programs have open", .store)
struct SharedFileTests {
    @Test(.timeLimit(.minutes(5))) func `takes the writes of both, and each sees the other's`() async throws {
        let start = try await store.latestChange()
        var child = try StoreWriter("accounts", file, "100")
        #expect(await child.line() == "ready")
        for number in 0..<300 {
            let record = Fixture.record(number, device: number)
            #expect(try await store.insert(record, limitPerDevice: 10, now: Fixture.now) == .inserted(cancelled: []))
        }
        #expect(await child.rest() == (0..<100).map { "saved \($0)" })
        #expect(await child.end() == .exited(0))
        #expect(try await store.accounts().count == 100)
        #expect(try await store.credentials().keyPairs.count == 100)
        #expect(try await store.subjects(after: start) == Array(repeating: .credentials, count: 100))
        #expect(try await store.liveCodeCount(now: Fixture.now) == 300)
        #expect(try await store.integrityCheck() == [])
    }

    @Test(.timeLimit(.minutes(5))) func `was made once, however many open it at the same moment`() async throws {
        let file = "\(folder)/new/store.sqlite"
        try await withThrowingTaskGroup(of: SQLiteStore.self) { group in
            for _ in 0..<8 { group.addTask { try await SQLiteStore.open(file) } }
            var number = 0
            for try await store in group {
                try await store.keep(Fixture.record(number, device: number), limit: 1)
                await store.close()
                number += 1
            }
        }
        let store = try await SQLiteStore.open(file)
        #expect(try await store.liveCodeCount(now: Fixture.now) == 8)
        await store.close()
    }
}
