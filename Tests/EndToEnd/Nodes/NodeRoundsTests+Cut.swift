import PostgresServer
import RealPrograms
import Testing

extension NodeRoundsTests {
    /// The node still has its callers: it refuses them in time, and after the seconds that its memory may be old it says
    /// nothing of what was changed elsewhere that is not so.
    @Test(
        "A node whose way to PostgreSQL is cut without a word refuses in time, and tells of nothing that is over",
        .enabled(if: NodeNetwork.isAvailable, "a network of the test's own takes root and iproute2"))
    func cut() async throws {
        try await NodeNetwork.with { network in
            let pair = try await PostgresPair.start(addresses: NodeNetwork.servers)
            let node = 2
            try await NodeStage.with(
                pair, connection: { pair.networkConnection("latchkey", as: $0) },
                preparations: [node: network.preparation], hosts: [node: NodeNetwork.node]
            ) { stage in
                for round in 1...NodeRounds.count {
                    let (changing, awaited) = try await self.prepare(stage, round: round, remembering: node)
                    try await stage.round(round, after: 5) {
                        try await network.cut()
                        for device in changing { try await stage.load.signOut(device, at: 0) }
                        for (device, code) in awaited { try await self.signIn(device, code, stage, at: 1) }
                        try await eventually("that the node is not ready") {
                            try await stage.fleet.isReady(node) ? nil : ()
                        }
                        let start = ContinuousClock.now
                        while start.duration(to: .now) < NodeLoad.staleness { await stage.ledger.waitForMore(1) }
                        let facts =
                            changing.map { AcknowledgedFact.isSignedOut(device: $0) }
                            + awaited.map { .isSignedIn(device: $0.device) }
                        for fact in facts {
                            let status = try await stage.fleet.calls(node).status(of: fact)
                            let violation = status == 503 ? nil : fact.violation(by: status)
                            #expect(violation == nil, "round \(round)")
                        }
                        try await network.mend()
                        try await stage.fleet.waitUntilReady()
                    }
                    let broken = try await stage.broken(ofLast: nil)
                    #expect(broken.isEmpty, "round \(round): \(broken.prefix(5))")
                }
            }
        }
    }
}
