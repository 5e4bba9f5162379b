import Clientless
import Entitlement
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("A process that is killed", .serialized)
struct CrashTests {
    @Test(.timeLimit(.minutes(5))) func `loses nothing that it was told is kept, wherever it is killed`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        var generator = SeededGenerator(seed: 20_260_101)
        for round in 0..<30 {
            var promised: [String] = []
            do {
                var child = try StoreWriter("write", file, "\(round)")
                // Every third time within the first moments, opening and recovery included.
                let count =
                    round % 3 == 0
                    ? Int.random(in: 0..<4, using: &generator)
                    : Int.random(in: 4..<3000, using: &generator)
                while promised.count < count, let line = await child.line() { promised.append(line) }
                child.kill()
                promised += await child.rest()
                #expect(await child.end() == .signalled(9))
            }
            try await self.check(promised, in: file, round: round)
        }
    }

    private func check(_ promised: [String], in file: String, round: Int) async throws {
        let store = try await SQLiteStore.open(file)
        #expect(try await store.integrityCheck() == [], "round \(round)")
        #expect(try await Promises(promised).broken(by: store) == [], "round \(round)")
        await store.close()
    }

    @Test func `leaves the count of live codes right`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        var kept: Set<String> = []
        do {
            var child = try StoreWriter("write", file, "7")
            while kept.count < 200, let line = await child.line() {
                if line.hasPrefix("kept ") { kept.insert(line) }
            }
            child.kill()
            _ = await child.rest()
            _ = await child.end()
        }
        let store = try await SQLiteStore.open(file)
        let counted = try await store.liveCodeCount(now: Fixture.now)
        // By hand: all codes are those the seeds give, so walk them and ask for each.
        var open = 0
        for worker in 0..<16 {
            var generator = SeededGenerator(seed: 7 * 100 + UInt64(worker))
            while true {
                let code = RegistrationCodeText.random(using: &generator)
                _ = Int.random(in: 0..<1_000_000_000, using: &generator)
                guard let record = try await store.code(code) else { break }
                if record.life.storedState == .waiting(refusal: nil) { open += 1 }
                _ = Bool.random(using: &generator)
            }
        }
        #expect(open >= 1)
        #expect(counted == open)
        await store.close()
    }
}
