import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import Glibc
import HTTPClient
import Observability
import Stores
import Synchronization
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd serve", .demo, .timeLimit(.minutes(5)))
struct ServeTests {
    private let client = HTTPClient()

    private func get(_ url: String) async throws -> (status: Int, body: String) {
        let response = try await self.client.send(.init(.get, url))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    @Test("serves on the port the system chose, says so in a file, and stops with success when asked to")
    func lifeCycle() async throws {
        let file = setUp.folder.file("address")
        try setUp.replace(#"listen: ["127.0.0.1:18443"]"#, with: #"listen: ["127.0.0.1:18444"]"#)
        let server = try await RunningServer.start(setUp, "--address-file", file)
        #expect(try setUp.folder.read("address") == server.url + "\n")
        #expect(try await self.get(server.url + "/healthz") == (200, "ok\n"))
        #expect(try await self.get(server.url + "/readyz") == (200, "ready\n"))
        #expect(try await self.get(server.url + "/api/v1/config/DEMO.json").body.contains("\"id\":\"DemoTV\""))
        #expect(try await self.get(server.url + "/activate").status == 200)
        let metrics = try await self.get(server.url + "/metrics").body.split(separator: "\n")
        let size = metrics.first { $0.hasPrefix("latchkey_store_bytes ") }.flatMap { Int($0.dropFirst(21)) }
        #expect((size ?? 0) > 0)
        var question = HTTPClient.Request(.get, "http://localhost/")
        question.unixSocketPath = setUp.file("console.socket")
        let console = String(decoding: try await self.client.send(question).body, as: UTF8.self)
        #expect(!console.contains("does not listen"), "the warning goes by --listen")
        for fact in [
            "Version", "Running for", "Certificate", "Last backup", "Free disk", "Wrong codes", "Wrong passwords",
            "Limits of guessing met", "Calls with a refused credential",
        ] {
            #expect(console.contains(">\(fact)<"), "\(fact)")
        }
        let key = try await self.get(server.url + "/.well-known/media-token-key.pem").body
        #expect(key == (try KeyFolder(setUp.file("keys")).tokenVerificationKeys()[0].pem()))
        #expect(await server.stop() == .exited(0))
        #expect(PrivateFiles.status(file) == nil)
    }

    @Test("tries a store again for a minute that cannot be used yet, says so, and gives up at once for other reasons")
    func patience() async throws {
        let lines = Mutex<[String]>([])
        let time = Mutex(Duration.zero)
        let logger = Logger(
            component: "test", sink: LogSink { line in lines.withLock { $0.append(line) } },
            clock: { 0 })
        func open(failing tries: Int, with code: StoreError.Code = .unavailable) async throws(StoreError) -> Int {
            var count = 0
            return try await StoreAccess.patiently(
                logger, uptime: { time.withLock { $0 } }, pause: { step in time.withLock { $0 += step } }
            ) { () throws(StoreError) in
                count += 1
                guard count > tries else { throw StoreError(code, detail: "db1: no route") }
                return count
            }
        }
        #expect(try await open(failing: 2) == 3)
        let said = lines.withLock { $0 }
        #expect(
            said.count == 2 && said.allSatisfy { $0.contains("cannot be used yet") && $0.contains("db1: no route") })
        await #expect(throws: StoreError.self) { try await open(failing: .max) }
        #expect(time.withLock { $0 } == .seconds(4 + 60))
        await #expect(throws: StoreError.self) { try await open(failing: 1, with: .olderSchema) }
        #expect(time.withLock { $0 } == .seconds(4 + 60))
    }

    @Test func `tells the manager that started it when it can be asked, and not before`() async throws {
        let socket = try DatagramSocket(setUp.folder.file("notify.sock"))
        let file = setUp.folder.file("address")
        let process = try BuiltProgram.start(
            "serve", "--config", setUp.configurationFile, "--listen", "127.0.0.1:0", "--address-file", file,
            environment: ["NOTIFY_SOCKET": setUp.folder.file("notify.sock")])
        #expect(await socket.receive() == "READY=1")
        let url = try setUp.folder.read("address").dropLast()
        #expect(try await self.get("\(url)/readyz") == (200, "ready\n"))
        process.send(SIGTERM)
        #expect(await process.waitForEnd() == .exited(0))
    }

    @Test func `whose port is taken names it and what to do, and ends with 71`() async throws {
        let server = try await RunningServer.start(setUp)
        let address = String(server.url.dropFirst("http://".count))
        let other = try await TestSetUp.newDemo()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: other.file("latchkeyd.sqlite"))
        let second = try BuiltProgram.start("serve", "--config", other.configurationFile, "--listen", address)
        let (end, output, talk) = await second.run()
        #expect(end == .exited(71))
        #expect(output == "")
        #expect(talk.contains("latchkeyd: The address \(address) is taken: another program listens there.\n"))
        #expect(talk.contains("--listen"))
        #expect(talk.contains("others could read the store"), "its mode was mended: \(talk)")
        #expect(await server.stop() == .exited(0))
    }

