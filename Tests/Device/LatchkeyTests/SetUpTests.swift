import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import latchkey

private let issuedKeyPair =
    #"{"publicKey":"pk.1","privateKey":"s\"ec\\ret","requestors":["NORTHSPORT"],"serverToServer":false}"#

@Suite("latchkey init", .box, .timeLimit(.minutes(5)))
struct SetUpTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private typealias Run = (end: ChildProcess.End, output: String, talk: String)

    private func latchkey(_ words: [String]) async throws -> Run {
        try await ChildProcess(Latchkey.program, words, environment: ["XDG_STATE_HOME": self.folder.path]).run()
    }

    private func run(_ words: String...) async throws -> Run {
        try await self.latchkey(["init"] + words + ["--config", self.folder.file("box/latchkey.json5")])
    }

    @Test func `makes a configuration that the box works with, for its own user alone`() async throws {
        let file = try folder.write(issuedKeyPair, to: "key.json")
        let made = try await self.run("--server", service.url, file, "--name", "Living \"room\"")
        #expect(made.end == .exited(0), "\(made.talk)")
        let path = folder.file("box/latchkey.json5")
        #expect(made.output.contains(path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let status = try await self.latchkey(["status", "--config", path])
        #expect(status.end == .exited(2), "\(status.talk)")
        #expect(service.requests.contains { $0.headers["authorization"]?.contains("pk.1") == true })
    }

    @Test(.enabled(if: getuid() == 0))
    func `lets the agent's group read what root makes in its folder, as the package's own rules say`() async throws {
        let file = try folder.write(issuedKeyPair, to: "key.json")
        try FileManager.default.createDirectory(
            atPath: folder.file("box"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o750, .groupOwnerAccountID: 1])
        #expect(try await self.run("--server", "https://tv.example", file).end == .exited(0))
        let made = try FileManager.default.attributesOfItem(atPath: folder.file("box/latchkey.json5"))
        #expect(made[.posixPermissions] as? Int == 0o640 && made[.groupOwnerAccountID] as? Int == 1)
        #expect(made[.ownerAccountID] as? Int == 0)
        let status = try await self.latchkey(["doctor", "--json", "--config", folder.file("box/latchkey.json5")])
        let check = status.output.split(separator: "\n").first { $0.contains(#""check":"permissions""#) }
        #expect(check?.contains(#""outcome":"ok""#) == true, "\(status.output)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o660], ofItemAtPath: folder.file("box/latchkey.json5"))
        let open = try await self.latchkey(["status", "--config", folder.file("box/latchkey.json5")])
        #expect(open.end == .exited(78) && open.talk.contains("mode 0640 if it is root's"), "\(open.talk)")
    }

    @Test func `says that a port does not speak https, and that the code is still good`() async throws {
        // It waits for a request, and hangs up.
        let server = try ScriptedServer { _ in .close }
        let isOver = Atomic<Bool>(false)
        async let run = {
            defer { isOver.store(true, ordering: .releasing) }
            return try await self.run("--server", "https" + server.url.dropFirst(4), "--code", "7KQ4-M2XB-CDFG")
        }()
        while !isOver.load(ordering: .acquiring) {
            server.dropConnections()
            await Task.yield()
        }
        let (end, _, talk) = try await run
        #expect(end == .exited(69))
        #expect(talk.contains("does not speak https. Is the port right? The code is still good."), "\(talk)")
    }

    @Test func `tells the faults of an address and of an authority from each other`() async throws {
        let server = try await TLSServer()
        let foreign = try await self.run("--server", server.url, "--code", Self.code)
        #expect(foreign.end == .exited(69) && foreign.talk.contains("with --certificate-authority."), "\(foreign.talk)")
        let way = try await self.run("--server", "https://tv.invalid", "--code", Self.code, "--proxy", server.url)
        #expect(way.end == .exited(69) && way.talk.contains("certificate of the proxy is not trusted"), "\(way.talk)")
        for (address, authority, exitCode, sentence) in [
            (
                server.url.replacing("127.0.0.1", with: "localhost"), server.certificate, Int32(69),
                "for another name: IP Address:127.0.0.1."
            ),
            (server.url, server.key, 65, "\(server.key) has no certificate in it"),
            ("https://tv.invalid", server.certificate, 69, "The name in https://tv.invalid cannot be resolved"),
        ] {
            let run = try await self.run("--server", address, "--code", Self.code, "--certificate-authority", authority)
            #expect(run.end == .exited(exitCode) && run.talk.contains(sentence), "\(run.talk)")
        }
        let plain = try await self.run(
            "--server", server.url.replacing("https:", with: "http:"), "--insecure", "--code", Self.code)
        #expect(plain.end == .exited(69) && plain.talk.contains("Perhaps it speaks https"), "\(plain.talk)")
    }

    @Test func `takes a software statement, from standard input too`() async throws {
        let answer = try folder.write(#"{"softwareStatement":"a.b.c","requestors":["A","B"]}"#, to: "answer.json")
        let script =
            "'\(Latchkey.program)' init --server https://tv.example --requestor B --config "
            + "'\(folder.file("c.json5"))' --json < '\(answer)'"
        let (end, output, talk) = try await ChildProcess("/bin/sh", ["-c", script]).run()
        #expect(end == .exited(0) && talk == "")
        #expect(try await EventSchema.faults(in: output) == "")
        #expect(try BoxEvent(line: output).news == .configured(file: folder.file("c.json5")))
        let text = try folder.read("c.json5")
        #expect(text.contains(#"softwareStatement: "a.b.c""#) && text.contains(#"requestor: "B""#))
    }

    @Test func `never overwrites a configuration`() async throws {
        let file = try folder.write(issuedKeyPair, to: "key.json")
        #expect(try await self.run("--server", "https://a.example", file).end == .exited(0))
        let before = try folder.read("box/latchkey.json5")
        let again = try await self.run("--server", "https://b.example", file)
        #expect(again.end == .exited(74) && again.talk.contains("exists already"))
        #expect(try folder.read("box/latchkey.json5") == before)
    }

    private static let code = "7kq4-m2xb-cdfg"
    private static let given =
        #"{"server":"https://tv.example","requestors":["NORTHSPORT"],"publicKey":"pk.1","privateKey":"secret"}"#

    @Test func `exchanges a set-up code, and looks at all that could go wrong here before`() async throws {
        service.answer("/o/client/setup", with: .response(200, body: Self.given))
        let made = try await self.run("--server", service.url, "--code", Self.code, "--name", "Attic")
        #expect(made.end == .exited(0), "\(made.talk)")
        let text = try folder.read("box/latchkey.json5")
        #expect(text.contains(#"publicKey: "pk.1""#) && text.contains(#"requestor: "NORTHSPORT""#))
        #expect(text.contains("server: \"\(service.url)\"") && text.contains(#"deviceName: "Attic""#))
        #expect(service.requests.map { $0.form["setup_code"] } == ["7KQ4M2XBCDFG"])
        for words in [
            ["--server", service.url, "--code", Self.code], ["--server", service.url, "--code", "7KQ4-M2XB"],
            ["--code", Self.code], ["--server", "http://tv.example", "--code", Self.code],
            ["--server", service.url, "--code", Self.code, "--requestor", "NORTHSPORT"],
            ["--server", service.url, "--code", Self.code, "key.json"],
        ] {
            let refused = try await self.latchkey(["init", "--config", folder.file("box/latchkey.json5")] + words)
            #expect(
                refused.end == .exited(words.count == 4 && words[1] == service.url && words[3] == Self.code ? 74 : 64))
        }
        #expect(service.requests.count == 1, "a code that cannot be used here is not spent")
    }

    @Test("carries the authorities and the proxy of the box's network, the command line's before the server's")
    func network() async throws {
        let given =
            #"{"requestors":["NORTHSPORT"],"publicKey":"pk.1","privateKey":"s","certificateAuthority":"/etc/ca.pem","proxy":"http://proxy.example:3128"}"#
        service.answer("/o/client/setup", with: .response(200, body: given))
        let made = try await self.run("--server", service.url, "--code", Self.code)
        #expect(made.end == .exited(0), "\(made.talk)")
        let text = try folder.read("box/latchkey.json5")
        #expect(text.contains(#"certificateAuthority: "/etc/ca.pem""#))
        #expect(text.contains(#"proxy: "http://proxy.example:3128""#))
        #expect((made.output + made.talk).contains("the proxy http://proxy.example:3128, as the server says"))
        service.answer("/o/client/setup", with: .response(200, body: given))
        let open = try await self.latchkey([
            "init", "--server", service.url, "--code", Self.code, "--insecure", "--config", folder.file("open.json5"),
        ])
        #expect(open.0 == .exited(0), "\(open.2)")
        #expect(try !folder.read("open.json5").contains("proxy"), "anyone on the way could have said it")

        let authority = try folder.write("-----BEGIN CERTIFICATE-----", to: "own.pem")
        let file = try folder.write(given, to: "answer.json")
        let (end, output, talk) = try await self.latchkey(
            ["init", "--server", "https://tv.example", file, "--config", folder.file("own.json5")] + [
                "--certificate-authority", authority, "--proxy", "socks5h://[::1]:1080",
            ])
        #expect(end == .exited(0), "\(talk)")
        #expect((output + talk).contains("can read the credential in \(file): remove that file."))
        let own = try folder.read("own.json5")
        #expect(own.contains("certificateAuthority: \"\(authority)\"") && !own.contains("/etc/ca.pem"))
        #expect(own.contains(#"proxy: "socks5h://[::1]:1080""#))
        let script =
            "cd '\(folder.path)' && '\(Latchkey.program)' init --server https://tv.example answer.json "
            + "--certificate-authority own.pem --config '\(folder.file("here.json5"))'"
        #expect(try await ChildProcess("/bin/sh", ["-c", script]).run().end == .exited(0))
        #expect(try folder.read("here.json5").contains("certificateAuthority: \"/"))
    }

    @Test("exchanges a set-up code on the way that the command line names, and not where that cannot be")
    func way() async throws {
        service.answer("/o/client/setup", with: .response(200, body: Self.given))
        let code = ["--server", service.url, "--code", Self.code, "--config", folder.file("c.json5")]
        for (words, exitCode) in [
            // No proxy listens there, so the server is not reached.
            (["--proxy", "http://127.0.0.1:1"], Int32(69)), (["--proxy", "proxy.example"], 64),
            (["--certificate-authority", "none.pem"], 74), (["--certificate-authority", ""], 64),
            (["--certificate-authority", folder.file("none.pem")], 74),
        ] {
            let run = try await self.latchkey(["init"] + code + words)
            #expect(run.0 == .exited(exitCode), "\(words): \(run.2)")
        }
        #expect(service.requests.isEmpty)
        let bad = try folder.write(
            #"{"requestors":["A"],"publicKey":"p","privateKey":"s","proxy":"proxy.example"}"#, to: "answer.json")
        let refused = try await self.run("--server", "https://tv.example", bad)
        #expect(refused.end == .exited(65) && refused.talk.contains("The answer's proxy"), "\(refused.talk)")
    }

    @Test(
        "says what became of a code that gave nothing",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, Int32(77), "Ask the server's operator for another"),
            (404, "", 1, "Is the address right? The code is still good"), (501, "", 1, "Is the address right?"),
            (429, "", 69, "The code is still good"),
            (503, "", 69, "to revoke the newest pair"), (500, "", 69, "to revoke the newest pair"),
            (200, "nonsense", 69, "to revoke the newest pair"),
            (200, #"{"requestors":["NORTHSPORT"],"publicKey":"pk.1"}"#, 65, "to revoke the key pair pk.1"),
        ])
    func lost(status: Int, body: String, exitCode: Int32, sentence: String) async throws {
        service.answer("/o/client/setup", with: .response(status, body: body))
        let run = try await self.run("--server", service.url, "--code", Self.code)
        #expect(run.end == .exited(exitCode) && run.talk.contains(sentence), "\(run)")
        #expect(!run.talk.contains("7KQ4") && run.output == "")
        #expect(!FileManager.default.fileExists(atPath: folder.file("box/latchkey.json5")))
    }

    @Test func `knows that a code is still good when the server was never reached`() async throws {
        service.answer("tv.invalid:443", with: .response(407))
        for way in [["http://127.0.0.1:1"], ["https://tv.invalid", "--proxy", service.url]] {
            let run = try await self.latchkey(
                ["init", "--config", folder.file("c.json5"), "--code", Self.code, "--server"] + way)
            #expect(run.end == .exited(69) && run.talk.contains("The code is still good."), "\(run.talk)")
        }
        #expect(service.calls == ["CONNECT tv.invalid:443"], "the proxy is asked once")
    }

    @Test(
        "says what is missing or wrong",
        arguments: [
            (["--server", "https://a.example"], #"{"publicKey":"p"}"#, Int32(64), "--requestor is missing"),
            ([], issuedKeyPair, 64, "--server is missing"),
            (["--server", "a.example"], issuedKeyPair, 64, "must be an http or https address"),
            (["--server", "https://a.example:8/activate"], issuedKeyPair, 64, "its address is https://a.example:8."),
            (["--server", "https://a.example"], "no JSON", 65, "is not the server's answer"),
            (["--server", "https://a.example"], "[]", 65, "is not the server's answer"),
            (["--server", "https://a.example"], #"{"publicKey":"p","requestors":["A"]}"#, 65, "neither publicKey"),
            (
                ["--server", "https://a.example", "--requestor", "NORTHSPROT"], issuedKeyPair, 65,
                "Perhaps NORTHSPORT is meant."
            ),
        ])
    func faults(words: [String], answer: String, exitCode: Int32, sentence: String) async throws {
        let file = try folder.write(answer, to: "answer.json")
        let (end, output, talk) = try await self.latchkey(["init", file, "--config", folder.file("c.json5")] + words)
        #expect(end == .exited(exitCode) && output == "" && talk.contains(sentence), "\(talk)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("c.json5")))
    }
}
