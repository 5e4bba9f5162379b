import HTTPServer
import Lifecycle
import Observability
import TestSupport
import Testing

@Suite("A server that stops", .timeLimit(.minutes(5)))
struct StoppingTests {
    @Test("lets the owners of held replies answer first, then answers the rest with 503", .heldReplies())
    func held() async throws {
        let owned = try server.connect()
        try await owned.send(HeldReplyTests.request)
        let reply = try await server.held.nextHeld()
        let orphan = try server.connect()
        try await orphan.send(HeldReplyTests.request)
        _ = try await server.held.nextHeld()
        server.server.onStopping { reply.complete(.text("pending")) }
        server.stop.give()
        #expect(try await owned.answer().body == "pending")
        let answer = try await orphan.answer()
        #expect(answer.status == 503)
        #expect(answer["X-Id"] != nil)
        #expect(throws: RawClient.Failure.self) { try server.connect() }
    }

    @Test("sends an answer that was there before its request could be held", arguments: [false, true])
    func completedBeforeHeld(isSecure: Bool) async throws {
        let (inbox, entered) = (Inbox<HeldReply>(), Inbox<Void>())
        let gate = Gate()
        var router = HeldReplyTests.router(inbox)
        router.on(.get, path: "/busy", name: "busy") { _ in
            let reply = HeldReply()
            reply.complete(.text("pending"))
            entered.put(())
            gate.wait()
            return .held(reply)
        }
        let (folder, otherFolder) = (try TemporaryFolder(), try TemporaryFolder())
        let tls = isSecure ? try await SecureClient.makeCertificate(folder) : nil
        try await TestServer.with(router, configure: { $0.tls = tls }) { server in
            func fetch(_ path: String, _ folder: TemporaryFolder) async throws -> String {
                if isSecure { return try await SecureClient.fetch(path, server, folder) }
                let client = try server.connect()
                try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                return String(decoding: try await client.rest(), as: UTF8.self)
            }
            async let orphan = fetch("/held", folder)
            _ = try await inbox.nextHeld()
            async let answer = fetch("/busy", otherFolder)
            try await entered.next()
            server.stop.give()
            // The server has answered what is held, and holds nothing more.
            #expect(try await orphan.hasPrefix("HTTP/1.1 503 "))
            gate.open()
            #expect(try await answer.hasSuffix("pending"))
        }
    }

    @Test func `finishes what is in flight`() async throws {
        let started = Inbox<Void>()
        let release = StopSignal()
        var router = Router()
        router.on(.get, path: "/slow", name: "slow") { _ in
            .later {
                started.put(())
                await release.wait()
                return .text("done")
            }
        }
        try await TestServer.with(router) { server in
            let client = try server.connect()
            try await client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            try await started.next()
            // Runs after the server has stopped accepting.
            server.server.onStopping { release.give() }
            server.stop.give()
            let answer = try await client.answer()
            #expect(answer.body == "done")
            #expect(answer["Connection"] == "close")
        }
    }

    @Test func `cuts off, with 503, what does not finish in time`() async throws {
        let started = Inbox<Void>()
        let ended = Inbox<Bool>()
        var router = Router()
        router.on(.get, path: "/endless", name: "endless") { _ in
            .later {
                started.put(())
                await StopSignal().wait()
                ended.put(Task.isCancelled)
                return .text("never")
            }
        }
        try await TestServer.with(router, configure: { $0.stopTimeout = .milliseconds(200) }) { server in
            let client = try server.connect()
            try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
            try await started.next()
            server.stop.give()
            // The connection ends; whether the 503 goes out before is a race that the client must bear.
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 503 "))
            #expect(try await ended.next())
        }
    }

    @Test(.server(ServingTests.router) { $0.stopTimeout = .seconds(60) })
    func `does not wait for connections that are merely open`() async throws {
        let client = try server.connect()
        _ = try await client.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        server.stop.give()
        #expect(try await client.rest().isEmpty)
    }

    @Test(.server(LimitTests.router) { $0.stopTimeout = .seconds(600) })
    func `does not wait for requests that are not complete`() async throws {
        let client = try server.connect()
        try await client.send("POST /size HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
        // The interim answer tells that the server waits for the body. It is no answer, so it is looked for as bytes.
        try await client.untilReceived("HTTP/1.1 100 Continue\r\n\r\n")
        try await client.send("12345")
        server.stop.give()
        _ = try await client.rest()
    }

    @Test func `stops at once when its task is cancelled`() async throws {
        let inbox = Inbox<HeldReply>()
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)]),
            router: HeldReplyTests.router(inbox), logger: .silent, metrics: .init())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let client = try RawClient(try await server.boundAddresses[0])
            try await client.send(HeldReplyTests.request)
            _ = try await inbox.nextHeld()
            group.cancelAll()
            #expect(try await client.answer().status == 503)
        }
    }

    @Test func `reads malformed heads to the end, when they have come while its thread was busy`() async throws {
        let started = Inbox<Void>()
        let cutOff = Inbox<Void>()
        let gate = Gate()
        var router = HeadTests.router
        router.on(.get, path: "/busy", name: "busy") { _ in
            started.put(())
            gate.wait()
            return .now(.text("done"))
        }
        let logger = Logger(
            component: "test", sink: LogSink { line in if line.contains("cut off") { cutOff.put(()) } })
        let configure: (inout HTTPServerConfiguration) -> Void = {
            $0.threads = 1
            $0.stopTimeout = .milliseconds(50)
        }
        try await TestServer.with(router, logger: logger, configure: configure) { server in
            let clients = try (0..<50).map { _ in try server.connect() }
            for client in clients { try await client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: x") }
            // The second request comes before the heads' ends while the first keeps the thread busy: then the thread finds
            // all of them at once, and the heads after the request with which it is busy while the server stops.
            let busy = [try server.connect(), try server.connect()]
            for client in busy {
                #expect(try await client.answer(to: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
            }
            try await busy[0].send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
            try await started.next()
            try await busy[1].send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
            for client in clients { try await client.send("\r\n\r\n") }
            gate.open()
            try await started.next()
            server.stop.give()
            try await cutOff.next()
            gate.open()
            for client in clients {
                let text = String(decoding: try await client.rest(), as: UTF8.self)
                #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400 "))
            }
        }
    }
}
