import Clientless
import Cryptography
import PostgresServer
import RealPrograms
import Testing

extension NodeRoundsTests {
    @Test("The check finds what a PostgreSQL lost that promises before its disk or its standby has it")
    func brokenStore() async throws {
        let pair = try await PostgresPair.start(.none)
        try await NodeStage.with(pair) { stage in
            try await pair.settle()
            try await stage.round(1, after: 100) {
                try await pair.lose()
                try await pair.promote()
                try await stage.fleet.waitUntilReady()
            }
            // What the load saw of it by itself does not count: the look at the ledger has to find it.
            let broken = try await stage.unknownPromises(ofLast: nil)
            print("of \(stage.ledger.facts().count) promises these were broken: \(broken.count), \(broken.prefix(3))")
            #expect(!broken.isEmpty)
        }
    }

    @Test func `The check finds at every node what no node ever promised`() async throws {
        try await NodeStage.with { stage in
            let (signedIn, waiting) = try await self.prepare(stage, round: 1, remembering: 2)
            let pair = stage.fleet.demos[0].keyPair
            let good = pair.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
            let invented: [AcknowledgedFact] = [
                .codeIsOpen("BBBBBBB"), .codeIsGone(waiting[0].code), .isSignedIn(device: "nobody"),
                .isSignedOut(device: signedIn[0]), .isPermitted(device: "nobody"),
                .keyIsGood(publicKey: "invented", privateKey: "invented"),
                .keyIsRevoked(publicKey: pair.publicKey, privateKey: good),
            ]
            for node in 0..<stage.fleet.count {
                let found = try await stage.fleet.violations(of: invented, at: node)
                #expect(found.count == invented.count, "node \(node): \(found)")
            }
        }
    }
}
