import RealPrograms
import TestSupport

extension BenchServer {
    /// Makes a set-up in `folder` whose store is a new database of a PostgreSQL server.
    /// - Parameters:
    ///   - standby: where the server may be as well, once it is lost at the first place.
    ///   - change: what else to configure.
    static func demo(
        _ surroundings: Surroundings, on postgres: BenchPostgres, or standby: BenchPostgres? = nil, database: String,
        in folder: String, onOneProcessor isAlone: Bool = false,
        configuring change: (inout JSON) throws -> Void = { _ in }
    ) async throws -> DemoFolder {
        try await postgres.makeDatabase(database)
        let demo = try await self.demo(surroundings, in: folder, onOneProcessor: isAlone) { configuration in
            configuration["store"] = [
                "connection": .text(postgres.connection(database, as: BenchPostgres.server, or: standby)),
                "migrationConnection": .text(postgres.connection(database, as: BenchPostgres.owner, or: standby)),
            ]
            try change(&configuration)
        }
        let words = ["store", "copy", "--from", "sqlite", "--to", "postgres", "--config", demo.serverConfiguration]
        let (end, _, talk) = try await ChildProcess(surroundings.programs.server, words).run()
        guard end == .exited(0) else { throw NotMeasured(description: "the store was not carried over: \(talk)") }
        try demo.configure { $0["store"]?["kind"] = "postgres" }
        return demo
    }

    static func start(
        _ surroundings: Surroundings, on postgres: BenchPostgres, database: String, in folder: String,
        onOneProcessor isAlone: Bool = false, configuring change: (inout JSON) throws -> Void = { _ in }
    ) async throws -> BenchServer {
        let demo = try await self.demo(
            surroundings, on: postgres, database: database, in: folder, onOneProcessor: isAlone, configuring: change)
        return try await self.start(demo, surroundings, onOneProcessor: isAlone)
    }
}
