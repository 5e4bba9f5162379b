import Dispatch
import HTTPServer
import Testing

@Suite("A held reply", .heldReplies(), .timeLimit(.minutes(5)))
struct HeldReplyTests {
    private var inbox: Inbox<HeldReply> { server.held }

    /// `/held` hands its reply to the test.
    static func router(_ inbox: Inbox<HeldReply>, gone: Inbox<Void> = Inbox()) -> Router {
        var router = Router()
        let group = RouteGroup(decorate: { context, response in
            response = response.setting("X-Id", context.id.description).setting("X-Origin", context.origin ?? "-")
        })
        router.on(.get, path: "/held", name: "held", group: group) { _ in
            let reply = HeldReply(whenGone: { gone.put(()) })
            inbox.put(reply)
            return .held(reply)
        }
        router.on(.get, path: "/early", name: "early", group: group) { _ in
            let reply = HeldReply()
            reply.complete(.text("early"))
            return .held(reply)
        }
        router.on(.get, path: "/hello", name: "hello") { _ in .now(.text("hello")) }
        return router
    }

    static let request = "GET /held HTTP/1.1\r\nHost: a\r\nOrigin: https://o\r\n\r\n"

    @Test func `is answered once, by whoever completes it first, decorated`() async throws {
        let client = try server.connect()
        // An earlier answer on the connection changes nothing.
        #expect(try await client.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
        try await client.send(Self.request)
        let reply = try await inbox.nextHeld()
        #expect(!reply.isFinished)
        DispatchQueue.global().async {
            reply.complete(.text("first"))
            reply.complete(.text("second"))
        }
        let answer = try await client.answer()
        #expect(answer.status == 200 && answer.body == "first")
        #expect(answer["X-Origin"] == "https://o")
        #expect(answer["X-Id"]?.utf8.count == 36)
        #expect(answer["Connection"] == "close")
        #expect(answer["Date"]?.hasSuffix(" GMT") == true)
        #expect(try await client.rest().isEmpty)
        #expect(reply.isFinished)
        try await server.untilCounted("http_requests_total{route=\"held\",method=\"GET\",status=\"200\"}", 1)
    }

    @Test func `may be completed before it is held`() async throws {
        let client = try server.connect()
        for _ in 0..<3 {
            let answer = try await client.answer(to: "GET /early HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.body == "early")
            #expect(answer["X-Id"] != nil)
        }
    }

    @Test func `answers HEAD without a body`() async throws {
        let client = try server.connect()
        try await client.send("HEAD /held HTTP/1.1\r\nHost: a\r\n\r\n")
        try await inbox.nextHeld().complete(.text("12345"))
        #expect(try await client.answer(isHead: true)["Content-Length"] == "5")
        #expect(try await client.rest().isEmpty)
    }

    @Test func `reaches a client that sent its next request ahead, whole, and then ends the connection`() async throws {
        let client = try server.connect()
        try await client.send(Self.request + "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        let reply = try await inbox.nextHeld()
        try await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        reply.complete(.text(String(repeating: "x", count: 100_000)))
        #expect(try await client.answer().body.utf8.count == 100_000)
        #expect(try await client.rest().isEmpty)
    }

    @Test func `can be larger than what a socket takes at once`() async throws {
        let client = try server.connect()
        try await client.send(Self.request)
        let size = 20 * 1024 * 1024
        try await inbox.nextHeld().complete(HTTPResponse(body: [UInt8](repeating: 0x61, count: size)))
        #expect(try await client.answer().body.utf8.count == size)
    }

    @Test func `tells its owner when the client has left`() async throws {
        var client: RawClient? = try server.connect()
        try await client?.send(Self.request)
        let reply = try await inbox.nextHeld()
        client = nil
        try await server.gone.next()
        #expect(reply.isFinished)
        reply.complete(.text("too late"))
        #expect(server.metric("http_held_requests") == "0")
        #expect(server.metric("http_refusals_total{reason=\"held_client_gone\"}") == "1")
    }

    @Test func `is answered although its client has closed its side of the connection`() async throws {
        let client = try server.connect()
        try await client.send(Self.request)
        let reply = try await inbox.nextHeld()
        client.closeWriting()
        let text = Task { String(decoding: try await client.rest(), as: UTF8.self) }
        // The second request is held after the server has seen that the first client closed.
        let other = try server.connect()
        try await other.send(Self.request)
        try await inbox.nextHeld().complete(.text("other"))
        #expect(try await other.answer().body == "other")
        #expect(!reply.isFinished)
        reply.complete(.text("here"))
        #expect(try await text.value.hasSuffix("here"))
    }

    @Test(.heldReplies { $0.maximumHeldRequestsPerAddress = 2 })
    func `is refused with 503 beyond the limit, which tells its owner`() async throws {
        let clients = [try server.connect(), try server.connect(), try server.connect()]
        var replies: [HeldReply] = []
        for client in clients.prefix(2) {
            try await client.send(Self.request)
            replies.append(try await inbox.nextHeld())
        }
        let refusal = try await clients[2].answer(to: Self.request)
        #expect(refusal.status == 503 && refusal["Retry-After"] == "1")
        try await server.gone.next()
        #expect(try await inbox.next().isFinished)
        replies[0].complete(.text("a"))
        #expect(try await clients[0].answer().body == "a")
        try await clients[2].send(Self.request)
        try await inbox.nextHeld().complete(.text("c"))
        #expect(try await clients[2].answer().body == "c")
    }

    @Test(.heldReplies { $0.holdTimeout = .seconds(1) }) func `that is forgotten gets 503`() async throws {
        #expect(server.metric("http_faults_total") == "0")
        #expect(try await server.answer(Self.request).status == 503)
        try await server.untilCounted("http_faults_total", 1)
    }

    @Test("can be completed by a thousand threads at once")
    func crowd() async throws {
        let clients = try (0..<100).map { _ in try server.connect() }
        for client in clients { try await client.send(Self.request) }
        var replies: [HeldReply] = []
        for _ in clients { replies.append(try await inbox.nextHeld()) }
        let all = replies
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 1000) { all[$0 % 100].complete(.text("\($0 % 100)")) }
                continuation.resume()
            }
        }
        var bodies: Set<String> = []
        for client in clients { bodies.insert(try await client.answer().body) }
        #expect(bodies.count == 100)
        #expect(server.metric("http_requests_total{route=\"held\",method=\"GET\",status=\"200\"}") == "100")
    }
}
