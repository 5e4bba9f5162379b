import FoundationEssentials
import RealPrograms
import TestSupport

/// Durable creations of codes with PostgreSQL, against `pgbench` that commits the same rows, each in a transaction of its
/// own.
struct PostgresCreations: Measurement {
    let figures = [
        Figure(
            name: "postgres-creations", unit: "ratio", goal: .atLeast(1),
            meaning:
                "codes created per second with 64 connections and PostgreSQL, over pgbench's prepared insertions of "
                + "such rows with 64 connections, one a transaction")
    ]

    /// Where pgbench writes: a table with the columns and indexes of the server's own.
    private static let table = "bench.codes"

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/postgres-creations"
        let postgres = try await BenchPostgres.start(surroundings, in: "\(folder)/postgres")
        return try await ending({ await postgres.stop() }) {
            let server = try await BenchServer.start(
                surroundings, on: postgres, database: "creations", in: "\(folder)/server")
            return try await ending({ await server.stop() }) {
                [try await self.compare(server, postgres, surroundings, in: folder).median]
            }
        }
    }

    /// The ratios of pairs of runs, which take turns in who goes first.
    private func compare(
        _ server: BenchServer, _ postgres: BenchPostgres, _ surroundings: Surroundings, in folder: String
    ) async throws -> [Double] {
        // 64 processes of PostgreSQL have to start before the first transaction.
        let seconds = surroundings.amount(5, rehearsal: 3)
        let calls = SignedCalls(server: server)
        func created(_ run: String) async throws -> Double {
            let script = try calls.creationScript(run: run, in: "\(folder)/\(run)")
            let outcome = try await LoadGenerator(script: script, url: server.url, seconds: seconds).run()
            guard outcome.otherThanSuccess == 0 else {
                throw NotMeasured(description: "\(outcome.otherThanSuccess) creations were refused")
            }
            return outcome.requestsPerSecond
        }
        // The first ones, whose rows are those that pgbench writes.
        _ = try await created("first")
        let rows = try await PostgresRows(like: "latchkey.codes", of: postgres, in: "creations", table: Self.table)
        let script = try rows.script(in: folder)
        func inserted() async throws -> Double {
            try await postgres.transactionsPerSecond(script, rows.variables, in: "creations", seconds: seconds)
        }
        var ratios: [Double] = []
        for pair in 0..<surroundings.amount(5, rehearsal: 1) {
            let ours: Double
            let theirs: Double
            if pair % 2 == 0 {
                (ours, theirs) = (try await created("made\(pair)"), try await inserted())
            } else {
                let first = try await inserted()
                (ours, theirs) = (try await created("made\(pair)"), first)
            }
            talk("created \(Int(ours))/s, pgbench \(Int(theirs))/s")
            ratios.append(ours / theirs)
        }
        return ratios
    }
}

/// A row of codes as values that pgbench inserts again and again, under other codes and devices.
struct PostgresRows {
    /// The values of its columns, by the names that ``script(in:)`` has for them.
    let variables: [String: String]
    private let statement: String

    /// Takes the newest row of a table and makes a like table of that name.
    init(like source: String, of postgres: BenchPostgres, in database: String, table: String) async throws {
        let schema = table.prefix { $0 != "." }
        try await postgres.run(
            ["CREATE SCHEMA \(schema)", "CREATE TABLE \(table) (LIKE \(source) INCLUDING ALL)"], in: database)
        let row = try await postgres.run(
            ["SELECT row_to_json(found) FROM \(source) AS found ORDER BY sequence DESC LIMIT 1"], in: database)
        guard case .object(var members) = try JSON(parsing: row) else {
            throw NotMeasured(description: "\(source) has no row")
        }
        // The server draws it.
        members["sequence"] = nil
        var variables: [String: String] = [:]
        let columns = members.keys.sorted()
        let values = columns.map { column in
            switch (column, members[column]) {
            // Rarely drawn twice. Up to two digits longer than the real ones: cut, they would be drawn twice far more often.
            case ("code", _): return "lpad(to_hex(:number::bigint), 9, '0')"
            case ("device", _): return "sha256(convert_to(:number::text, 'UTF8'))"
            case (_, .text(let text)?): variables["v_\(column)"] = text
            case (_, .number(let number)?): variables["v_\(column)"] = "\(Int64(number))"
            default: return "NULL"
            }
            return ":v_\(column)"
        }
        self.variables = variables
        self.statement = """
            INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", "))) \
            ON CONFLICT (code) DO NOTHING;
            """
    }

    /// Writes what pgbench runs. - Returns: where it is.
    func script(in folder: String) throws -> String {
        // 28^7: as many as there are codes.
        let text = "\\set number random(1, 13492928512)\n\(self.statement)\n"
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/pgbench.sql"))
        return "\(folder)/pgbench.sql"
    }
}
