package import TestSupport

/// A demo as operators of many boxes have it.
extension DemoFolder {
    /// Carries the records from one kind of store to another. Only while no server runs.
    package func copyStore(
        from source: String, to target: String, clock: ServerClock? = nil
    ) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        let words = ["store", "copy", "--from", source, "--to", target, "--config", self.serverConfiguration]
        return try await ChildProcess(ProgramFolder.own.server, words, environment: clock?.environment ?? [:]).run()
    }

    /// Moves the records to PostgreSQL, and has the configuration say so. Only while no server runs.
    /// - Parameters:
    ///   - connection: how libpq reaches it in the role that serves.
    ///   - owner: the same in the role that owns the tables.
    package func moveToPostgres(_ connection: String, owner: String, clock: ServerClock? = nil) async throws {
        try self.configure { settings in
            settings["store"] = settings["store"] ?? [:]
            settings["store"]?["connection"] = .text(connection)
            settings["store"]?["migrationConnection"] = .text(owner)
        }
        let (end, _, talk) = try await self.copyStore(from: "sqlite", to: "postgres", clock: clock)
        guard end == .exited(0) else { throw GaveUp(description: "the records were not moved: \(talk)") }
        try self.configure { $0["store"]?["kind"] = "postgres" }
    }
}
