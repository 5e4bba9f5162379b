import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("A server that is killed at any moment", .serialized, .timeLimit(.minutes(60)))
struct CrashTests {
    /// How many times it is killed: 50 in the gate, `LATCHKEY_CRASH_ROUNDS` of them when that is set.
    private static let rounds = ProcessInfo.processInfo.environment["LATCHKEY_CRASH_ROUNDS"].flatMap { Int($0) } ?? 50
    private static let workers = 8

    @Test("Keeps every creation, deletion, confirmation, permit, logout and revocation it acknowledged")
    func rounds() async throws {
        let folder = try TemporaryFolder()
        let load = try await Self.load(in: folder.file("server"))
        var generator = SeededGenerator(seed: 20_261_122)
        for round in 1...Self.rounds {
            try await Self.crash(load, after: Int.random(in: 1...120, using: &generator), seed: UInt64(round))
            let server = try await RunningServer.start(load.demo, .own)
            load.ledger.forgetOldCodes(rounds: 200)
            // All that was ever acknowledged now and then, the newest each time.
            let facts = load.ledger.facts(ofLast: round % 100 == 0 || round == Self.rounds ? nil : 2)
            let violations = try await load.calls.violations(of: facts)
            #expect(violations.isEmpty, "round \(round): \(violations.prefix(5))")
            await server.kill()
        }
        #expect(load.ledger.count >= Self.rounds)
        print("\(Self.rounds) kills, \(load.ledger.count) acknowledged operations")
        await load.client.shutDown()
    }

    @Test("Is found out by the same check when its store forgets an hour it acknowledged")
    func brokenStore() async throws {
        let folder = try TemporaryFolder()
        let load = try await Self.load(in: folder.file("server"))
        let earlier = folder.file("earlier.sqlite")
        try FileManager.default.copyItem(atPath: load.demo.store, toPath: earlier)
        try await Self.crash(load, after: 100, seed: 1)
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: load.demo.store + ending) }
        try FileManager.default.copyItem(atPath: earlier, toPath: load.demo.store)
        let server = try await RunningServer.start(load.demo, .own)
        #expect(try await load.calls.violations(of: load.ledger.facts()).count > 10)
        await server.kill()
        await load.client.shutDown()
    }

    private static func load(in path: String) async throws -> CrashLoad {
        // Every look at a code comes from an address of its own: looking at deleted ones is guessing.
        let demo = try await DemoFolder.make(.own, in: path) { $0["server"]?["trustedProxies"] = ["127.0.0.1"] }
        return CrashLoad(demo: demo, ledger: FactLedger(), client: HTTPClient())
    }

    /// Starts the server, lets everybody work, and kills it after so many answers.
    private static func crash(_ load: CrashLoad, after answers: Int, seed: UInt64) async throws {
        load.ledger.beginRound(of: answers)
        let server = try await RunningServer.start(load.demo, .own)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<self.workers {
                group.addTask { try await load.work(as: worker, seed: seed) }
            }
            group.addTask {
                await load.ledger.waitForRound()
                await server.kill()
            }
            try await group.waitForAll()
        }
    }
}
