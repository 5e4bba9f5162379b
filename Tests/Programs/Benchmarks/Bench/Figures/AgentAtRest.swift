import RealPrograms
import TestSupport

/// The agent of a box that is signed in and asks for nothing.
struct AgentAtRest: Measurement {
    let figures = [
        Figure(
            name: "agent-wake-ups", unit: "wake-ups", goal: .atMost(2),
            meaning: "how often the agent's threads wake in two minutes at rest, signed in"),
        Figure(
            name: "agent-memory", unit: "MB", goal: .atMost(10.5), meaning: "its resident memory after these"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/agent"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server", onOneProcessor: false)
        return try await ending({ await server.stop() }) {
            let name = DemoFolder.strictRequestor
            let agent = try await BoxReturn.signedInAgent(name, server)
            // What a playback leaves to do is done.
            try await Task.sleep(for: .seconds(surroundings.amount(30, rehearsal: 1)))
            let before = try ProcessFacts.wakeUps(of: agent.process.pid)
            try await Task.sleep(for: .seconds(surroundings.amount(120, rehearsal: 1)))
            let wakeUps = try ProcessFacts.wakeUps(of: agent.process.pid) - before
            let memory = try ProcessFacts.residentMemory(of: agent.process.pid)
            _ = await agent.stop()
            return [Double(wakeUps), Double(memory) / 1_048_576]
        }
    }
}
