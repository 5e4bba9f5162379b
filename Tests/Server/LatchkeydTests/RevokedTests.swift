import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import Glibc
import POSIX
import TestSupport
import Testing
import latchkeyd

@Suite("What operators ended", .demo, .timeLimit(.minutes(5)))
struct RevokedTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private struct Pair: Decodable { let publicKey: String }
    private struct Application: Decodable { let softwareID: String }

    private func credentials(_ setUp: TestSetUp) throws -> (key: String, application: String) {
        let pair = try JSONDecoder().decode(
            Pair.self, from: Data(try setUp.folder.read("server/demo-key-pair.json").utf8))
        let application = try JSONDecoder().decode(
            Application.self, from: Data(try setUp.folder.read("server/demo-application.json").utf8))
        return (pair.publicKey, application.softwareID)
    }

    private func run(_ arguments: String...) async throws {
        try await setUp.run(arguments, now: Self.now + .seconds(60)).expect(.success)
    }

    /// What still counts: key pair, application, viewer, and the number of sign-ins.
    private func standing(_ setUp: TestSetUp) async throws -> [String] {
        let (key, application) = try self.credentials(setUp)
        return try await setUp.store { store in
            let (pairs, applications) = try await store.credentials()
            var standing: [String] = []
            if pairs.contains(where: { $0.publicKey == key && $0.ends == nil }) { standing.append("key") }
            if applications.contains(where: { $0.softwareID == application && $0.ends == nil }) {
                standing.append("application")
            }
            if try await !store.accounts().isEmpty { standing.append("viewer") }
            return standing + ["\(try await store.authentications(.all, after: nil, limit: 10).count)"]
        }
    }

    /// The names of the set-up codes that are good.
    private func setUpCodes(_ setUp: TestSetUp) async throws -> [String] {
        try await setUp.store { try await $0.setUpCodes(at: Self.now).map(\.name) }
    }

    /// Makes a demo with two boxes signed in, puts a copy aside, and ends everything; a copy of the store alone then
    /// takes its place.
    private func endedSetUp(archive: String) async throws -> TestSetUp {
        for box in ["a", "b"] {
            try await setUp.signIn(box, id: String(repeating: box, count: 32), at: Self.now)
        }
        try await self.run("keys", "issue", "--setup-code", "--requestor", "DEMO")
        let code = try #require(try await self.setUpCodes(setUp).first)
        let target = setUp.folder.file(archive)
        try await self.run("backup", archive == "copy" ? "--store-only" : "--without-keys", target)
        let (key, application) = try self.credentials(setUp)
        // A pipe that another program puts in the place of the list holds no command up.
        try #require(unsafe mkfifo(setUp.file("latchkeyd.sqlite-revoked"), 0o600) == 0)
        try await self.run("keys", "revoke", key)
        try await self.run("keys", "application", "revoke", application)
        try await self.run("keys", "setup-code", "revoke", code)
        try await self.run("boxes", "sign-out", "--device", "a")
        try await self.run("user", "remove", "demo")
        #expect(try await self.standing(setUp) == ["0"])
        #expect(PrivateFiles.status(setUp.file("latchkeyd.sqlite-revoked"))?.modeText == "0600")
        guard archive == "copy" else { return setUp }
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: setUp.file("latchkeyd.sqlite" + ending))
        }
        try FileManager.default.copyItem(atPath: setUp.folder.file("copy"), toPath: setUp.file("latchkeyd.sqlite"))
        return setUp
    }

    @Test func `stays ended in a store that is restored elsewhere with their list, which is shown`() async throws {
        let setUp = try await self.endedSetUp(archive: "backup")
        let (key, application) = try self.credentials(setUp)
        let other = TestSetUp(folder: try TemporaryFolder())
        let restored = try await CommandRun.run(
            "restore", "--folder", other.path, "--revoked", setUp.file("latchkeyd.sqlite-revoked"),
            setUp.folder.file("backup"), now: Self.now + .seconds(120)
        ).expect(.success)
        for line in [
            "  latchkeyd.sqlite-revoked\n", "Ended again, as it was before:\n",
            "  key pair \(key), 2027-01-15T08:01:00Z\n",
            "  application \(application), 2027-01-15T08:01:00Z\n", "  set-up code ",
            "  a viewer of DemoTV, 2027-01-15T08:01:00Z\n", "  1 sign-in of one box, ",
            "  1 sign-in of one selection, ", " and is not in the list counts again",
            "  0 sign-ins\n",
        ] { #expect(restored.output.contains(line), "\(line) in \(restored.output)") }
        for name in ["demo-key-pair.json", "demo-application.json"] {
            try FileManager.default.copyItem(atPath: setUp.file(name), toPath: other.file(name))
        }
        #expect(try await self.standing(other) == ["0"])
        #expect(try await self.setUpCodes(other).isEmpty)
        // It is there for the next time, too.
        #expect(PrivateFiles.status(other.file("latchkeyd.sqlite-revoked")) != nil)
    }

    @Test("stays ended when an older copy takes the place of the store, from the start of the server on")
    func inPlace() async throws {
        let setUp = try await self.endedSetUp(archive: "copy")
        #expect(try await self.standing(setUp) == ["key", "application", "viewer", "2"])
        // One that was made after the endings is not meant by them.
        try await setUp.signIn("a", id: String(repeating: "c", count: 32), at: Self.now + .seconds(3600))
        let server = try await RunningServer.start(setUp)
        #expect(await server.stop() == .exited(0))
        #expect(try await self.standing(setUp) == ["1"])
    }

    @Test func `stays ended as far as the list can be read, and the server says which lines cannot`() async throws {
        let setUp = try await self.endedSetUp(archive: "copy")
        let list = try setUp.folder.read("server/latchkeyd.sqlite-revoked")
        let damaged = #"{"subject":"hidden"}"# + "\n\n" + list + "torn"
        _ = try setUp.folder.write(damaged, to: "server/latchkeyd.sqlite-revoked")
        let server = try await RunningServer.start(setUp)
        #expect(await server.stop() == .exited(0))
        let talk = server.startLog.joined(separator: "\n")
        let lines = list.split(separator: "\n").count
        #expect(talk.contains("2 in \(setUp.file("latchkeyd.sqlite-revoked")): 1, \(lines + 3)"), "\(talk)")
        #expect(!talk.contains("hidden") && !talk.contains("torn"))
        #expect(try await self.standing(setUp) == ["0"])
    }

    @Test func `counts again without the list, which the restored inventory says how to find`() async throws {
        let setUp = try await self.endedSetUp(archive: "backup")
        let other = TestSetUp(folder: try TemporaryFolder())
        let missing = try await CommandRun.run(
            "restore", "--folder", other.path, "--revoked", setUp.file("other"), setUp.folder.file("backup"))
        #expect(missing.code != .success)
        #expect(PrivateFiles.status(other.path) == nil)
        let restored = try await CommandRun.run(
            "restore", "--folder", other.path, setUp.folder.file("backup"), now: Self.now + .seconds(120))
        let code = try #require(try await self.setUpCodes(other).first)
        #expect(restored.output.contains("  set-up code \(code) for requestor DEMO\n"))
        #expect(restored.output.contains("'keys setup-code revoke'"))
        #expect(restored.output.contains("  2 sign-ins\n"))
        #expect(restored.output.contains("with -revoked behind the store's name: see --revoked."))
    }

    @Test func `is not taken from a list with a line that cannot be read`() async throws {
        let setUp = try await self.endedSetUp(archive: "backup")
        let list = try setUp.folder.read("server/latchkeyd.sqlite-revoked")
        for line in [
            "x", #"{"subject":{"everything":{}},"time":1}"#, #"{"subject":{"signIns":{"_0":{"mvpd":"a/b"}}},"time":1}"#,
            #"{"subject":{"signIns":{"_0":{"mvpd":"a","other":1}}},"time":1}"#,
        ] {
            let file = try setUp.folder.write(list + line + "\n", to: "list")
            try await CommandRun.run(
                "restore", "--folder", setUp.folder.file("other"), "--revoked", file,
                setUp.folder.file("backup")
            ).expect(.invalidData)
            #expect(PrivateFiles.status(setUp.folder.file("other")) == nil)
        }
    }
}