    @Test func `whose store folder is read-only names the store, and ends with 74`() async throws {
        let manager = FileManager.default
        let folder = setUp.file("store")
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try setUp.replace("// file: \"latchkeyd.sqlite\"", with: "file: \"store/latchkeyd.sqlite\"")
        try manager.moveItem(atPath: setUp.file("latchkeyd.sqlite"), toPath: "\(folder)/latchkeyd.sqlite")
        try BuiltProgram.giveAway(
            [
                setUp.folder.path, setUp.path, setUp.configurationFile, folder, "\(folder)/latchkeyd.sqlite",
                setUp.file("keys"),
            ]
                + (try manager.contentsOfDirectory(atPath: setUp.file("keys"))).map { setUp.file("keys/\($0)") })
        try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)

        let serving = try BuiltProgram.startUnprivileged(
            ["serve", "--config", setUp.configurationFile, "--listen", "127.0.0.1:0"])
        let (end, _, talk) = await serving.run()
        #expect(end == .exited(74))
        #expect(talk.contains("latchkeyd: The store \(folder)/latchkeyd.sqlite may not be written"), "\(talk)")

        let checking = try BuiltProgram.startUnprivileged(["check-config", setUp.configurationFile])
        let (checkEnd, output, _) = await checking.run()
        #expect(checkEnd == .exited(78))
        #expect(output.contains("store.file: Nothing may be made in the folder \(folder) by this user."))
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }

    @Test func `begins with a new store when it is told to, and not where there is one`() async throws {
        let refused = try await setUp.run("serve", "--new-store", "--listen", "127.0.0.1:0").expect(.stateProblem)
        #expect(refused.talk.hasPrefix("latchkeyd: There is a store already."), "\(refused.talk)")
        try FileManager.default.removeItem(atPath: setUp.file("latchkeyd.sqlite"))
        let server = try await RunningServer.start(setUp, "--new-store")
        #expect(try await self.get(server.url + "/readyz") == (200, "ready\n"))
        #expect(await server.stop() == .exited(0))
        #expect(try await setUp.run("user", "list").output.contains("demo") == false)
    }

    @Test func `goes on when the reader of its log is gone, and through signals that say nothing to it`() async throws {
        let script = """
            exec 3>&1
            { sh -c 'echo "PID $$"; exec env --default-signal=PIPE,USR1,USR2 "$0" "$@"' "$0" "$@" 2>&1
              echo "END $?" >&3; } | {
              while read -r line; do
                echo "$line"
                case $line in LISTENING*) break ;; esac
              done
              exec 0<&-
              echo closed; }
            """
        let process = try ChildProcess(
            "sh",
            [
                "-c", script, BuiltProgram.path, "serve", "--config", setUp.configurationFile, "--listen",
                "127.0.0.1:0", "--print-address",
            ])
        var pid: pid_t?
        var end: Substring?
        for await line in process.outputLines {
            if line.hasPrefix("PID ") { pid = pid_t(line.dropFirst(4)) }
            if line.hasPrefix("END ") { end = line.dropFirst(4) }
            guard line == "closed" else { continue }
            // It says in its log that it read its configuration again, and that it stops.
            for signal in [SIGUSR1, SIGUSR2, SIGHUP, SIGTERM] { kill(try #require(pid), signal) }
        }
        #expect(end == "0")
    }

    @Test func `whose store is no store, or a newer one, is told apart`() async throws {
        try Data(repeating: 0x41, count: 65_536).write(to: URL(filePath: setUp.file("latchkeyd.sqlite")))
        try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(
            .stateProblem, talk: "The store \(setUp.file("latchkeyd.sqlite")) is damaged, or is no store")
    }

    @Test func `names the setting whose secret is not there`() async throws {
        try setUp.replace("newBox: {", with: "newBox: { address: 'https://a.example', token: 'box.token',")
        try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(
            .configuration, talk: "boxes.newBox.token: There is no file of this name.")
    }

    @Test func `keeps its store from other servers and copies, until it is killed`() async throws {
        let server = try await RunningServer.start(setUp)
        let used = "The store \(setUp.file("latchkeyd.sqlite")) is in use by a server"
        try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(.stateProblem, talk: used)
        // Nothing listens at port 1.
        try setUp.replace(
            "// file: \"latchkeyd.sqlite\"", with: "connection: \"host=127.0.0.1 port=1 dbname=latchkey\"")
        let copy = ["store", "copy", "--from", "sqlite", "--to", "postgres"]
        try await setUp.run(copy).expect(.stateProblem, talk: used)
        server.process.send(SIGKILL)
        _ = await server.process.waitForEnd()
        try await setUp.run(copy).expect(.stateProblem, talk: "The store cannot be used now")
    }

    @Test func `whose store was copied to another one does not start before the store is taken back`() async throws {
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        try await StoreMark.moved(in: store).set("PostgreSQL at 2026-11-28T23:10:00Z")
        await store.close()
        let fault = "The store \(setUp.file("latchkeyd.sqlite")) was copied to PostgreSQL at 2026-11-28T23:10:00Z"
        try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(.configuration, talk: fault, "store take-back")
        try await setUp.run("check").expect(.configuration, talk: fault)
        try await setUp.run("check-config").expect(.configuration, output: "store.kind: \(fault)")
        try await setUp.run("user", "list").expect(.configuration, talk: fault)
        try await setUp.run("store", "take-back").expect(
            .stateProblem, talk: fault, "Whatever changed in the copy since is lost", "store take-back --yes")
        try await setUp.run("user", "list").expect(.configuration, talk: fault)
        try await setUp.run("store", "take-back", "--yes").expect(.success, talk: "can use the store")
        try await setUp.run("check", "--offline").expect(.success)
        try await setUp.run("store", "take-back").expect(.success, talk: "was not copied")
        let server = try await RunningServer.start(setUp)
        #expect(await server.stop() == .exited(0))
    }

    @Test func `whose key file others may read does not start, and ends with 72`() async throws {
        let key = setUp.file("keys/token-signing-1.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let (end, _, talk) = try await BuiltProgram.start(
            "serve", "--config", setUp.configurationFile, "--listen", "127.0.0.1:0"
        ).run()
        #expect(end == .exited(72))
        #expect(
            talk.hasPrefix(
                "latchkeyd: The key file \(key) has mode 0644, open to others; it must be 0600 (chmod 0600).\n"))
    }

    @Test func `whose configuration is broken lists every fault, and ends with 78`() async throws {
        try setUp.folder.write("{\n server: { publicURL: 1 },\n logs: {} }", to: "server/latchkeyd.json5")
        let (end, _, talk) = try await BuiltProgram.start("serve", "--config", setUp.configurationFile).run()
        #expect(end == .exited(78))
        #expect(talk.contains("latchkeyd: line 2: server.publicURL must be an http or https address"))
        #expect(talk.contains("latchkeyd: line 3: logs is not a setting; perhaps log is meant.\n"))
    }

    @Test func `with an address that is none says how one is written`() async throws {
        let run = try await (try await TestSetUp.demo()).run("serve", "--listen", "nowhere")
        #expect(run.code == .usage)
        #expect(run.talk.hasPrefix("latchkeyd: --listen takes \"127.0.0.1:8080\""))
    }
}
