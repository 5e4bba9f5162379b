import FoundationEssentials
import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

@Suite("Two real servers on one PostgreSQL", .serialized, .timeLimit(.minutes(5)))
struct TwoNodesTests {
    private static let requestor = DemoFolder.compatibleRequestor

    /// Moves a demo to PostgreSQL and lends `body` two nodes that serve it.
    func withNodes(
        configuring change: (inout JSON) throws -> Void = { _ in },
        _ body: (_ one: Pair, _ other: Pair, _ database: String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let database = try await PostgresServer.shared.makeDatabase()
        let connection = try await PostgresServer.shared.connection(database, as: PostgresServer.server)
        let owner = try await PostgresServer.shared.connection(database, as: PostgresServer.owner)
        let demo = try await DemoFolder.make(.own, in: folder.file("one")) { settings in
            settings["store"]?["connection"] = .text(connection)
            settings["store"]?["migrationConnection"] = .text(owner)
            try change(&settings)
        }
        let moved = try await self.copy(from: "sqlite", to: "postgres", demo)
        #expect(moved.end == .exited(0), "\(moved.talk)")
        try demo.configure { $0["store"]?["kind"] = "postgres" }
        let second = try await demo.copy(to: folder.file("other"))
        let servers = [
            try await RunningServer.start(demo, .own), try await RunningServer.start(second, .own),
        ]
        do {
            try await body(
                Pair(folder: folder, demo: demo, server: servers[0]),
                Pair(folder: folder, demo: second, server: servers[1]), database)
        } catch {
            for server in servers { await server.kill() }
            throw error
        }
        for server in servers { await server.stop() }
        await PostgresServer.shared.giveBack(database)
    }

    private func copy(
        from source: String, to target: String, _ demo: DemoFolder
    ) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        let words = ["store", "copy", "--from", source, "--to", target, "--config", demo.serverConfiguration]
        return try await ChildProcess(ProgramFolder.own.server, words).run()
    }

    private func look(_ node: Pair, _ device: String) async throws -> Int {
        let query = "requestor=\(Self.requestor)&deviceId=\(device)"
        return try await node.call(.get, "/api/v1/checkauthn?\(query)").status
    }

    /// Waits as a box does: a poll is held until the code is something else, and the next one follows it.
    /// - Returns: how many polls it took until the box was signed in.
    private func wait(for code: String, at node: Pair) async throws -> Int {
        let path = "/api/v1/checkauthn/\(code)?requestor=\(Self.requestor)"
        for look in 1..<20 {
            let status = try await node.call(.get, path, headers: ["Prefer": "wait=50"]).status
            if status == 200 { return look }
            guard status == 403 else { throw GaveUp(description: "poll \(look) was answered with \(status)") }
        }
        throw GaveUp(description: "twenty polls, and the box is not signed in")
    }

    private func confirm(_ code: String, at node: Pair) async throws {
        try await node.decide(
            .confirm, on: RunningBox.Code(text: code, url: "\(node.server.url)/activate?code=\(code)"))
    }

    @Test("A poll held at one is answered when the viewer confirms at the other, and either goes on alone")
    func acrossNodes() async throws {
        try await self.withNodes { one, other, _ in
            let code = try await one.createCode(device: "box")
            #expect(try await self.look(one, "box") == 403)
            #expect(try await self.look(other, "box") == 403)
            async let looks = self.wait(for: code, at: one)
            try await one.server.waitUntilHeld(1)
            try await self.confirm(code, at: other)
            // Each answer told of a step of the viewer, and none of them came by looking again and again.
            #expect(try await looks < 9)
            #expect(try await self.look(other, "box") == 200)
            // Killed, one takes nothing along.
            let second = try await one.createCode(device: "second")
            await one.server.kill()
            #expect(try await self.look(other, "box") == 200)
            try await self.confirm(second, at: other)
            #expect(try await self.look(other, "second") == 200)
        }
    }

    @Test("Both go on by themselves when PostgreSQL ended all connections, and hear of each other again")
    func disconnected() async throws {
        try await self.withNodes { one, other, database in
            let code = try await one.createCode(device: "box")
            async let looks = self.wait(for: code, at: one)
            try await one.server.waitUntilHeld(1)
            try await PostgresServer.shared.run([
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'"
            ])
            try await self.confirm(code, at: other)
            // Each answer told of a step of the viewer, and none of them came by looking again and again.
            #expect(try await looks < 9)
            #expect(try await other.server.get("/readyz").status == 200)
        }
    }

    @Test("What they keep moves back to a file, and not while one of them serves")
    func movedBack() async throws {
        try await self.withNodes { one, other, _ in
            let code = try await one.createCode(device: "box")
            try await self.confirm(code, at: other)
            let open = try await other.createCode(device: "open")
            try one.demo.configure { $0["store"]?["file"] = "back.sqlite" }
            await one.server.stop()
            let refusal = try await self.copy(from: "postgres", to: "sqlite", one.demo)
            #expect(refusal.end != .exited(0))
            #expect(refusal.talk.contains("is in use by a server"), "\(refusal.talk)")
            await other.server.stop()
            let moved = try await self.copy(from: "postgres", to: "sqlite", one.demo)
            #expect(moved.end == .exited(0), "\(moved.talk)")
            try one.demo.configure { $0["store"]?["kind"] = "sqlite" }
            let server = try await RunningServer.start(one.demo, .own)
            let alone = Pair(folder: one.folder, demo: one.demo, server: server)
            #expect(try await self.look(alone, "box") == 200)
            try await self.confirm(open, at: alone)
            #expect(try await self.look(alone, "open") == 200)
            await server.stop()
        }
    }
}
