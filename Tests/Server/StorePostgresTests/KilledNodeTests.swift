import Glibc
import PostgresServer
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("A node that is killed", .serialized)
struct KilledNodeTests {
    private static let rounds = unsafe getenv("LATCHKEY_CRASH_ROUNDS").flatMap { unsafe Int(String(cString: $0)) } ?? 6

    @Test("breaks no promise, wherever it is killed, and holds up no other node", .timeLimit(.minutes(60)))
    func kill9() async throws {
        let server = PostgresServer.shared
        let database = try await server.makeDatabase()
        let owner = try await server.connection(database, as: PostgresServer.owner)
        _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
        let connection = try await server.connection(database, as: PostgresServer.server)
        let store = try await PostgresStore.open(PostgresStore.Options(connection: connection))
        var generator = SeededGenerator(seed: 20_260_102)
        for round in 0..<Self.rounds {
            let child = try ChildProcess(
                ProgramFolder.own.program("StoreCrashWriter"), ["share", connection, "\(round)"])
            var lines = child.outputLines.makeAsyncIterator()
            let count = Int.random(in: 0..<600, using: &generator)
            var promised: [String] = []
            while promised.count < count, let line = await lines.next(isolation: #isolation) { promised.append(line) }
            child.send(9)
            while let line = await lines.next(isolation: #isolation) { promised.append(line) }
            #expect(await child.waitForEnd() == .signalled(9))
            #expect(try await Promises(promised).broken(by: store) == [], "round \(round)")
        }
        // The checker can say no.
        let invented = Promises(["kept K999999", "ruled none", "completed K999999 1", "tried 999999999 1"])
        #expect(try await invented.broken(by: store).count == 4)
        await store.close()
        await server.giveBack(database)
    }
}
