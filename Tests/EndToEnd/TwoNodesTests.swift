import FoundationEssentials
import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

@Suite("Two real servers on one PostgreSQL", .serialized, .timeLimit(.minutes(5)))
struct TwoNodesTests {
    private static let requestor = DemoFolder.compatibleRequestor

    @Test("A poll held at one is answered when the viewer confirms at the other, and either goes on alone")
    func acrossNodes() async throws {
        try await TwoNodes.with { one, other, _ in
            try await one.pairBox(confirmingAt: other)
            // Killed, one takes nothing along.
            let second = try await one.createCode(device: "second")
            await one.server.kill()
            #expect(try await other.look("box") == 200)
            try await other.confirm(second)
            #expect(try await other.look("second") == 200)
        }
    }

    @Test("Both go on by themselves when PostgreSQL ended all connections, and hear of each other again")
    func disconnected() async throws {
        try await TwoNodes.with { one, other, database in
            let code = try await one.createCode(device: "box")
            async let looks = one.wait(for: code)
            try await one.server.waitUntilHeld(1)
            try await PostgresServer.shared.run([
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'"
            ])
            try await other.confirm(code)
            // Each answer told of a step of the viewer, and none of them came by looking again and again.
            #expect(try await looks < 9)
            #expect(try await other.server.get("/readyz").status == 200)
        }
    }

    @Test(
        "One whose clock jumps by a day refuses every call, also a poll it held, until it is right; the other one goes on"
    )
    func clock() async throws {
        let folder = try TemporaryFolder()
        let clock = try ServerClock(file: folder.file("clock"))
        try await TwoNodes.with(clock: clock) { one, other, _ in
            let code = try await one.createCode(device: "box")
            let path = "/api/v1/checkauthn/\(code)?requestor=\(Self.requestor)"
            async let poll = other.call(.get, path, headers: ["Prefer": "wait=50"])
            try await other.server.waitUntilHeld(1)
            for day in [86_400_000, -86_400_000] as [Int64] {
                try clock.set(aheadBy: day)
                for call in ["/api/v1/checkauthn?requestor=\(Self.requestor)&deviceId=box", path] {
                    let refusal = try await other.call(.get, call)
                    #expect(refusal.status == 503)
                    #expect(refusal.headers["Retry-After"] != nil)
                }
                let page = try await other.server.get("/activate?code=\(code)")
                #expect(page.status == 503)
                #expect(page.headers["Retry-After"] != nil)
                #expect(try await other.server.get("/readyz").status == 503)
                #expect(try await other.server.get("/healthz").status == 200)
            }
            try await one.confirm(code)
            #expect(try await poll.status == 503)
            try clock.set(aheadBy: 0)
            #expect(try await other.look("box") == 200)
            #expect(try await other.server.get("/readyz").status == 200)
        }
    }

    @Test func `What they keep moves back to a file, and not while one of them serves`() async throws {
        try await TwoNodes.with { one, other, _ in
            let code = try await one.createCode(device: "box")
            try await other.confirm(code)
            let open = try await other.createCode(device: "open")
            let rotate = ["keys", "rotate-seal", "--config", one.demo.serverConfiguration]
            let unsealed = try await ChildProcess(ProgramFolder.own.server, rotate).run()
            #expect(unsealed.talk.contains("2 servers share the store"), "\(unsealed.talk)")
            // Two files of one name would hold two keys.
            for _ in 0..<2 {
                let made = try await ChildProcess(ProgramFolder.own.server, rotate + ["--key-only"]).run()
                #expect(made.end == .exited(0), "\(made.talk)")
            }
            let again = ["keys", "rotate-seal", "--key-only", "--config", other.demo.serverConfiguration]
            let second = try await ChildProcess(ProgramFolder.own.server, again).run()
            #expect(second.end == .exited(72) && second.talk.contains("lacks the newest sealing key"), "\(second.talk)")
            let key = "keys/sealing-3.key"
            try FileManager.default.copyItem(atPath: "\(one.demo.path)/\(key)", toPath: "\(other.demo.path)/\(key)")
            let third = try await ChildProcess(ProgramFolder.own.server, again).run()
            #expect(third.end == .exited(0), "\(third.talk)")
            try one.demo.configure { $0["store"]?["file"] = "back.sqlite" }
            await one.server.stop()
            let refusal = try await one.demo.copyStore(from: "postgres", to: "sqlite")
            #expect(refusal.end != .exited(0))
            #expect(refusal.talk.contains("is in use by a server"), "\(refusal.talk)")
            #expect(!FileManager.default.fileExists(atPath: "\(one.demo.path)/back.sqlite"))
            await other.server.stop()
            let moved = try await one.demo.copyStore(from: "postgres", to: "sqlite")
            #expect(moved.end == .exited(0), "\(moved.talk)")
            let words = ["check", "--offline", "--config", other.demo.serverConfiguration]
            let left = try await ChildProcess(ProgramFolder.own.server, words).run()
            #expect(left.end == .exited(78))
            let file = "\(one.demo.path)/back.sqlite"
            #expect(left.talk.contains("The store was copied to the file \(file) at "), "\(left.talk)")
            try one.demo.configure { $0["store"]?["kind"] = "sqlite" }
            let server = try await RunningServer.start(one.demo, .own)
            let alone = Pair(folder: one.folder, demo: one.demo, server: server)
            #expect(try await alone.look("box") == 200)
            try await alone.confirm(open)
            #expect(try await alone.look("open") == 200)
            try other.demo.configure { $0["store"]?["file"] = .text(file) }
            let back = ["store", "take-back", "--yes", "--config", other.demo.serverConfiguration]
            let forgotten = try await ChildProcess(ProgramFolder.own.server, back).run()
            #expect(forgotten.talk.contains("a server uses that copy"), "\(forgotten.talk)")
            await server.stop()
        }
    }
}
