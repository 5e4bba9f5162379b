import PostgresServer
import RealPrograms
import Testing

extension NodeRoundsTests {
    private static let day: Int64 = 86_400_000

    /// How many codes, sign-ins and permits there are, and when the last of each ends.
    private func ends(_ stage: NodeStage) async throws -> [(count: Int64, last: Int64)] {
        var ends: [(Int64, Int64)] = []
        for table in ["codes", "authentications", "authorizations"] {
            let row = try await stage.pair.run(
                ["SELECT count(*), coalesce(max(expires), 0) FROM latchkey.\(table)"], in: "latchkey")
            let words = row.split(whereSeparator: { $0 == "|" || $0.isNewline }).compactMap { Int64($0) }
            ends.append((words[0], words[1]))
        }
        return ends
    }

    /// A node whose clock is wrong judges nothing: it is not ready, refuses calls with 503, erases nothing, and promises
    /// nothing for longer than another node would.
    @Test("No promise is broken or made for too long by a node whose clock is a day ahead, or that starts so")
    func dayAhead() async throws {
        try await NodeStage.with { stage in
            let node = 2
            for round in 1...NodeRounds.count {
                for day in [Self.day, -Self.day] {
                    var before: [(count: Int64, last: Int64)] = []
                    let number = 4 * round + (day > 0 ? 0 : 2)
                    try await stage.round(number, after: 40) {
                        try stage.fleet.clocks[node].set(aheadBy: day)
                        #expect(try await !stage.fleet.isReady(node))
                        await stage.ledger.waitForMore(60)
                        if round == 1 {
                            // A purge comes every half a minute.
                            try await eventually("a purge that is suspended", within: .seconds(120)) {
                                try await stage.fleet.server(node).metric("latchkey_purge_suspended") == 1 ? () : nil
                            }
                        }
                        #expect(try await !stage.fleet.isReady(node))
                    }
                    before = try await self.ends(stage)
                    try await stage.round(number + 1, after: 5) {
                        try await stage.fleet.kill(node)
                        try await stage.fleet.start(node)
                        #expect(try await !stage.fleet.isReady(node))
                        await stage.ledger.waitForMore(60)
                        #expect(try await !stage.fleet.isReady(node))
                        try stage.fleet.clocks[node].set(aheadBy: 0)
                    }
                    let broken = try await stage.broken(ofLast: nil)
                    #expect(broken.isEmpty, "round \(round): \(broken.prefix(5))")
                    for (before, after) in zip(before, try await self.ends(stage)) {
                        #expect(after.count >= before.count)
                        #expect(after.last < before.last + 600_000, "something is good for too long")
                    }
                }
            }
        }
    }
}
