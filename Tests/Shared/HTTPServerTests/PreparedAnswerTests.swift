import HTTPServer
import Synchronization
import Testing

@Suite("A prepared answer", .timeLimit(.minutes(5)))
struct PreparedAnswerTests {
    private static let field = "X-Request-Id"

    /// Routes whose answers name their requests, and the IDs of the requests in the order they were answered.
    private final class Routes: Sendable {
        let ids = Mutex<[String]>([])

        func router() -> Router {
            let group = RouteGroup(decorate: { context, response in
                self.ids.withLock { $0.append(context.id.description) }
                response.addID(context.id, as: "X-Request-Id")
            })
            let short = HTTPResponse.text("short").prepared()
            let long = HTTPResponse.text(String(repeating: "x", count: 8 << 20)).prepared()
            let nothing = HTTPResponse(status: .noContent).prepared()
            var router = Router()
            router.on(.get, path: "/short", name: "short", group: group) { _ in .now(short) }
            router.on(.get, path: "/later", name: "later", group: group) { _ in
                .later {
                    await Task.yield()
                    return short
                }
            }
            router.on(.get, path: "/held", name: "held", group: group) { _ in
                let reply = HeldReply()
                reply.complete(short)
                return .held(reply)
            }
            router.on(.get, path: "/long", name: "long", group: group) { _ in .now(long) }
            router.on(.get, path: "/nothing", name: "nothing", group: group) { _ in .now(nothing) }
            router.on(.get, path: "/altered", name: "altered", group: group) { request in
                .now(short.setting("X-Copy", request.query["n"] ?? "-"))
            }
            return router
        }
    }

    @Test("names each request by its own ID, once, and has one date", arguments: ["short", "later", "held", "altered"])
    func ids(path: String) async throws {
        let routes = Routes()
        try await TestServer.with(routes.router()) { server in
            let client = try server.connect()
            var seen: [String] = []
            for number in 0..<20 {
                let answer = try await client.answer(to: "GET /\(path)?n=\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.body == "short")
                #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
                #expect(answer["Date"]?.hasSuffix(" GMT") == true)
                #expect(answer["X-Copy"] == (path == "altered" ? "\(number)" : nil))
                seen.append(try #require(answer[Self.field]))
            }
            #expect(Set(seen).count == 20)
            #expect(seen == routes.ids.withLock { $0 })
        }
    }

    @Test("is sent to HEAD without its body, and with a status that forbids one", .server(Routes().router()))
    func bodiless() async throws {
        let client = try server.connect()
        for _ in 0..<3 {
            try await client.send("HEAD /short HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer(isHead: true)["Content-Length"] == "5")
            #expect(try await client.answer(to: "GET /short HTTP/1.1\r\nHost: a\r\n\r\n").body == "short")
            #expect(try await client.answer(to: "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n").status == 204)
        }
    }

    @Test func `reaches a client that reads slowly as it was, while others get it, too`() async throws {
        let routes = Routes()
        try await TestServer.with(routes.router()) { server in
            // More than the answers of a kind that are kept.
            let slow = try (0..<8).map { _ in try server.connect() }
            for client in slow { try await client.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n") }
            let quick = try server.connect()
            var seen = [try #require(try await quick.answer(to: "GET /long HTTP/1.1\r\nHost: a\r\n\r\n")[Self.field])]
            for client in slow {
                let answer = try await client.answer()
                #expect(answer.body.utf8.count == 8 << 20)
                seen.append(try #require(answer[Self.field]))
            }
            #expect(Set(seen) == Set(routes.ids.withLock { $0 }))
            #expect(Set(seen).count == 9)
        }
    }
}
