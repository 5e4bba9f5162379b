import Glibc
import HTTPClient
import RealPrograms
import Testing

extension NodeRoundsTests {
    /// What changed while the node stood still is asked of it in the moment it goes on, when its memory is at its oldest.
    @Test("A node that stands still for a minute tells of nothing that is over, and of all that came meanwhile")
    func paused() async throws {
        try await NodeStage.with { stage in
            let node = 2
            for round in 1...NodeRounds.count {
                let (changing, awaited) = try await self.prepare(stage, round: round, remembering: node)
                try await stage.round(round, after: 5) {
                    stage.fleet.troubles.set(node, .silent)
                    try stage.fleet.server(node).send(SIGSTOP)
                    for device in changing { try await stage.load.signOut(device, at: 0) }
                    for (device, code) in awaited { try await self.signIn(device, code, stage, at: 1) }
                    // The others serve meanwhile.
                    let start = ContinuousClock.now
                    while start.duration(to: .now) < .seconds(NodeRounds.pause) {
                        await stage.ledger.waitForMore(10)
                    }
                    // These wait in the node's sockets when it goes on.
                    let facts =
                        changing.map { AcknowledgedFact.isSignedOut(device: $0) }
                        + awaited.map { .isSignedIn(device: $0.device) }
                    async let broken = stage.fleet.violations(of: facts, at: node)
                    await stage.ledger.waitForMore(10)
                    try stage.fleet.server(node).send(SIGCONT)
                    let found = try await broken
                    #expect(found.isEmpty, "round \(round): \(found.prefix(5))")
                    stage.fleet.troubles.set(node, .none)
                }
                let broken = try await stage.broken(ofLast: nil)
                #expect(broken.isEmpty, "round \(round): \(broken.prefix(5))")
            }
        }
    }

    /// Boxes whose state a node remembers: some that are signed in, and some that wait to be.
    func prepare(
        _ stage: NodeStage, round: Int, remembering node: Int
    ) async throws -> (signedIn: [String], waiting: [(device: String, code: String)]) {
        var signedIn: [String] = []
        var waiting: [(device: String, code: String)] = []
        for number in 0..<12 {
            let device = "changing-\(round)-\(number)"
            let code = try await self.createCode(device, stage)
            if number % 2 == 0 {
                try await self.signIn(device, code, stage, at: 1)
                signedIn.append(device)
            } else {
                waiting.append((device, code))
            }
            let fact = AcknowledgedFact.isSignedIn(device: device)
            try await eventually("that node \(node) knows \(device)") {
                try await stage.fleet.calls(node).status(of: fact) == (number % 2 == 0 ? 200 : 403) ? () : nil
            }
        }
        return (signedIn, waiting)
    }

    private func createCode(_ device: String, _ stage: NodeStage) async throws -> String {
        let answer = try await stage.fleet.calls(0).call(.post, BoxCalls.codes, form: "deviceId=\(device)")
        guard answer.status == 201, let code = try JSON(parsing: answer.text)["code"]?.text else {
            throw GaveUp(description: "no code for \(device): \(answer.status)")
        }
        return code
    }

    func signIn(_ device: String, _ code: String, _ stage: NodeStage, at node: Int) async throws {
        let viewer = NodeViewer(stage.load, at: node)
        guard let question = try await viewer.walk(code, isAlone: true),
            case .confirmed = try await viewer.confirm(question)
        else { throw GaveUp(description: "\(device) was not signed in") }
        stage.ledger.acknowledge(.isSignedIn(device: device))
    }
}
