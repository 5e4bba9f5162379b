import PostgresServer
import StoreFixtures
import Stores
import Synchronization
import TestSupport
import Testing

/// Rounds that run by name, `LATCHKEY_FAILOVER_ROUNDS=50`. Each says what it measured.
@Suite("Rounds of failover", .serialized, .enabled(if: FailoverRounds.count > 0), .timeLimit(.minutes(60)))
struct FailoverRoundsTests {
    private enum Event: CaseIterable {
        case killed, silent, disconnected
    }

    /// How long callers waited for an answer or a refusal.
    private final class Waits: Sendable {
        private let longest = Mutex(Duration.zero)

        func note(_ duration: Duration) { self.longest.withLock { $0 = max($0, duration) } }

        func take() -> Duration {
            self.longest.withLock { longest in
                defer { longest = .zero }
                return longest
            }
        }
    }

    private func makePair(_ replication: PostgresPair.Replication) async throws -> PostgresPair {
        let pair = try await PostgresPair.start(replication)
        try await pair.makeDatabase("latchkey")
        let owner = pair.connection("latchkey", as: PostgresServer.owner)
        _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
        try await pair.settle()
        return pair
    }

    /// Lets a writer promise things until `event` happens to the servers.
    /// - Returns: what it promised.
    private func promises(
        _ pair: PostgresPair, round: Int, after count: Int, _ event: () async throws -> Void
    ) async throws -> [String] {
        let connection = pair.connection("latchkey", as: PostgresServer.server)
        let child = try ChildProcess(ProgramFolder.own.program("StoreCrashWriter"), ["share", connection, "\(round)"])
        var lines = child.outputLines.makeAsyncIterator()
        var promised: [String] = []
        while promised.count < count, let line = await lines.next(isolation: #isolation) { promised.append(line) }
        // A round in which nothing was promised would break no promise.
        try #require(promised.count == count, "the writer ended early: \(promised.suffix(3))")
        try await event()
        // It goes on for a moment where it lost nothing.
        while promised.count < 2 * count + 20, let line = await lines.next(isolation: #isolation) {
            promised.append(line)
        }
        child.send(9)
        while let line = await lines.next(isolation: #isolation) { promised.append(line) }
        _ = await child.waitForEnd()
        // A worker whose call was refused says so, and ends.
        return promised.filter { $0 != "unavailable" }
    }

    /// Keeps codes until one is kept after `start`.
    /// - Returns: how long after it.
    private func timeToFirst(
        _ store: PostgresStore, round: Int, since start: ContinuousClock.Instant, _ waits: Waits
    ) async throws -> Duration {
        for number in 0..<10_000 {
            let begin = ContinuousClock.now
            let code = Fixture.code(500_000 + round * 1000 + number)
            let record = Fixture.record(code, device: 900_000_000 + round)
            let kept = try? await store.insert(record, limitPerDevice: 9, now: Fixture.now)
            waits.note(begin.duration(to: .now))
            if kept != nil { return start.duration(to: .now) }
        }
        throw PostgresServer.Failure(output: "nothing was kept in ten thousand attempts")
    }

    @Test("No promise is broken when a primary is killed, silent or ends all connections, round after round")
    func rounds() async throws {
        let pair = try await self.makePair(.synchronous)
        let connection = pair.connection("latchkey", as: PostgresServer.server)
        let store = try await PostgresStore.open(PostgresStore.Options(connection: connection))
        let waits = Waits()
        var generator = SeededGenerator(seed: 20_260_311)
        for round in 0..<FailoverRounds.count {
            let event = Event.allCases[round % Event.allCases.count]
            var first = Duration.zero
            let count = Int.random(in: 2..<400, using: &generator)
            let promised = try await self.promises(pair, round: round, after: count) {
                switch event {
                case .killed, .silent:
                    try await pair.lose(event == .killed ? .killed : .silent)
                    let asked = try await pair.promote()
                    first = try await self.timeToFirst(store, round: round, since: asked, waits)
                    try await pair.wake()
                case .disconnected:
                    let start = ContinuousClock.now
                    try await pair.run([
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    ])
                    first = try await self.timeToFirst(store, round: round, since: start, waits)
                }
            }
            #expect(try await Promises(promised).broken(by: store) == [], "round \(round), \(event)")
            print(
                "round \(round) \(event): \(promised.count) promises, first kept after \(first), longest wait \(waits.take())"
            )
            if event != .disconnected { try await pair.addStandby() }
        }
        await store.close()
        await pair.stop()
    }

    @Test func `The check finds what a server lost that promises before its disk or its standby has it`() async throws {
        let pair = try await self.makePair(.none)
        let promised = try await self.promises(pair, round: 1, after: 300) {
            try await pair.lose()
            try await pair.promote()
        }
        let connection = pair.connection("latchkey", as: PostgresServer.server)
        let store = try await PostgresStore.open(PostgresStore.Options(connection: connection))
        let broken = try await Promises(promised).broken(by: store)
        print("of \(promised.count) promises \(broken.count) were broken")
        #expect(!broken.isEmpty)
        await store.close()
        await pair.stop()
    }
}
