import RealPrograms
import TestSupport

/// How many connections a node has to PostgreSQL while more is asked of it than it can do.
struct PostgresConnections: Measurement {
    let figures = [
        Figure(
            name: "postgres-connections", unit: "connections", goal: .atMost(16),
            meaning:
                "the most connections of a node that may have 16, while 512 clients create codes and 512 ask for codes "
                + "that the store alone knows of")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/postgres-connections"
        let postgres = try await BenchPostgres.start(surroundings, in: "\(folder)/postgres")
        return try await ending({ await postgres.stop() }) {
            let server = try await BenchServer.start(
                surroundings, on: postgres, database: "connections", in: "\(folder)/server"
            ) { $0["store"]?["connections"] = 16 }
            return try await ending({ await server.stop() }) {
                [Double(try await self.most(server, postgres, surroundings, in: folder))]
            }
        }
    }

    /// The most connections that were seen.
    private func most(
        _ server: BenchServer, _ postgres: BenchPostgres, _ surroundings: Surroundings, in folder: String
    ) async throws -> Int {
        let calls = SignedCalls(server: server)
        // No code is asked for twice, and memory keeps nothing of what is not there.
        let unknown = (0..<surroundings.amount(100_000, rehearsal: 5000)).map { number in
            "/api/v1/checkauthn?deviceId=unknown-\(number)&requestor=\(BenchServer.requestor)"
        }
        let scripts = [
            try calls.creationScript(run: "many", in: "\(folder)/creations"),
            try RotatingCalls(calls: calls.polls(unknown, signing: withoutQuery)).script(in: "\(folder)/polls"),
        ]
        let seconds = surroundings.amount(5, rehearsal: 2)
        let connections = surroundings.amount(512, rehearsal: 32)
        async let loads: Void = Self.run(scripts, server.url, connections, seconds: seconds)
        var most = 0
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            let count = try await postgres.run([
                "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(BenchPostgres.server)'"
            ])
            most = max(most, Int(count.dropLast()) ?? 0)
        }
        try await loads
        return most
    }

    private static func run(_ scripts: [String], _ url: String, _ connections: Int, seconds: Int) async throws {
        try await concurrently(scripts.count) { number in
            var load = LoadGenerator(script: scripts[number], url: url, seconds: seconds)
            load.connections = connections
            return try await load.run()
        }
    }
}
