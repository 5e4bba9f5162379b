import TestSupport

/// The same polls with few and with many live codes in the store, each of the codes polled in turn.
struct LiveCodes: Measurement {
    let figures = [
        Figure(
            name: "live-codes-by-code", unit: "ratio", goal: .atMost(1.15),
            meaning: "signed checkauthn/{code} per second with 1,000 live codes, over the same with 200,000"),
        Figure(
            name: "live-codes-by-device", unit: "ratio", goal: .atMost(1.15),
            meaning: "signed checkauthn?deviceId= per second with 1,000 live codes, over the same with 200,000"),
    ]

    /// A server that was restarted after its codes had been created, with the scripts that poll them all.
    private struct Candidate {
        let server: BenchServer
        let code: LoadGenerator
        let device: LoadGenerator
    }

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/live-codes"
        // Both scripts rotate through as many requests, or the load generator itself would be slower with one of them.
        let many = surroundings.amount(200_000, rehearsal: 2000)
        let few = try await self.candidate(1000, requests: many, surroundings, in: "\(folder)/few")
        do {
            let full = try await self.candidate(many, requests: many, surroundings, in: "\(folder)/many")
            return try await ending({ await full.server.stop() }) {
                let ratios = [
                    try await self.compare(few.code, full.code, "code", surroundings),
                    try await self.compare(few.device, full.device, "device", surroundings),
                ]
                await few.server.stop()
                return ratios
            }
        } catch {
            await few.server.stop()
            throw error
        }
    }

    private func candidate(
        _ codes: Int, requests: Int, _ surroundings: Surroundings, in folder: String
    ) async throws -> Candidate {
        talk("creating \(codes) codes")
        var server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let boxes = try await server.createCodes(codes, in: folder)
        await server.stop()
        server = try await server.startAgain()
        let times = max(requests / codes, 1)
        let calls = SignedCalls(server: server)
        let seconds = surroundings.amount(3, rehearsal: 1)
        func generator(_ paths: [String], _ name: String) throws -> LoadGenerator {
            let paths = Array(repeatElement(paths, count: times).joined())
            let script = try RotatingCalls(calls: calls.polls(paths, signing: withoutQuery))
                .script(in: "\(folder)/\(name)")
            return LoadGenerator(script: script, url: server.url, seconds: seconds)
        }
        return Candidate(
            server: server, code: try generator(boxes.map(\.codePath), "code"),
            device: try generator(boxes.map(\.devicePath), "device"))
    }

    private func compare(
        _ few: LoadGenerator, _ many: LoadGenerator, _ name: String, _ surroundings: Surroundings
    ) async throws -> Double {
        // Once round, so that what memory holds of every code is there.
        _ = try await few.run()
        _ = try await many.run()
        return try await PairedRuns(of: few, named: "\(name), few", against: many, named: "many")
            .medianRatio(surroundings)
    }
}
