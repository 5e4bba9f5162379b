import TestSupport

/// Creations of codes in tables with few and with many live ones.
struct PostgresManyCodes: Measurement {
    let figures = [
        Figure(
            name: "postgres-live-codes", unit: "ratio", goal: .atMost(1.2),
            meaning: "codes created per second with PostgreSQL and 10,000 live ones, over the same with 10,000,000")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/postgres-many"
        let many = surroundings.amount(10_000_000, rehearsal: 20_000)
        let postgres = try await BenchPostgres.start(surroundings, in: "\(folder)/postgres")
        return try await ending({ await postgres.stop() }) {
            let few = try await self.start(10_000, postgres, surroundings, in: "\(folder)/few")
            return try await ending({ await few.stop() }) {
                let full = try await self.start(many, postgres, surroundings, in: "\(folder)/many")
                return try await ending({ await full.stop() }) {
                    [try await self.compare(few, full, surroundings, in: folder).median]
                }
            }
        }
    }

    private func start(
        _ codes: Int, _ postgres: BenchPostgres, _ surroundings: Surroundings, in folder: String
    ) async throws -> BenchServer {
        let database = "codes\(codes)"
        let demo = try await BenchServer.demo(surroundings, on: postgres, database: database, in: folder)
        talk("filling in \(codes) codes")
        try await PostgresFilling.fill(codes, postgres, in: database)
        return try await BenchServer.start(demo, surroundings, onOneProcessor: false)
    }

    /// The ratios of pairs of runs, which take turns in who goes first.
    private func compare(
        _ few: BenchServer, _ many: BenchServer, _ surroundings: Surroundings, in folder: String
    ) async throws -> [Double] {
        func load(_ server: BenchServer, _ name: String, seconds: Int) async throws -> Double {
            let script = try SignedCalls(server: server).creationScript(run: name, in: "\(folder)/\(name)")
            let outcome = try await LoadGenerator(script: script, url: server.url, seconds: seconds).run()
            guard outcome.otherThanSuccess == 0 else {
                throw NotMeasured(description: "\(outcome.otherThanSuccess) creations were refused")
            }
            return outcome.requestsPerSecond
        }
        for (server, name) in [(few, "few"), (many, "many")] {
            _ = try await load(server, "\(name)-first", seconds: surroundings.amount(5, rehearsal: 1))
        }
        var ratios: [Double] = []
        for pair in 0..<surroundings.amount(5, rehearsal: 1) {
            var rates = (few: 0.0, many: 0.0)
            for isFew in pair % 2 == 0 ? [true, false] : [false, true] {
                let seconds = surroundings.amount(5, rehearsal: 1)
                if isFew {
                    rates.few = try await load(few, "few\(pair)", seconds: seconds)
                } else {
                    rates.many = try await load(many, "many\(pair)", seconds: seconds)
                }
            }
            talk("few: \(Int(rates.few))/s, many: \(Int(rates.many))/s")
            ratios.append(rates.few / rates.many)
        }
        return ratios
    }
}
