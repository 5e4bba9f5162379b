import TestSupport

/// Polls of codes that nobody has signed in with yet, with PostgreSQL against the same with SQLite.
struct PostgresPolls: Measurement {
    let figures = [
        Figure(
            name: "postgres-polls", unit: "ratio", goal: .atLeast(0.95),
            meaning: "signed checkauthn/{code} of pending codes per second with PostgreSQL, over the same with SQLite")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/postgres-polls"
        let postgres = try await BenchPostgres.start(surroundings, in: "\(folder)/postgres")
        return try await ending({ await postgres.stop() }) {
            let server = try await BenchServer.start(
                surroundings, on: postgres, database: "polls", in: "\(folder)/server", onOneProcessor: true)
            return try await ending({ await server.stop() }) {
                let embedded = try await BenchServer.start(surroundings, in: "\(folder)/embedded")
                return try await ending({ await embedded.stop() }) {
                    let ours = try await self.load(server, surroundings, in: "\(folder)/postgres-calls")
                    let theirs = try await self.load(embedded, surroundings, in: "\(folder)/sqlite-calls")
                    return [
                        try await PairedRuns(of: ours, named: "PostgreSQL", against: theirs, named: "SQLite")
                            .medianRatio(surroundings)
                    ]
                }
            }
        }
    }

    private func load(
        _ server: BenchServer, _ surroundings: Surroundings, in folder: String
    ) async throws -> LoadGenerator {
        let boxes = try await server.createCodes(surroundings.amount(1000, rehearsal: 50), in: folder)
        let calls = SignedCalls(server: server).polls(boxes.map(\.codePath), signing: withoutQuery)
        let script = try RotatingCalls(calls: calls).script(in: folder)
        let generator = LoadGenerator(script: script, url: server.url, seconds: 1)
        // Once round, so that memory knows them all.
        _ = try await generator.run()
        return generator
    }
}
