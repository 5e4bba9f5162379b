import HTTPClient
import RealPrograms
import TestSupport

/// The start of a server with many TV providers, none of which answers.
struct ProviderStart: Measurement {
    let figures = [
        Figure(
            name: "providers-start", unit: "s", goal: .atMost(1),
            meaning: "from the start of a server with 200 providers that answer nothing to its first answer")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let gate = Gate()
        let quiet = try StubProvider(gate: gate)
        defer { for _ in 0..<10_000 { gate.open() } }
        let providers = (0..<200).map { StubProvider.settings("TV\($0)", at: "\(quiet.url)/\($0)") }
        let demo = try await DemoFolder.make(surroundings.programs, in: "\(surroundings.folder)/many") {
            DemoFolder.add(providers, to: &$0)
        }
        var times: [Double] = []
        for _ in 0..<surroundings.amount(5, rehearsal: 1) {
            let begun = ContinuousClock.now
            let server = try await RunningServer.start(demo, surroundings.programs)
            let ready = try await server.get("/readyz")
            times.append(ContinuousClock.now.milliseconds(since: begun) / 1000)
            await server.stop()
            guard ready.status == 200 else { throw NotMeasured(description: "it was not ready: \(ready.status)") }
        }
        return [times.median]
    }
}
