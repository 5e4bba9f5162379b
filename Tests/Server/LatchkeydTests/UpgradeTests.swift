import CommandLineTool
import FoundationEssentials
import Glibc
import HTTPClient
import Testing
import TestSupport
import latchkeyd

@Suite("An upgrade from the previous release", .demo, .timeLimit(.minutes(5)))
struct UpgradeTests {
    /// The configuration as the previous release wrote it for its demo, cut to what it set.
    private static let configuration = """
        {
            server: { publicURL: "http://127.0.0.1:18443", listen: ["127.0.0.1:18443"] },
            store: { file: "latchkeyd.sqlite" },
            keys: { folder: "keys" },
            calls: { issuer: "127.0.0.1" },
            providers: [{ id: "DemoTV", name: "Demo TV" }, { id: "CableNova", name: "Cable Nova" }],
            requestors: [
                {
                    id: "DEMO-CLASSIC", name: "Demo Classic", strictness: "compatible",
                    integrations: [{ provider: "DemoTV" }, { provider: "CableNova" }],
                },
            ],
        }
        """

    /// A set-up as the previous release left it: its store, its configuration, and keys without a word about when they
    /// were made.
    private func oldSetUp() async throws -> TestSetUp {
        try setUp.folder.write(Self.configuration, to: "server/latchkeyd.json5")
        try OldStore.put(in: setUp)
        // Sealed by no key of this folder; a server refuses a store all of whose key pairs are foreign.
        try OldStore.removeKeyPairs(from: setUp.file("latchkeyd.sqlite"))
        for name in try FileManager.default.contentsOfDirectory(atPath: setUp.file("keys")) {
            let file = "server/keys/\(name)"
            let text = try setUp.folder.read(file)
            guard text.hasPrefix("latchkeyd-made:"), let end = text.firstIndex(of: "\n") else { continue }
            try FileManager.default.removeItem(atPath: setUp.file("keys/\(name)"))
            try PrivateFiles.create(setUp.file("keys/\(name)"), Data(text[text.index(after: end)...].utf8))
        }
        return setUp
    }

    @Test func `serves with the old files, holds polls, and goes back to the copy`() async throws {
        let setUp = try await self.oldSetUp()
        let (file, copy) = (setUp.file("latchkeyd.sqlite"), setUp.file("latchkeyd.sqlite.schema1"))
        let before = try OldStore.rows(of: file)
        let server = try await RunningServer.start(setUp)
        #expect(try OldStore.rows(of: copy) == before)

        let issued = try await setUp.run("keys", "issue", "--requestor", "DEMO-CLASSIC", "--json").expect(.success)
        let caller = try #require(try SigningCaller(json: issued.output, requestor: "DEMO-CLASSIC"))
        var created: HTTPClient.Response?
        try await eventually {
            created = try await caller.send(
                .post, server, path: "/reggie/v1/DEMO-CLASSIC/regcode.json", query: "deviceId=box")
            return created?.status == 201
        }
        let held = try await server.holdPoll(for: #require(created))
        // The viewers of the old release are there.
        #expect(try await setUp.run("user", "list").output.contains("anna"))
        #expect(await server.stop() == .exited(0))
        #expect(try await held.value.status == 403)
        #expect(try await setUp.run("check").code == .success)

        // An older program finds the number of a schema that it does not know.
        try OldStore.setSchema(9999, of: file)
        let refused = try await setUp.run("user", "list")
        #expect(refused.talk.contains(" that the upgrade kept: \(file).schemaN, "), "\(refused.talk)")
        // Back: the copy takes the store's place, and is what the older program knows.
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
        try FileManager.default.moveItem(atPath: copy, toPath: file)
        #expect(try OldStore.schema(of: file) == 1)
        #expect(try OldStore.rows(of: file) == before)
        // And forth again.
        #expect(try await setUp.run("migrate").code == .success)
        #expect(try await setUp.run("user", "list").output.contains("anna"))
    }
}
