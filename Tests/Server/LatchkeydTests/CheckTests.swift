import Clientless
import CommandLineTool
import FoundationEssentials
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd check", .demo, .timeLimit(.minutes(5)))
struct CheckTests {
    @Test func `finds a new set-up whole`() async throws {
        let setUp = try await TestSetUp.demo()
        let run = try await setUp.run("check")
        #expect(run.code == .success, "\(run.talk)")
        #expect(run.output == "")
        let lines = run.talk.split(separator: "\n")
        let store = setUp.file("latchkeyd.sqlite")
        #expect(lines.last == "Configuration, keys and the store \(store) are whole and belong together.")
        #expect(lines.dropLast().allSatisfy { $0.contains(": warning: ") }, "\(run.talk)")
    }

    @Test func `notices keys of another set-up, with which the server does not start either`() async throws {
        let (setUp, other) = (try await TestSetUp.demo(), try await TestSetUp.newDemo())
        let manager = FileManager.default
        try manager.moveItem(atPath: setUp.file("keys"), toPath: setUp.file("lost"))
        try manager.copyItem(atPath: other.file("keys"), toPath: setUp.file("keys"))
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: setUp.file("keys"))
        for name in try manager.contentsOfDirectory(atPath: setUp.file("keys")) {
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: setUp.file("keys/\(name)"))
        }
        try await setUp.run("check").expect(
            .keysUnusable, output: "keys.folder: The keys in \(setUp.file("keys")) are those of another set-up")
        let serve = try await setUp.run("serve", "--listen", "127.0.0.1:0")
        serve.expect(.keysUnusable, talk: "another set-up")
        #expect(!serve.talk.contains("--lost"), "only the keys of the store help")
    }

    @Test func `notices signing keys of another set-up, and lets an operator go on with a new one`() async throws {
        let (setUp, other) = (try await TestSetUp.demo(), try await TestSetUp.newDemo())
        let server = try await RunningServer.start(setUp)
        #expect(await server.stop() == .exited(0))
        let key = URL(filePath: setUp.file("keys/token-signing-1.pem"))
        try Data(contentsOf: URL(filePath: other.file("keys/token-signing-1.pem"))).write(to: key)
        let fault = "has no token-signing key that this store was used with"
        try await setUp.run("check").expect(.keysUnusable, output: fault, talk: "rotate --lost")
        try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(.keysUnusable, talk: fault, "rotate --lost")
        let rotate = ["keys", "signing", "rotate", "--use", "token-signing"]
        try await setUp.run(rotate).expect(.keysUnusable, talk: fault)
        try FileManager.default.removeItem(at: key)
        try await setUp.run(rotate).expect(.keysUnusable, talk: "has no token-signing-1.pem.", "rotate --lost")
        try await setUp.run("check").expect(.configuration, output: "no token-signing-1.pem", talk: "rotate --lost")
        try await setUp.run(rotate + ["--lost"]).expect(.success)
        try await setUp.run(rotate + ["--lost"]).expect(.usage, talk: "No token-signing key is lost.")
        try await setUp.run("check").expect(.success)
    }

    @Test func `names a signing key that is gone before what it signed is over`() async throws {
        let server = try await RunningServer.start(setUp)
        #expect(await server.stop() == .exited(0))
        try await setUp.run("keys", "signing", "rotate", "--use", "token-signing").expect(.success)
        let (key, aside) = (setUp.file("keys/token-signing-1.pem"), setUp.folder.file("aside.pem"))
        try FileManager.default.moveItem(atPath: key, toPath: aside)
        let looks = [["check", "--offline"], ["check-config"], ["keys", "signing", "list"]]
        for words in looks + [["backup", "--without-keys", setUp.folder.file("backup")]] {
            let run = try await setUp.run(words).expect(
                .success, talk: "a signing key that the store was used with is gone", "(token-signing, made ")
            #expect(!run.talk.contains("belong together"), "\(run.talk)")
        }
        let later = SystemClock.now() + .seconds(400 * 86_400)
        for words in looks {
            #expect(try await !setUp.run(words, now: later).talk.contains("is gone"), "\(words)")
        }
        try FileManager.default.moveItem(atPath: aside, toPath: key)
        try await setUp.run("check", "--offline").expect(.success, talk: "belong together")
    }

    @Test func `names requestors and providers of the store that the configuration does not have`() async throws {
        try setUp.replace("id: \"DEMO\"", with: "id: \"DEMO2\"")
        try setUp.replace("DemoTV", with: "DemoTV2")
        let run = try await setUp.run("check", "--offline").expect(
            .success, talk: "are refused (1 key pair, requestor DEMO)", "or play (1 account, provider DemoTV)")
        #expect(!run.talk.contains("belong together"))
    }

    @Test func `notices the master secret of another set-up too, once a server served from the store`() async throws {
        let (setUp, other) = (try await TestSetUp.demo(), try await TestSetUp.newDemo())
        let key = URL(filePath: setUp.file("keys/master-secret"))
        for _ in 0..<2 {
            let server = try await RunningServer.start(setUp)
            #expect(await server.stop() == .exited(0))
        }
        #expect(try await setUp.run("check").code == .success)
        try Data(contentsOf: URL(filePath: other.file("keys/master-secret"))).write(to: key)
        let fault = "are those of another set-up: the store was used with another master-secret."
        try await setUp.run("check").expect(.keysUnusable, output: fault)
        try await setUp.run("check-config").expect(.configuration, output: fault)
        try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(.keysUnusable, talk: fault)
    }

    @Test func `tells a sealing key that is another one from keys of another set-up`() async throws {
        let (setUp, other) = (try await TestSetUp.demo(), try await TestSetUp.newDemo())
        let server = try await RunningServer.start(setUp)
        #expect(await server.stop() == .exited(0))
        let key = URL(filePath: setUp.file("keys/sealing-1.key"))
        try Data(contentsOf: URL(filePath: other.file("keys/sealing-1.key"))).write(to: key)
        try await setUp.run("check").expect(
            .keysUnusable, output: "lacks the sealing key: its keys open nothing", talk: "each sealing key among them")
    }

    @Test func `names what is damaged in the store`() async throws {
        var bytes = try Data(contentsOf: URL(filePath: setUp.file("latchkeyd.sqlite")))
        // A page in the middle; the first, which says that it is a store, stays.
        for index in 3 * 4096..<4 * 4096 { bytes[index] = 0xA5 }
        try bytes.write(to: URL(filePath: setUp.file("latchkeyd.sqlite")))
        for command in [["check"], ["store", "check"]] {
            let run = try await setUp.run(command).expect(.stateProblem)
            #expect(run.output.hasPrefix("store.file: "), "\(run.output)")
        }
    }

    @Test func `looks at the store alone where the keys are elsewhere`() async throws {
        try FileManager.default.removeItem(atPath: setUp.file("keys"))
        let run = try await setUp.run("store", "check").expect(.success)
        #expect(run.output == "")
        #expect(run.talk == "The store is whole.\n")
        #expect(try await setUp.run("check").code == .configuration)
    }

    @Test func `is not needed to see a rotation of signing keys: the audit log has it`() async throws {
        #expect(try await setUp.run("keys", "signing", "rotate", "--use", "access-token").code == .success)
        let log = try await setUp.run("audit", "--json")
        #expect(log.output.contains(#""action":"signing-key.rotate""#))
        #expect(log.output.contains(#""subject":"use access-token""#))
    }
}
