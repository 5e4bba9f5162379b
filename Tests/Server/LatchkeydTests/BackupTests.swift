import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import HTTPClient
import POSIX
import Testing
import TestSupport
import latchkeyd

@Suite("latchkeyd backup and restore", .demo, .timeLimit(.minutes(5)))
struct BackupTests {
    private static let passphrase = "correct horse battery"

    private func isSignedIn(_ server: RunningServer, _ caller: SigningCaller) async throws -> Bool {
        let query = "requestor=DEMO-CLASSIC&deviceId=box"
        return try await caller.send(.get, server, path: "/api/v1/checkauthn.json", query: query).status == 200
    }

    private func program(_ arguments: String...) async throws -> (ChildProcess.End, output: String, talk: String) {
        let (end, output, talk) = try await ChildProcess(BuiltProgram.path, arguments).run()
        return (end, output, talk)
    }

    @Test func `bring a box back signed in elsewhere, from a backup that was made while the server ran`() async throws {
        let caller = try #require(
            try SigningCaller(json: try setUp.folder.read("server/demo-key-pair.json"), requestor: "DEMO-CLASSIC"))
        let server = try await RunningServer.start(setUp)
        try await setUp.signIn(
            "box", id: String(repeating: "a", count: 32), requestor: "DEMO-CLASSIC", at: SystemClock.now())
        try await eventually { try await self.isSignedIn(server, caller) }
        try setUp.folder.writeSecret(Self.passphrase + "\n", to: "passphrase")
        let (archive, passphrase) = (setUp.folder.file("backup"), setUp.folder.file("passphrase"))
        let made = try await self.program(
            "backup", "--config", setUp.configurationFile, "--passphrase-file", passphrase, archive)
        #expect(made.0 == .exited(0), "\(made.talk)")
        #expect(made.talk == "\(archive) is complete.\n")
        #expect(PrivateFiles.status(archive)?.modeText == "0700")
        // Nothing else is left beside it.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: setUp.folder.path).sorted()
                == ["backup", "passphrase", "server"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: archive).sorted() == [
                "keys.sealed", "latchkeyd.json5", "latchkeyd.sqlite", "latchkeyd.sqlite-lives", "manifest.json",
                "manifest.sha256",
            ])
        let sums = try await ChildProcess("sh", ["-c", "cd \(archive) && sha256sum -c manifest.sha256"]).run()
        #expect(sums.end == .exited(0), "\(sums.talk)")
        // What happens now the backup does not know.
        struct Pair: Decodable { let publicKey: String }
        let pair = try JSONDecoder().decode(
            Pair.self, from: Data(try setUp.folder.read("server/demo-key-pair.json").utf8))
        #expect(try await setUp.run("keys", "revoke", pair.publicKey).code == .success)
        #expect(await server.stop() == .exited(0))

        let other = TestSetUp(folder: try TemporaryFolder())
        let restored = try await self.program(
            "restore", "--folder", other.path, "--passphrase-file", passphrase, archive)
        #expect(restored.0 == .exited(0), "\(restored.talk)")
        #expect(restored.talk.contains(" back at /etc/latchkeyd/backup.passphrase: "), "\(restored.talk)")
        for line in [
            "  latchkeyd.json5\n", "  latchkeyd.sqlite\n", "  keys/master-secret\n", "  key pair \(pair.publicKey) of ",
            "  viewer demo of DemoTV\n", "  1 sign-in\n", " counts again; the backup ", "\nPasswords and channels are ",
        ] { #expect(restored.output.contains(line), "\(restored.output)") }
        for name in ["latchkeyd.json5", "latchkeyd.sqlite", "keys/master-secret", "keys/sealing-1.key"] {
            #expect(PrivateFiles.status(other.file(name))?.modeText == "0600")
        }
        #expect(PrivateFiles.status(other.file("keys"))?.modeText == "0700")
        #expect(try await other.run("check").code == .success)
        let second = try await RunningServer.start(other)
        #expect(try await self.isSignedIn(second, caller))
        #expect(await second.stop() == .exited(0))
    }

    @Test func `restore nothing with a wrong passphrase, into a folder in use, or from a damaged one`() async throws {
        try setUp.folder.writeSecret(Self.passphrase, to: "passphrase")
        try setUp.folder.writeSecret("a wrong passphrase", to: "wrong")
        try setUp.folder.writeSecret("short", to: "short")
        let archive = setUp.folder.file("backup")
        try await setUp.run("backup", "--passphrase-file", setUp.folder.file("short"), archive).expect(.invalidData)
        #expect(PrivateFiles.status(archive) == nil)
        try await setUp.run("backup", "--passphrase-file", setUp.folder.file("passphrase"), archive).expect(.success)
        let again = try await setUp.run("backup", "--passphrase-file", setUp.folder.file("passphrase"), archive)
        #expect(again.talk.hasPrefix("latchkeyd: \(archive) exists already.\n"))

        let target = setUp.folder.file("restored")
        // The passphrase comes before the files.
        try FileManager.default.removeItem(atPath: "\(archive)/latchkeyd.sqlite")
        let wrong = try await CommandRun.run(
            "restore", "--folder", target, "--passphrase-file", setUp.folder.file("wrong"), archive
        ).expect(.invalidData)
        #expect(wrong.talk.hasPrefix("latchkeyd: The passphrase does not open the keys"))
        try await CommandRun.run("restore", "--folder", target, setUp.folder.path).expect(
            .invalidData, talk: "is no backup itself", "Take one of the folders in it, such as \(archive).")
        #expect(PrivateFiles.status(target) == nil)
        try await CommandRun.run(
            "restore", "--folder", setUp.path, "--passphrase-file", setUp.folder.file("passphrase"), archive
        ).expect(.stateProblem, talk: "is not empty.", "move aside what is in this one")
        let server = try await RunningServer.start(setUp)
        try await CommandRun.run("restore", "--folder", setUp.path, archive).expect(
            .stateProblem, talk: "a server uses its store.", "stop the server (systemctl stop latchkeyd)")
        #expect(await server.stop() == .exited(0))
        #expect(try await setUp.run("check").code == .success)
    }

    @Test("restore nothing from a backup with one byte changed or missing, wherever that is, or with a link in it")
    func mutations() async throws {
        #expect(try await setUp.run("requestor", "add", "NORTHSPORT", "--provider", "DemoTV").code == .success)
        let backup = setUp.folder.file("backup")
        #expect(try await setUp.run("backup", "--without-keys", backup).code == .success)
        let target = setUp.folder.file("restored")
        func refuses(_ what: String, _ name: String) async throws {
            let run = try await CommandRun.run("restore", "--folder", target, backup)
            #expect(run.code == .invalidData, "\(what) \(name): \(run.talk)")
            let named = name == "manifest.sha256" ? ": manifest." : ": \(name) is missing or was changed.\n"
            #expect(run.talk.contains(named), "\(what) \(name): \(run.talk)")
            #expect(PrivateFiles.status(target) == nil, "\(what) \(name)")
        }
        var generator = SeededGenerator(seed: 7)
        for name in [
            "latchkeyd.json5", "latchkeyd.d/requestors/NORTHSPORT.json5", "latchkeyd.sqlite", "manifest.json",
            "manifest.sha256",
        ] {
            let file = URL(filePath: "\(backup)/\(name)")
            let whole = try Data(contentsOf: file)
            for _ in 0..<8 {
                var bytes = whole
                let place = Int.random(in: 0..<whole.count, using: &generator)
                bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
                try bytes.write(to: file)
                try await refuses("byte \(place) of", name)
            }
            try whole.dropLast().write(to: file)
            try await refuses("the end of", name)
            try FileManager.default.removeItem(at: file)
            try await refuses("no", name)
            try whole.write(to: URL(filePath: setUp.folder.file("aside")))
            try FileManager.default.createSymbolicLink(
                at: file, withDestinationURL: URL(filePath: setUp.folder.file("aside")))
            try await refuses("a link", name)
            try FileManager.default.removeItem(at: file)
            try whole.write(to: file)
        }
        #expect(try await CommandRun.run("restore", "--folder", target, backup).code == .success)
        let restored = try ConfigurationFile(path: "\(target)/latchkeyd.json5").read()
        #expect(restored.catalogue.requestors.map(\.id.text) == ["DEMO", "DEMO-CLASSIC", "NORTHSPORT"])
    }

    @Test("leave nothing when a file is missing, and touch nothing of what another one makes")
    func whole() async throws {
        let backup = setUp.folder.file("backup")
        try FileManager.default.createDirectory(atPath: "\(backup).new/other", withIntermediateDirectories: true)
        let refused = try await setUp.run("backup", "--without-keys", backup).expect(.stateProblem)
        #expect(refused.talk.contains("backup.new exists already"), "\(refused.talk)")
        #expect(PrivateFiles.status("\(backup).new/other") != nil)
        try FileManager.default.removeItem(atPath: "\(backup).new")
        let text = try setUp.folder.read("server/latchkeyd.json5")
        try setUp.replace("http://", with: "https://")
        for setting in [#"certificate: "tls/chain.pem""#, #"certificateKey: "tls/key.pem""#] {
            try setUp.replace("// \(setting)", with: setting)
        }
        try await setUp.run("backup", "--without-keys", backup).expect(.stateProblem)
        for path in [backup, "\(backup).new"] { #expect(PrivateFiles.status(path) == nil, "\(path)") }
        try setUp.folder.write(text, to: "server/latchkeyd.json5")
        #expect(try await setUp.run("backup", "--without-keys", backup).code == .success)
    }

    @Test func `seal the secrets of TV providers, and want a passphrase that is the user's alone`() async throws {
        let secret = try setUp.folder.write("hush-hush-42\n", to: "server/island.secret")
        let passphrase = try setUp.folder.write(Self.passphrase, to: "passphrase")
        let backup = setUp.folder.file("backup")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        try await setUp.run(
            "provider", "add", "IslandTV", "--kind", "oidc", "--issuer", "https://idp.example", "--client-id",
            "latchkey", "--client-secret", "island.secret", "--line-up-claim", "channels"
        ).expect(.success)
        // Another setting, which holds no secrets, may name the same file in another way.
        let link = setUp.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret)
        try setUp.replace(
            "newBox: {",
            with: "newBox: { address: 'https://a.example', token: 'island.secret', authorities: '\(link)',")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: passphrase)
        let open = try await setUp.run("backup", "--passphrase-file", passphrase, backup).expect(.keysUnusable)
        #expect(open.talk.contains("has mode 0644, open to others"), "\(open.talk)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passphrase)
        #expect(try await setUp.run("backup", "--passphrase-file", passphrase, backup).code == .success)
        #expect(try await ChildProcess("grep", ["-r", "hush-hush-42", backup]).run().end == .exited(1))
        let target = setUp.folder.file("restored")
        try await CommandRun.run("restore", "--folder", target, "--passphrase-file", passphrase, backup).expect(
            .success)
        #expect(try setUp.folder.read("restored/island.secret") == "hush-hush-42\n")
        #expect(PrivateFiles.status("\(target)/island.secret")?.modeText == "0600")
    }

    @Test func `leave the keys out on request, and say so when they are missed`() async throws {
        let archive = setUp.folder.file("backup")
        // A shell ends a folder's name with a slash.
        try await setUp.run("backup", "--without-keys", archive + "/").expect(.success, talk: "\(archive) is complete.")
        let other = TestSetUp(folder: try TemporaryFolder())
        let run = try await CommandRun.run("restore", "--folder", other.path, archive).expect(.success)
        #expect(!run.talk.contains("backup.passphrase"), "\(run.talk)")
        #expect(run.output.contains("The keys are not there. Put yours at \(other.file("keys")) before you start it"))
        #expect(PrivateFiles.status(other.file("keys")) == nil)
        try FileManager.default.moveItem(atPath: setUp.file("keys"), toPath: other.file("keys"))
        #expect(try await other.run("check").code == .success)
        try FileManager.default.removeItem(atPath: other.file("keys/sealing-1.key"))
        try await other.run("backup", "--without-keys", setUp.folder.file("keyless")).expect(
            .success, talk: "has no sealing-1.key.", "nothing of this backup can be used")
        // Before a passphrase is asked for or the store is looked at.
        try setUp.replace(
            "// file: \"latchkeyd.sqlite\"", with: "kind: \"postgres\", connection: \"host=127.0.0.1 port=1\"")
        try await setUp.run("backup", setUp.folder.file("shared")).expect(.stateProblem, talk: "is no file of this ")
    }

    @Test func `say where what the configuration has outside its folder belongs`() async throws {
        let store = setUp.folder.file("elsewhere.sqlite")
        try FileManager.default.moveItem(atPath: setUp.file("latchkeyd.sqlite"), toPath: store)
        try setUp.replace("// file: \"latchkeyd.sqlite\"", with: "file: \"\(store)\"")
        let archive = setUp.folder.file("backup")
        #expect(try await setUp.run("backup", "--without-keys", archive).code == .success)
        #expect(try await setUp.run("user", "remove", "demo").code == .success)
        let other = TestSetUp(folder: try TemporaryFolder())
        let run = try await CommandRun.run(
            "restore", "--folder", other.path, "--revoked", "\(store)-revoked", archive
        ).expect(.success)
        let restored = other.file("elsewhere/1-elsewhere.sqlite")
        for ending in ["", "-revoked"] {
            #expect(run.output.contains("  \(restored)\(ending) -> \(store)\(ending)\n"), "\(run.output)")
            #expect(PrivateFiles.status(restored + ending)?.modeText == "0600")
        }
        #expect(run.output.contains("move them aside first; copy over none of them:\n  \(store)\n"), "\(run.output)")
        // When the store alone is lost, its copy in the backup takes its place.
        try FileManager.default.removeItem(atPath: store)
        let lost = try await setUp.run("check")
        let copy = "elsewhere/1-elsewhere.sqlite"
        let advice = " copy \(copy) from the folder of the newest backup to \(store), "
        #expect(lost.output.contains(advice), "\(lost.output)")
        try FileManager.default.copyItem(atPath: "\(archive)/\(copy)", toPath: store)
        #expect(try await setUp.run("check").code == .success)
    }

    @Test func `keep what a link leads to, and say where a key has its place`() async throws {
        let contents = ["fullchain.pem": String(repeating: "chain\n", count: 500), "privkey.pem": "the key\n"]
        for (name, content) in contents {
            try setUp.folder.write(content, to: "archive-\(name)")
            try FileManager.default.createSymbolicLink(
                atPath: setUp.folder.file(name), withDestinationPath: "archive-\(name)")
        }
        try setUp.replace("http://", with: "https://")
        try setUp.replace(
            "server: {",
            with: """
                server: {
                  certificate: "\(setUp.folder.file("fullchain.pem"))",
                  certificateKey: "\(setUp.folder.file("privkey.pem"))",
                """, maxReplacements: 1)
        try setUp.folder.writeSecret(Self.passphrase, to: "passphrase")
        let (archive, passphrase) = (setUp.folder.file("backup"), setUp.folder.file("passphrase"))
        try await setUp.run("backup", "--passphrase-file", passphrase, archive).expect(.success)
        let other = TestSetUp(folder: try TemporaryFolder())
        let run = try await CommandRun.run("restore", "--folder", other.path, "--passphrase-file", passphrase, archive)
            .expect(.success)
        for (name, content) in contents {
            let line = try #require(
                run.output.split(separator: "\n").first { $0.hasSuffix(" -> \(setUp.folder.file(name))") },
                "\(run.output)")
            let restored = String(try #require(line.split(separator: " ").first))
            #expect(try String(contentsOf: URL(filePath: restored), encoding: .utf8) == content)
        }
    }
}

extension TemporaryFolder {
    func writeSecret(_ text: String, to name: String) throws {
        let file = try self.write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
}
