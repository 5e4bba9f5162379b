import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

/// These programs are the former version here: the tables get a step that a later one may bring.
@Suite("Real servers beside a newer schema", .serialized, .timeLimit(.minutes(5)))
struct NodeVersionTests {
    /// What a step may do that leaves room for programs of the one before: new tables and indexes, and columns that a row
    /// need not have.
    private static let step = [
        "CREATE TABLE latchkey.later (id bigint PRIMARY KEY, code text NOT NULL)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON latchkey.later TO \(PostgresServer.server)",
        "ALTER TABLE latchkey.codes ADD COLUMN later text COLLATE \"C\"",
        "ALTER TABLE latchkey.authentications ADD COLUMN later bigint",
        "ALTER TABLE latchkey.key_pairs ADD COLUMN later bytea",
        "CREATE INDEX codes_later ON latchkey.codes (later) WHERE later IS NOT NULL",
    ]

    /// Says which schema there is, and which is the oldest whose programs can work with it, counted from the one there is.
    private func number(_ steps: Int, oldest: Int, in database: String) async throws {
        try await PostgresServer.shared.run(
            ["UPDATE latchkey.schema_version SET number = number + \(steps), oldest = number + \(oldest)"], in: database
        )
    }

    private func pair(_ device: String, from box: Pair, at viewer: Pair) async throws {
        let code = try await box.createCode(device: device)
        try await viewer.confirm(code)
        #expect(try await box.look(device) == 200)
    }

    @Test("go on, start and are checked while it is one step ahead, and say what to do when it is two steps ahead")
    func ahead() async throws {
        try await TwoNodes.with { one, other, database in
            try await self.pair("before", from: one, at: other)
            try await PostgresServer.shared.run(Self.step, in: database)
            try await self.number(1, oldest: 0, in: database)
            // Servers that ran meanwhile.
            try await self.pair("beside", from: one, at: other)
            // One that starts now.
            await other.server.stop()
            let server = try await RunningServer.start(other.demo, .own)
            let again = Pair(folder: other.folder, demo: other.demo, server: server)
            try await self.pair("started", from: again, at: one)
            let program = ProgramFolder.own.server
            let words = ["--config", one.demo.serverConfiguration]
            let check = try await ChildProcess(program, ["check"] + words).run()
            // PostgreSQL runs without fsync here, and that is the one fault.
            #expect(check.output.split(separator: "\n").count == 1 && check.output.contains("fsync is off"), "\(check)")
            let audit = try await ChildProcess(program, ["audit"] + words).run()
            #expect(audit.end == .exited(0), "\(audit.talk)")
            await server.stop()

            try await self.number(1, oldest: 0, in: database)
            for command in ["serve", "audit", "migrate"] {
                let refused = try await ChildProcess(program, [command] + words).run()
                #expect(refused.end != .exited(0), "\(command)")
                #expect(refused.talk.contains("was written by a newer latchkeyd"), "\(command): \(refused.talk)")
                #expect(refused.talk.contains("Use that version again"), "\(command): \(refused.talk)")
            }
        }
    }
}
