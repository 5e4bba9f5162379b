import HTTPServer
import Observability
import Synchronization
import Testing

@Suite("A server", .timeLimit(.minutes(5)))
struct ServingTests {
    static var router: Router {
        var router = Router()
        router.on(.get, path: "/hello", name: "hello") { _ in .now(.text("hello")) }
        router.on(.get, path: "/later", name: "later") { request in
            .later {
                await Task.yield()
                return .text("later " + (request.query["n"] ?? ""))
            }
        }
        router.on(.get, .post, path: "/echo/{name}", name: "echo") { request in
            let facts = [
                request.target, request.segment("name"), request.parameters["a"] ?? "-", "\(request.body.count)",
                request.headers["X-Custom"] ?? "-", request.remoteAddress.description, "\(request.isSecure)",
            ]
            return .now(.text(facts.joined(separator: "|")))
        }
        router.on(.get, path: "/redirect", name: "redirect") { request in
            .now(.redirect(to: request.query["to"] ?? "/").adding("X-Copy", request.query["to"] ?? ""))
        }
        router.on(.get, path: "/nothing", name: "nothing") { _ in
            .now(HTTPResponse(status: .noContent, headers: ["Content-Type": "text/plain"], body: Array("never".utf8)))
        }
        return router
    }

    @Test(.server(Self.router)) func `answers one request after another on one connection`() async throws {
        let client = try server.connect()
        for number in 0..<20 {
            try await client.send("GET /later?n=\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().body == "later \(number)")
            #expect(try await client.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
        }
        try await client.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await client.answer()["Connection"] == "close")
        #expect(try await client.rest().isEmpty)
    }

    @Test(.server(Self.router)) func `answers requests that are sent ahead, in order`() async throws {
        let client = try server.connect()
        let requests = (0..<30).map { number in
            let path = number % 3 == 0 ? "later" : "echo/x"
            return "GET /\(path)?n=\(number)&a=\(number) HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        try await client.send(requests.joined())
        for number in 0..<30 {
            let body = try await client.answer().body
            #expect(number % 3 == 0 ? body == "later \(number)" : body.contains("|\(number)|"))
        }
    }

    @Test(.server(Self.router)) func `shows a handler the request as it came`() async throws {
        let answer = try await server.answer(
            "POST /echo/a%20b.json?a=1 HTTP/1.1\r\nHost: a\r\nx-custom:  v\r\nContent-Length: 7\r\n\r\na=x://y")
        #expect(answer.body == "/echo/a%20b.json?a=1|a b.json|x://y|7|v|127.0.0.1|false")
        #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
        #expect(answer["Date"]?.hasSuffix(" GMT") == true)
    }

    @Test("joins a body that comes in chunks, and asks for one that waits to be asked", .server(Self.router))
    func bodies() async throws {
        let chunked = try await server.answer(
            "POST /echo/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\na=\r\n3;e=1\r\nbcd\r\n0\r\n\r\n")
        #expect(chunked.body.contains("|bcd|5|"))
        let client = try server.connect()
        let head = "POST /echo/x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        try await client.send(head)
        #expect(try await client.answer(to: "a=z").body.contains("|z|3|"))
    }

    @Test(.server(Self.router)) func `answers HEAD like GET, without the body`() async throws {
        let client = try server.connect()
        for path in ["hello", "later"] {
            let answer = try await client.answer(to: "HEAD /\(path) HTTP/1.1\r\nHost: a\r\n\r\n", isHead: true)
            #expect(answer.status == 200 && answer["Content-Length"] == (path == "hello" ? "5" : "6"))
        }
        #expect(server.metric("http_response_body_bytes_total") == "0")
        #expect(try await client.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
    }

    @Test("answers OPTIONS with 204, another method with 405, another path with 404", .server(Self.router))
    func refusals() async throws {
        let options = try await server.answer("OPTIONS /anything HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(options.status == 204)
        #expect(options["Content-Length"] == nil)
        let method = try await server.answer("DELETE /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(method.status == 405)
        #expect(method["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try await server.answer("GET /other HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)
        #expect(try await server.answer("BREW /hello HTTP/1.1\r\nHost: a\r\n\r\n").status == 405)
    }

    @Test(.server(Self.router)) func `sends 204 without a body and without a content type`() async throws {
        let client = try server.connect()
        try await client.send("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try await client.answer()
        #expect(answer.status == 204)
        #expect(answer["Content-Type"] == nil)
        #expect(try await client.answer().body == "hello")
    }

    @Test(.server(Self.router)) func `cannot be made to send a header it did not mean to`() async throws {
        let answer = try await server.answer(
            "GET /redirect?to=/a%0d%0aSet-Cookie:%20x=1%0d%0a%0d%0aevil HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(answer.status == 302)
        #expect(answer["Set-Cookie"] == nil)
        #expect(answer["Location"] == "/a  Set-Cookie: x=1    evil")
        #expect(answer.body.isEmpty)
    }

    @Test func `counts by route, method and status, and logs no path, query or whole address`() async throws {
        let lines = Mutex<[String]>([])
        let sink = LogSink { line in lines.withLock { $0.append(line) } }
        let logger = Logger(component: "test", format: .plain, sink: sink)
        try await TestServer.with(Self.router, logger: logger, configure: { $0.accessLog = .all }) { server in
            let client = try server.connect()
            for target in ["/echo/SECRETCODE?a=TOKEN", "/SECRETPATH", "/echo/other"] {
                _ = try await client.answer(to: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            // The server counts when the answer is written; the next request is read after that.
            try await client.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = try await client.rest()
            #expect(server.metric("http_requests_total{route=\"echo\",method=\"GET\",status=\"200\"}") == "2")
            #expect(server.metric("http_requests_total{route=\"none\",method=\"GET\",status=\"404\"}") == "1")
            #expect(server.metric("http_held_requests") == "0")
        }
        let text = lines.withLock { $0.joined() }
        #expect(text.contains("route=echo"))
        #expect(text.contains("remote=127.0.0.0/24"))
        #expect(text.contains("request_id="))
        for secret in ["SECRET", "TOKEN", "127.0.0.1/", "other"] { #expect(!text.contains(secret)) }
    }
}
