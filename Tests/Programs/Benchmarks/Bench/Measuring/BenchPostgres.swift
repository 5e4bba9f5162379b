import Glibc
import RealPrograms
import TestSupport

/// A PostgreSQL server of Debian's package as an operator would run it: durable, on a disk, and as a user without rights.
/// It is reached through a socket in its folder, and ends when it is stopped or released.
struct BenchPostgres: Sendable {
    /// The role that owns the tables, and the one that servers have.
    static let owner = "latchkey_owner"
    static let server = "latchkey_server"

    /// Where its socket is; a connection string has it as `host`.
    let folder: String
    private let programs: String
    private let process: ChildProcess

    /// Makes an empty server in a new folder and starts it.
    static func start(_ surroundings: Surroundings, in folder: String) async throws -> BenchPostgres {
        try await self.makeFolder(folder)
        try await self.run(
            "\(surroundings.postgres)/initdb",
            ["-D", "\(folder)/data", "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8", "--no-sync"])
        return try await self.serve(surroundings, in: folder)
    }

    /// Makes a standby of this server in a new folder, and has every commit wait for it from now on.
    func startStandby(_ surroundings: Surroundings, in folder: String) async throws -> BenchPostgres {
        try await Self.makeFolder(folder)
        try await Self.run(
            "\(self.programs)/pg_basebackup",
            ["-h", self.folder, "-U", "postgres", "-D", "\(folder)/data", "-R", "-X", "stream", "-c", "fast", "-N"])
        let standby = try await Self.serve(surroundings, in: folder)
        // Only now: the copy of the settings is the standby's own, which will wait for none.
        try await self.run(["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"])
        _ = try await eventually("synchronous standby") {
            let states = try await self.run(["SELECT sync_state FROM pg_stat_replication"])
            return states == "sync\n" ? states : nil
        }
        return standby
    }

    private static func serve(_ surroundings: Surroundings, in folder: String) async throws -> BenchPostgres {
        // A quarter of the memory, as its manual recommends; all that makes it durable is as it comes.
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 4 / 1_048_576
        let settings = [
            "listen_addresses=", "shared_buffers=\(max(memory, 128))MB", "max_wal_size=32GB",
            "checkpoint_timeout=15min",
            "maintenance_work_mem=512MB", "max_connections=200", "log_min_messages=fatal",
        ]
        let command = self.asUser(
            "\(surroundings.postgres)/postgres",
            ["-D", "\(folder)/data", "-k", folder] + settings.flatMap { ["-c", $0] })
        let process = try ChildProcess(command[0], Array(command[1...]))
        let made = BenchPostgres(folder: folder, programs: surroundings.postgres, process: process)
        _ = try await eventually("answer of PostgreSQL") { try? await made.run(["SELECT 1"]) }
        return made
    }

    func stop() async {
        // Not SIGTERM, at which it waits for all who are connected.
        self.process.send(SIGINT)
        _ = await self.process.waitForEnd()
    }

    /// Ends it as a power cut would: the processes of its connections follow when they notice.
    func kill() async {
        self.process.send(SIGKILL)
        _ = await self.process.waitForEnd()
    }

    /// Makes a standby the primary. - Returns: when it was told to.
    func promote() async throws -> ContinuousClock.Instant {
        let told = ContinuousClock.now
        try await self.run(["SELECT pg_promote(true, 60)"])
        return told
    }

    /// Makes a database with the roles that operators are told to make.
    func makeDatabase(_ name: String) async throws {
        try await self.run(["CREATE DATABASE \(name)"])
        try await self.query(["-f", "deploy/postgres/roles.sql"], in: name)
    }

    /// How libpq reaches a database in a role.
    func connection(_ database: String, as role: String, or standby: BenchPostgres? = nil) -> String {
        let hosts = [self.folder] + (standby.map { [$0.folder] } ?? [])
        return "host=\(hosts.joined(separator: ",")) dbname=\(database) user=\(role)"
    }

    /// Runs statements as the superuser, each by itself. - Returns: what they answer, a line for each row.
    @discardableResult
    func run(_ statements: [String], in database: String = "postgres") async throws -> String {
        try await self.query(statements.flatMap { ["-c", $0] }, in: database)
    }

    @discardableResult
    private func query(_ arguments: [String], in database: String) async throws -> String {
        let words = ["-h", self.folder, "-U", "postgres", "-d", database, "-v", "ON_ERROR_STOP=1", "-qAt"]
        return try await Self.run("\(self.programs)/psql", words + arguments, asUser: false)
    }

    /// Transactions per second that `pgbench` makes of one statement with 64 connections, on the load's processor.
    /// - Parameters:
    ///   - script: a file in the language of pgbench.
    ///   - variables: what it may name, besides its own.
    func transactionsPerSecond(
        _ script: String, _ variables: [String: String], in database: String, seconds: Int
    ) async throws -> Double {
        let arguments =
            ["-c", Processors.load, "\(self.programs)/pgbench", "-h", self.folder, "-U", "postgres"]
            + ["-n", "-M", "prepared", "-c", "64", "-j", "1", "-T", "\(seconds)", "-f", script]
            + variables.flatMap { ["-D", "\($0.key)=\($0.value)"] } + [database]
        let output = try await Self.run("taskset", arguments, asUser: false)
        let line = output.split(separator: "\n").first { $0.hasPrefix("tps = ") }
        guard let rate = line?.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }), rate > 0 else {
            throw NotMeasured(description: "pgbench told no rate: \(output)")
        }
        return rate
    }

    // MARK: Programs

    private static let isRoot = getuid() == 0

    /// PostgreSQL refuses to run as root.
    private static func asUser(_ program: String, _ arguments: [String]) -> [String] {
        let command = ["env", "--chdir=/", program] + arguments
        guard self.isRoot else { return command }
        return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"] + command
    }

    @discardableResult
    private static func run(
        _ program: String, _ arguments: [String], asUser isUser: Bool = true
    ) async throws -> String {
        let command = isUser ? self.asUser(program, arguments) : [program] + arguments
        let (end, output, talk) = try await ChildProcess(command[0], Array(command[1...])).run()
        guard end == .exited(0) else { throw NotMeasured(description: "\(program) ended with \(end): \(talk)") }
        return output
    }

    private static func makeFolder(_ folder: String) async throws {
        let owner = self.isRoot ? ["--owner=nobody", "--group=nogroup"] : []
        // The folders around it belong to the caller.
        try await self.run("mkdir", ["-p", folder], asUser: false)
        try await self.run("install", ["-d", "--mode=755"] + owner + [folder], asUser: false)
    }
}
