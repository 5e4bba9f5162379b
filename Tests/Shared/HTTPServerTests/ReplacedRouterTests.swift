import Testing

@testable import HTTPServer

@Suite("A server whose router is replaced", .timeLimit(.minutes(5)))
struct ReplacedRouterTests {
    private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func router(saying text: String, name: String = "hello") -> Router {
        var router = Router()
        router.on(.get, path: "/hello", name: name) { _ in .now(.text(text)) }
        return router
    }

    @Test("serves the new routes on the connections that are open", .server(Self.router(saying: "old")))
    func replaced() async throws {
        let client = try server.connect()
        #expect(try await client.answer(to: Self.hello).body == "old")
        var router = Self.router(saying: "new")
        router.on(.get, path: "/more", name: "more") { _ in .now(.text("more")) }
        server.server.replaceRouter(router)
        #expect(try await client.answer(to: Self.hello).body == "new")
        #expect(try await client.answer(to: "GET /more HTTP/1.1\r\nHost: a\r\n\r\n").body == "more")
        #expect(server.server.servedRoutes.table.router.routes.map(\.pattern.text) == ["/hello", "/more"])
        server.server.replaceRouter(Router())
        #expect(try await client.answer(to: Self.hello).status == 404)
        let counts = [("hello", 2, 200), ("other", 1, 200), ("none", 1, 404)]
        for (route, count, status) in counts {
            try await server.untilCounted(
                "http_requests_total{route=\"\(route)\",method=\"GET\",status=\"\(status)\"}", count)
        }
    }

    @Test func `ends a held request and a request that has begun with the routes they began with`() async throws {
        let inbox = Inbox<HeldReply>()
        var old = HeldReplyTests.router(inbox)
        old.on(.post, path: "/size", name: "size") { request in .now(.text("old \(request.body.count)")) }
        try await TestServer.with(old) { server in
            let held = try server.connect()
            try await held.send(HeldReplyTests.request)
            let reply = try await inbox.nextHeld()
            let half = try server.connect()
            try await half.send("POST /size HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            // The interim answer tells that the request has begun.
            try await half.untilReceived("HTTP/1.1 100 Continue\r\n\r\n")
            server.server.replaceRouter(Router())
            #expect(try await half.answer(to: "abc").body == "old 3")
            reply.complete(.text("here"))
            let answer = try await held.answer()
            #expect(answer.body == "here")
            #expect(answer["X-Origin"] == "https://o")
            try await server.untilCounted("http_requests_total{route=\"held\",method=\"GET\",status=\"200\"}", 1)
        }
    }
}
