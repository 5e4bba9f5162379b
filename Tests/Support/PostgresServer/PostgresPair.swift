import Glibc
import TestSupport

/// Two PostgreSQL servers of Debian's package: one takes writes, the other one follows it and takes over when it is told.
///
/// The one that follows is synchronous unless a test says otherwise: a commit returns when both have it. They run in a
/// folder of their own, without a network unless a test names one, as a user without rights, and end with the process of
/// the tests.
package actor PostgresPair {
    /// What becomes of a primary that is of no use any more.
    package enum Loss: Sendable, CaseIterable {
        /// `kill -9`: every connection to it ends, and new ones are refused.
        case killed
        /// It stands still: connections are taken, and nothing is answered.
        case silent
    }

    /// When a commit returns.
    package enum Replication: Sendable {
        /// When the other server has it on its disk.
        case synchronous
        /// When this server has it in its memory: the other one, and the disk, get it later.
        case none
    }

    private struct Node: Sendable {
        let process: ChildProcess
        let pid: Int32
    }

    private let folder: String
    /// Where the two listen beside their sockets; empty without a network.
    private let addresses: [String]
    private var nodes: [Int: Node] = [:]
    private var silent: [Int: Node] = [:]
    /// Whether what the first one keeps is on a small disk of its own.
    private var hasDisk = false
    /// The number of the one that takes writes, from 0.
    package private(set) var primary = 0

    /// Starts a primary with the two roles of a store, and a standby that has caught up with it.
    /// - Parameters:
    ///   - addresses: one of this machine for each of the two; they let in the two roles from 10.214.0.0/16.
    ///   - disk: how many megabytes the first one has for all it keeps, which takes root; `nil` is no limit.
    package static func start(
        _ replication: Replication = .synchronous, addresses: [String] = [], disk: Int? = nil
    ) async throws -> PostgresPair {
        var template = Array("/tmp/latchkey-pair-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw PostgresServer.Failure(output: "no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let pair = PostgresPair(folder: folder, addresses: addresses)
        do {
            try await pair.begin(replication, disk: disk)
        } catch {
            await pair.stop()
            throw error
        }
        return pair
    }

    private init(folder: String, addresses: [String]) {
        self.folder = folder
        self.addresses = addresses
    }

    // A test that failed did not stop them, and the processes that would do so are killed with this.
    deinit {
        for node in Array(self.nodes.values) + Array(self.silent.values) {
            for signal in [SIGQUIT, SIGCONT] { kill(node.pid, signal) }
        }
        if self.hasDisk { SmallFileSystem.unmount(self.socket(0)) }
    }

    /// How libpq reaches a database in a role, whichever of the two takes writes.
    package nonisolated func connection(_ database: String, as role: String) -> String {
        "host=\(self.socket(0)),\(self.socket(1)) dbname=\(database) user=\(role)"
    }

    /// The same through the network.
    package nonisolated func networkConnection(_ database: String, as role: String) -> String {
        "host=\(self.addresses.joined(separator: ",")) dbname=\(database) user=\(role) sslmode=disable"
    }

    /// The same for the one that follows the server that takes writes now.
    package func standbyConnection(_ database: String, as role: String) -> String {
        "host=\(self.socket(1 - self.primary)) dbname=\(database) user=\(role)"
    }

    private nonisolated func socket(_ number: Int) -> String { "\(self.folder)/\(number)" }

    private nonisolated func data(_ number: Int) -> String { "\(self.folder)/\(number)/data" }

    // MARK: Setting up

    private func begin(_ replication: Replication, disk: Int?) async throws {
        try await self.makeFolder(0)
        if let disk {
            guard SmallFileSystem.mount(self.socket(0), megabytes: disk) else {
                throw PostgresServer.Failure(output: "a small disk cannot be mounted")
            }
            self.hasDisk = true
            try await self.command(["chown", "nobody:nogroup", self.socket(0)])
        }
        try await self.asServer([
            "initdb", "-D", self.data(0), "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8", "--no-sync",
        ])
        if !self.addresses.isEmpty {
            let roles = "\(PostgresServer.owner),\(PostgresServer.server)"
            let line = "host all \(roles) 10.214.0.0/16 trust"
            try await self.command(["sh", "-c", "echo '\(line)' >>\(self.data(0))/pg_hba.conf"])
        }
        try await self.startNode(0)
        try await self.run([
            "CREATE ROLE \(PostgresServer.owner) LOGIN", "CREATE ROLE \(PostgresServer.server) LOGIN",
            "ALTER ROLE \(PostgresServer.server) SET idle_in_transaction_session_timeout = '5s'",
        ])
        try await self.addStandby(replication)
    }

    /// Makes a standby of the server that does not take writes, from nothing.
    package func addStandby(_ replication: Replication = .synchronous) async throws {
        let number = 1 - self.primary
        await self.end(number)
        try await self.makeFolder(number)
        try await self.asServer([
            "pg_basebackup", "-h", self.socket(self.primary), "-U", "postgres", "-D", self.data(number), "-R", "-X",
            "stream", "-c", "fast", "--no-sync",
        ])
        try await self.startNode(number)
        switch replication {
        case .synchronous:
            try await self.run([
                "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()",
            ])
            try await self.eventually("a synchronous standby") {
                try await self.run(["SELECT sync_state FROM pg_stat_replication"]).contains("sync")
            }
        case .none:
            // What a server loses that promises too early: the commits of the last seconds.
            try await self.run([
                "ALTER SYSTEM SET synchronous_commit = off", "ALTER SYSTEM SET wal_writer_delay = '10s'",
                "ALTER SYSTEM SET wal_writer_flush_after = '1GB'", "SELECT pg_reload_conf()",
            ])
        }
    }

    private func makeFolder(_ number: Int) async throws {
        let folder = self.socket(number)
        try await self.command(["rm", "-rf", folder])
        try await self.command(["mkdir", "-m", "755", folder])
        if geteuid() == 0 { try await self.command(["chown", "nobody:nogroup", self.folder, folder]) }
    }

    /// Starts the server, tells its process, and ends it when the process of the tests is gone.
    private static let script = """
        set -u
        folder=$1 tests=$2 address=$3
        shift 3
        cd /
        "$@" -D "$folder/data" -k "$folder" -c listen_addresses="$address" -c fsync=off -c jit=off -c shared_buffers=32MB \\
            -c max_connections=100 -c autovacuum=off -c max_prepared_transactions=4 -c log_min_messages=panic \\
            -c hot_standby=on -c wal_receiver_status_interval=1 -c wal_retrieve_retry_interval=100ms \\
            -c max_wal_size=256MB -c checkpoint_timeout=1h &
        server=$!
        finish() {
            kill -CONT "$server" 2>/dev/null
            kill -QUIT "$server" 2>/dev/null
            wait "$server"
            kill -0 "$tests" 2>/dev/null || rm -rf "${folder%/*}"
            exit 0
        }
        trap finish TERM INT
        echo "started $server"
        while kill -0 "$tests" 2>/dev/null && kill -0 "$server" 2>/dev/null; do sleep 0.5; done
        finish
        """

    private func startNode(_ number: Int) async throws {
        let process = try ChildProcess(
            "/bin/bash",
            ["-c", Self.script, "postgres", self.socket(number), String(getpid())]
                + [self.addresses.isEmpty ? "" : self.addresses[number]] + Self.user + [
                    PostgresServer.program("postgres")
                ])
        var pid: Int32?
        for await line in process.outputLines {
            guard let word = line.split(separator: " ").last, line.hasPrefix("started ") else { continue }
            pid = Int32(word)
            break
        }
        guard let pid else { throw PostgresServer.Failure(output: "a server of the pair did not start") }
        self.nodes[number] = Node(process: process, pid: pid)
        try await self.eventually("server \(number)") {
            try await ChildProcess(
                PostgresServer.program("pg_isready"), ["-q", "-h", self.socket(number), "-U", "postgres"]
            ).run().end == .exited(0)
        }
    }

    // MARK: What happens to it

    /// Takes the primary away. Nothing takes its place until ``promote()``.
    package func lose(_ loss: Loss = .killed) async throws {
        guard let node = self.nodes.removeValue(forKey: self.primary) else { return }
        let processes = [node.pid] + (try await self.children(of: node.pid))
        switch loss {
        case .killed:
            for process in processes { kill(process, SIGKILL) }
            // The socket would be there without it; a machine that is gone refuses, too.
            _ = await node.process.waitForEnd()
        case .silent:
            for process in processes { kill(process, SIGSTOP) }
            self.silent[self.primary] = node
        }
    }

    /// Lets a primary that stood still go on: it knows of no other one.
    package func wake() async throws {
        for node in self.silent.values {
            for process in [node.pid] + (try await self.children(of: node.pid)) { kill(process, SIGCONT) }
        }
    }

    /// Lets the standby stand still, or go on: no synchronous commit returns meanwhile.
    package func setStandby(isSilent: Bool) async throws {
        guard let node = self.nodes[1 - self.primary] else { return }
        let signal = isSilent ? SIGSTOP : SIGCONT
        for process in [node.pid] + (try await self.children(of: node.pid)) { kill(process, signal) }
    }

    /// Lets the standby take writes.
    /// - Returns: when that was asked for.
    @discardableResult
    package func promote() async throws -> ContinuousClock.Instant {
        self.primary = 1 - self.primary
        let start = ContinuousClock.now
        try await self.run(["SELECT pg_promote(true, 60)"])
        return start
    }

    /// Makes the primary refuse writes, or take them again.
    package func setReadOnly(_ isReadOnly: Bool) async throws {
        try await self.run([
            "ALTER SYSTEM SET default_transaction_read_only = \(isReadOnly ? "on" : "off")", "SELECT pg_reload_conf()",
        ])
    }

    package func fillDisk() { SmallFileSystem.fill(self.socket(0)) }

    /// Makes room again, and starts the server where it ended for want of it, as systemd would.
    /// - Returns: whether it had ended.
    @discardableResult
    package func freeDisk() async throws -> Bool {
        SmallFileSystem.makeRoom(self.socket(0))
        var hadEnded = false
        try await self.eventually("server 0 with room on its disk") {
            if let node = self.nodes[0], kill(node.pid, 0) != 0 {
                _ = await node.process.waitForEnd()
                try await self.startNode(0)
                hadEnded = true
            }
            return (try? await self.run(["CREATE TEMPORARY TABLE room ()"])) != nil
        }
        return hadEnded
    }

    /// Ends both servers, and removes what they kept.
    package func stop() async {
        for number in 0...1 { await self.end(number) }
        if self.hasDisk { SmallFileSystem.unmount(self.socket(0)) }
        self.hasDisk = false
        try? await self.command(["rm", "-rf", self.folder])
    }

    private func end(_ number: Int) async {
        for node in [self.nodes.removeValue(forKey: number), self.silent.removeValue(forKey: number)] {
            guard let node else { continue }
            let processes = [node.pid] + ((try? await self.children(of: node.pid)) ?? [])
            for process in processes { kill(process, SIGKILL) }
            _ = await node.process.waitForEnd()
        }
    }

    private func children(of pid: Int32) async throws -> [Int32] {
        let (_, output, _) = try await ChildProcess("ps", ["-o", "pid=", "--ppid", String(pid)]).run()
        return output.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    }

    // MARK: Asking

    /// Makes a database, which ``PostgresServer/owner`` owns.
    package func makeDatabase(_ name: String) async throws {
        try await self.run(["CREATE DATABASE \(name) OWNER \(PostgresServer.owner)"])
    }

    /// Waits until the standby has all that is kept so far, however the two are set up.
    package func settle() async throws {
        try await self.run(["CHECKPOINT"])
        try await self.eventually("a standby that has all") {
            try await self.run([
                "SELECT count(*) FROM pg_stat_replication WHERE flush_lsn >= pg_current_wal_flush_lsn()"
            ]) == "1\n"
        }
    }

    /// Runs statements on the server that takes writes, or the other one, as its superuser, whatever it refuses to others.
    /// - Returns: what they answer, a line for each row.
    @discardableResult
    package func run(
        _ statements: [String], in database: String = "postgres", onOther: Bool = false
    ) async throws -> String {
        let number = onOther ? 1 - self.primary : self.primary
        var arguments = ["-h", self.socket(number), "-U", "postgres", "-d", database]
        arguments += ["-v", "ON_ERROR_STOP=1", "-qAt"]
        for statement in statements { arguments += ["-c", statement] }
        let program = PostgresServer.program("psql")
        let (end, output, talk) = try await ChildProcess(
            program, arguments, environment: ["PGOPTIONS": "-c default_transaction_read_only=off"]
        ).run()
        guard end == .exited(0) else { throw PostgresServer.Failure(output: talk) }
        return output
    }

    private static var user: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"] : []
    }

    /// Runs one of PostgreSQL's programs as the servers' user.
    private func asServer(_ words: [String]) async throws {
        try await self.command(Self.user + [PostgresServer.program(words[0])] + words.dropFirst())
    }

    private func command(_ words: [String]) async throws {
        let (end, _, talk) = try await ChildProcess("/bin/sh", ["-c", "cd / && exec \"$0\" \"$@\""] + words).run()
        guard end == .exited(0) else { throw PostgresServer.Failure(output: "\(words[0]): \(talk)") }
    }

    /// Asks until the answer is yes. Each question is a process, which is pause enough.
    private func eventually(_ what: String, _ attempt: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(120) {
            if try await attempt() { return }
        }
        throw PostgresServer.Failure(output: "no \(what) in two minutes")
    }
}
