import HTTPClient
import RealPrograms
import TestSupport

/// A box whose server goes away and comes back.
struct BoxReturn: Measurement {
    let figures = [
        Figure(
            name: "box-return", unit: "s", goal: .atMost(2),
            meaning:
                "from a server's return after an outage to the first media token, for an application that asks the "
                + "agent again and again; median"),
        Figure(
            name: "box-return-worst", unit: "s", goal: .atMost(2), meaning: "the same, the longest of all outages"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/return"
        var server = try await BenchServer.start(surroundings, in: "\(folder)/server", onOneProcessor: false)
        return try await ending({ await server.stop() }) {
            let name = DemoFolder.strictRequestor
            let agent = try await Self.signedInAgent(name, server)
            var times: [Double] = []
            for round in 0..<surroundings.amount(20, rehearsal: 1) {
                await server.running.kill()
                var plays = try await Self.plays(agent, name)
                guard !plays else { throw NotMeasured(description: "a token without a server") }
                // Of different lengths, so that the return meets different moments of the agent's pauses.
                try await Task.sleep(for: .milliseconds(surroundings.amount(2000 + round * 650, rehearsal: 100)))
                server = try await server.startAgain()
                let start = ContinuousClock.now
                while !plays, ContinuousClock.now - start < .seconds(60) {
                    plays = try await Self.plays(agent, name)
                    // As often as a viewer may press a button.
                    if !plays { try await Task.sleep(for: .milliseconds(50)) }
                }
                times.append(ContinuousClock.now.milliseconds(since: start) / 1000)
            }
            _ = await agent.stop()
            talk("returns: \(times.sorted().map { $0.rounded(places: 2) })")
            return [times.median, times.max() ?? 0]
        }
    }

    private static func plays(_ agent: RunningAgent, _ name: String) async throws -> Bool {
        let body = "{\"resource\":\"\(DemoFolder.channel)\"}"
        return try await agent.call(.post, "/v1/requestors/\(name)/authorize", body).status == 200
    }

    /// A new agent, whose requestor `name` is signed in.
    static func signedInAgent(_ name: String, _ server: BenchServer) async throws -> RunningAgent {
        let statement = try server.running.demo.softwareStatement()
        let agent = try RunningAgent(
            try RunningAgent.folder(server.url, requestors: [name], softwareStatement: statement))
        try await agent.isReady()
        let start = try await agent.start()
        let shown = try await agent.call(.post, "/v1/requestors/\(name)/pairing").json
        guard let code = shown["code"]?.text else { throw NotMeasured(description: "no code: \(shown)") }
        let phone = Phone()
        let page = try await phone.walkToConfirmation(
            from: "\(server.url)/activate?code=\(code)", as: server.running.demo.viewer)
        _ = try await phone.decide(.confirm, on: page)
        _ = try await agent.event("approved", after: start)
        guard try await Self.plays(agent, name) else { throw NotMeasured(description: "the box does not play") }
        return agent
    }
}
