import CommandLineTool
import FoundationEssentials
import POSIX
import Testing
import TestSupport
import latchkeyd

@Suite("A store of the previous release", .demo, .timeLimit(.minutes(5)))
struct MigrateTests {
    @Test(arguments: [
        ["user", "list"], ["audit"], ["boxes", "show", "--device", "box"], ["keys", "list"], ["check"],
        ["backup", "--store-only", "/tmp/no-such-copy.sqlite"], ["sign-ins", "end", "--all"],
        ["keys", "rotate-seal", "--seal-only"],
    ])
    func `is changed by no command, which says what to do instead`(words: [String]) async throws {
        try OldStore.put(in: setUp)
        let before = try Data(contentsOf: URL(filePath: setUp.file("latchkeyd.sqlite")))
        try await setUp.run(words).expect(
            .stateProblem, talk: "The store \(setUp.file("latchkeyd.sqlite")) was written by an older latchkeyd",
            "'latchkeyd migrate'")
        #expect(try Data(contentsOf: URL(filePath: setUp.file("latchkeyd.sqlite"))) == before)
    }

    @Test func `is brought up to date by migrate, which keeps a copy that the older version can use`() async throws {
        try OldStore.put(in: setUp)
        let file = setUp.file("latchkeyd.sqlite")
        let run = try await setUp.run("migrate").expect(.success)
        #expect(run.talk == "The store \(file) is brought up to date. Schema 1, as it was, is in \(file).schema1.\n")
        #expect(try OldStore.schema(of: file) != 1)
        #expect(try OldStore.schema(of: "\(file).schema1") == 1)
        #expect(PrivateFiles.status("\(file).schema1")?.modeText == "0600")
        #expect(try await setUp.run("user", "list").output.contains("anna"))
        #expect(try await setUp.run("migrate").talk == "The store \(file) is up to date.\n")
        #expect(PrivateFiles.status("\(file).schema1.2") == nil)
    }

    @Test func `is brought up to date by serve, after a copy that serve names`() async throws {
        try OldStore.put(in: setUp)
        // The fixture's key pairs were sealed by no key; a server looks whether they are its own.
        try OldStore.removeKeyPairs(from: setUp.file("latchkeyd.sqlite"))
        let server = try await RunningServer.start(setUp)
        let said = server.startLog
        let copy = setUp.file("latchkeyd.sqlite.schema1")
        #expect(said.contains { $0.contains("brought up to date") && $0.contains(copy) }, "\(said)")
        #expect(try OldStore.schema(of: copy) == 1)
        #expect(await server.stop() == .exited(0))
    }

    @Test func `is not made where there is none`() async throws {
        try FileManager.default.removeItem(atPath: setUp.file("latchkeyd.sqlite"))
        #expect(try await setUp.run("migrate").code == .stateProblem)
        #expect(PrivateFiles.status(setUp.file("latchkeyd.sqlite")) == nil)
    }
}
