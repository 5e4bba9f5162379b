import FoundationEssentials
import Glibc
import TestSupport

/// A PostgreSQL server of Debian's package for the tests of one process: in a folder of its own, without a network, as a
/// user without rights. It ends with the process.
package actor PostgresServer {
    package struct Failure: Error {
        package let output: String

        package init(output: String) { self.output = output }
    }

    package static let shared = PostgresServer()

    /// A server of the test's own, for settings that would disturb others.
    package init() {}

    private static let programs =
        unsafe getenv("LATCHKEY_POSTGRES").map { unsafe String(cString: $0) }
        ?? "/usr/lib/postgresql/15/bin"

    package static func program(_ name: String) -> String { "\(self.programs)/\(name)" }

    package static let isInstalled = FileManager.default.isExecutableFile(atPath: "\(programs)/postgres")

    /// The role that owns the tables, and the one that servers have.
    package static let owner = "latchkey_owner"
    package static let server = "latchkey_server"

    /// Starts the server, says so, and stops it when the process of the tests is gone, or the one that this was started
    /// by: that one is killed when a test lets its server go.
    private static let script = """
        set -eu
        programs=$1 folder=$2 tests=$3
        cd /
        as_user() { exec "$@"; }
        if [ "$(id -u)" = 0 ]; then
            chown nobody:nogroup "$folder"
            as_user() { exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"; }
        fi
        (as_user "$programs/initdb" -D "$folder/data" -U postgres -A trust --locale=C -E UTF8 --no-sync) >/dev/null
        as_user "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c jit=off \\
            -c shared_buffers=32MB -c max_connections=60 -c autovacuum=off -c max_prepared_transactions=4 \\
            -c deadlock_timeout=50ms -c log_min_messages=panic &
        server=$!
        trap 'kill -QUIT "$server" 2>/dev/null; wait "$server" || :; rm -rf "$folder"; exit 0' TERM INT
        until "$programs/psql" -h "$folder" -U postgres -qAtc "CREATE ROLE \(owner) LOGIN" \\
            -c "CREATE ROLE \(server) LOGIN" 2>/dev/null; do
            kill -0 "$server" || exit 1
            sleep 0.05
        done
        echo ready
        while kill -0 "$tests" && kill -0 "$PPID"; do sleep 0.5; done 2>/dev/null
        kill -QUIT "$server" 2>/dev/null || :
        wait "$server" || :
        rm -rf "$folder"
        """

    /// Whether every test does without notifications: what the store promises must hold without them.
    private static let losesNotifications =
        unsafe getenv("LATCHKEY_POSTGRES_NOTIFICATIONS").map { unsafe String(cString: $0) } == "lost"

    /// A script that prepared databases are changed by, such as `deploy/postgres/partitions.sql`; `nil` for none.
    private static let splitting = unsafe getenv("LATCHKEY_POSTGRES_PARTITIONS").map { unsafe String(cString: $0) }

    private var starting: Task<Running, any Error>?
    private var line: Task<DeafLine, any Error>?
    private var prepared: Set<String> = []
    /// Prepared databases whose tests are over.
    private var recyclable: [String] = []
    /// The database that prepared ones are copies of.
    private var preparing: Task<String, any Error>?
    private var databases = 0
    /// A database whose test is over.
    private var unused: [String] = []

    private struct Running: Sendable {
        /// Ends with the process, not before: it is kept for that.
        let process: ChildProcess
        let folder: String
    }

    private func running() async throws -> Running {
        if let starting = self.starting { return try await starting.value }
        let starting = Task { try await Self.start() }
        self.starting = starting
        return try await starting.value
    }

    private static func start() async throws -> Running {
        var template = Array("/tmp/latchkey-postgres-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure(output: "no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let process = try ChildProcess(
            "/usr/bin/setsid",
            ["--fork", "--wait", "/bin/bash", "-c", self.script, "postgres", self.programs, folder, String(getpid())])
        for await line in process.outputLines where line == "ready" {
            return Running(process: process, folder: folder)
        }
        let (_, _, talk) = await process.run()
        throw Failure(output: talk)
    }

    /// Runs statements in a database as the server's superuser, or another role.
    /// - Returns: what they answer, a line for each row.
    @discardableResult
    package func run(
        _ statements: [String], in database: String = "postgres", as role: String = "postgres"
    ) async throws -> String {
        let folder = try await self.running().folder
        var arguments = ["-h", folder, "-U", role, "-d", database, "-v", "ON_ERROR_STOP=1", "-qAt"]
        for statement in statements { arguments += ["-c", statement] }
        let (end, output, talk) = try await ChildProcess("\(Self.programs)/psql", arguments).run()
        guard end == .exited(0) else { throw Failure(output: talk) }
        return output
    }

    /// Makes a new database, which ``Self/owner`` owns.
    /// - Parameter template: a database that it is a copy of, which no one uses; it is empty without one.
    package func makeDatabase(like template: String? = nil) async throws -> String {
        self.databases += 1
        let name = "test\(self.databases)"
        let drops = self.unused.map { "DROP DATABASE \($0) WITH (FORCE)" }
        self.unused = []
        try await self.run(drops + ["CREATE DATABASE \(name) OWNER \(Self.owner) TEMPLATE \(template ?? "template1")"])
        return name
    }

    /// Makes a database that is as `prepare` made one, once, by its connection in the role that owns it: a
    /// copy of that, or one that a test gave back, emptied.
    package func makeDatabase(
        prepared prepare: @escaping @Sendable (_ connection: String) async throws -> Void
    ) async throws -> String {
        if self.preparing == nil {
            self.preparing = Task {
                let name = try await self.makeDatabase()
                let connection = try await self.connection(name, as: Self.owner)
                try await prepare(connection)
                if let file = Self.splitting {
                    let script = try Data(contentsOf: URL(filePath: file))
                    // What is not for the server is psql's own.
                    let lines = String(decoding: script, as: UTF8.self).split(separator: "\n").filter {
                        !$0.hasPrefix("\\")
                    }
                    try await self.run([lines.joined(separator: "\n")], in: name)
                    try await prepare(connection)
                }
                return name
            }
        }
        let template = try await self.preparing?.value
        if let name = self.recyclable.popLast() {
            try await self.run([Self.emptying], in: name)
            return name
        }
        let name = try await self.makeDatabase(like: template)
        self.prepared.insert(name)
        try await self.run([Self.emptying], in: name)
        return name
    }

    /// Empties all tables, which is quicker than another database, and begins a new life of the data.
    private static let emptying = """
        DO $$ DECLARE found name; BEGIN
            SET LOCAL session_replication_role = replica;
            FOR found IN SELECT tablename FROM pg_tables WHERE schemaname = 'latchkey'
                AND tablename NOT IN ('schema_version', 'store_state', 'probe')
            LOOP EXECUTE format('DELETE FROM latchkey.%I', found); END LOOP;
            UPDATE latchkey.store_state SET life = decode(md5(gen_random_uuid()::text), 'hex'), purged_transaction = 0,
                purged_part = 0, purged_at = NULL, cleared_until = 0;
        END $$
        """

    /// Lets a database go with the next one that is made, or be used again where it was prepared.
    package func giveBack(_ database: String) {
        if self.prepared.contains(database) { self.recyclable.append(database) } else { self.unused.append(database) }
    }

    /// How libpq reaches a database in a role; over ``deafLine()`` where the environment asks for it.
    package func connection(_ database: String, as role: String) async throws -> String {
        let folder = Self.losesNotifications ? try await self.deafLine().folder : try await self.running().folder
        return "host=\(folder) dbname=\(database) user=\(role)"
    }

    /// The same, and no notification arrives.
    package func deafConnection(_ database: String, as role: String) async throws -> String {
        "host=\(try await self.deafLine().folder) dbname=\(database) user=\(role)"
    }

    /// The way to the server that is without notifications.
    package func deafLine() async throws -> DeafLine {
        if let line = self.line { return try await line.value }
        let line = Task {
            let server = try await self.running().folder
            let folder = "\(server)/deaf"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            return try await DeafLine(to: server, in: folder)
        }
        self.line = line
        return try await line.value
    }
}
