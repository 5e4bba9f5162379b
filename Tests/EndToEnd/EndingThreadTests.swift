import FoundationEssentials
import PostgresServer
import RealPrograms
import TestSupport
import Testing

/// With the library `SettableClock` such a thread is held up in the last moment.
@Suite("A thread that ends together with its program", .timeLimit(.minutes(1)))
struct EndingThreadTests {
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        self.folder = try TemporaryFolder()
        self.environment = [
            "LD_PRELOAD": ProgramFolder.own.program("libSettableClock.so"), "LATCHKEY_TEST_LATE_THREADS": "1",
            "XDG_STATE_HOME": self.folder.path,
        ]
    }

    @Test(arguments: [(ProgramFolder.own.box, 69), (ProgramFolder.own.sample, 1)] as [(String, Int32)])
    func `does not take it down, since it has given back before what OpenSSL frees`(
        _ program: String, _ code: Int32
    ) async throws {
        let server = "http://127.0.0.1:1"
        let path = try self.folder.write(
            "{server: '\(server)', requestor: 'DEMO', softwareStatement: 'a.b.c'}", to: "latchkey.json5")
        let arguments =
            program == ProgramFolder.own.box
            ? ["status", "--config", path, "--state", self.folder.file("state.json")]
            : [server, "a.b.c", "DEMO", "One"]
        let run = try await ChildProcess(program, arguments, environment: self.environment).run()
        #expect(run.end == .exited(code), "\(run)")
    }

    /// libpq uses OpenSSL for a password.
    @Test(.enabled(if: PostgresServer.isInstalled))
    func `does not take down a command that asked PostgreSQL, since OpenSSL stays`() async throws {
        let demo = try await DemoFolder.make(.own, in: self.folder.file("server"))
        let passwords = try self.folder.write("*:*:*:*:secret", to: "passwords")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords)
        let postgres = PostgresServer()
        let database = try await postgres.makeDatabase()
        let connection = try await postgres.connection(database, as: PostgresServer.server)
        let owner = try await postgres.connection(database, as: PostgresServer.owner)
        try await demo.moveToPostgres(connection, owner: owner)
        try await postgres.run([
            "ALTER ROLE \(PostgresServer.server) PASSWORD 'secret'",
            "COPY (SELECT 'local all all scram-sha-256') TO PROGRAM 'cat > pg_hba.conf'", "SELECT pg_reload_conf()",
        ])
        try demo.configure { $0["store"]?["connection"] = .text("\(connection) passfile=\(passwords)") }
        let arguments = ["check-config", "--config", demo.serverConfiguration]
        let run = try await ChildProcess(ProgramFolder.own.server, arguments, environment: self.environment).run()
        #expect(run.end == .exited(0), "\(run)")
    }
}
