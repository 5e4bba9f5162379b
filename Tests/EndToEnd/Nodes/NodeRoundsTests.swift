import PostgresServer
import TestSupport
import Testing

/// Rounds that run by name, `LATCHKEY_NODE_ROUNDS=500`. Each case says what it measured.
@Suite(
    "Three real servers on one PostgreSQL, to which everything happens", .serialized,
    .enabled(if: NodeRounds.count > 0),
    .timeLimit(.minutes(60)))
struct NodeRoundsTests {
    @Test("No promise is broken when any of them is killed at any moment, round after round")
    func killed() async throws {
        try await NodeStage.with { stage in
            var generator = SeededGenerator(seed: 20_261_123)
            for round in 1...NodeRounds.count {
                let node = Int.random(in: 0..<stage.fleet.count, using: &generator)
                try await stage.round(round, after: Int.random(in: 1...60, using: &generator)) {
                    try await stage.fleet.kill(node)
                    try await stage.fleet.start(node)
                }
                stage.ledger.forgetOldCodes(rounds: 200)
                // All that was ever acknowledged now and then, the newest each time.
                let broken = try await stage.broken(ofLast: round % 100 == 0 || round == NodeRounds.count ? nil : 1)
                #expect(broken.isEmpty, "round \(round), node \(node): \(broken.prefix(5))")
                if round % 20 == 0 { print("round \(round): \(stage.findings.summary)") }
            }
        }
    }

    @Test func `No promise is broken when PostgreSQL ends all connections`() async throws {
        try await NodeStage.with { stage in
            var generator = SeededGenerator(seed: 20_261_124)
            for round in 1...NodeRounds.count {
                try await stage.round(round, after: Int.random(in: 10...60, using: &generator)) {
                    try await stage.pair.run([
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    ])
                    try await stage.fleet.waitUntilReady()
                }
                let broken = try await stage.broken()
                #expect(broken.isEmpty, "round \(round): \(broken.prefix(5))")
            }
        }
    }

    @Test("No promise is broken when the primary is killed and the standby takes over, round after round")
    func promoted() async throws {
        try await NodeStage.with { stage in
            var generator = SeededGenerator(seed: 20_261_125)
            for round in 1...NodeRounds.count {
                try await stage.round(round, after: Int.random(in: 10...60, using: &generator)) {
                    try await stage.pair.lose()
                    try await stage.pair.promote()
                    try await stage.fleet.waitUntilReady()
                }
                let broken = try await stage.broken(ofLast: round % 10 == 0 ? nil : 1)
                #expect(broken.isEmpty, "round \(round): \(broken.prefix(5))")
                try await stage.pair.addStandby()
                print("round \(round): \(stage.findings.summary)")
            }
        }
    }
}
