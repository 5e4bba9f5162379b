import HTTPServer
import TestSupport
import Testing

@Suite("A server's limits", .timeLimit(.minutes(5)))
struct LimitTests {
    static var router: Router {
        var router = Router()
        router.on(.get, .post, path: "/size", name: "size") { request in
            let header = request.headers["X-Large"]?.utf8.count ?? 0
            return .now(.text("\(header) \(request.headers.fields.count) \(request.body.count)"))
        }
        router.on(.post, path: "/small/{name}", name: "small", bodyLimit: 100) { .now(.text("\($0.body.count)")) }
        router.on(.post, path: "/large", name: "large", bodyLimit: 5000) { .now(.text("\($0.body.count)")) }
        router.on(.get, path: "/much", name: "much") { _ in
            .now(HTTPResponse(body: [UInt8](repeating: 0x61, count: 20 << 20)))
        }
        return router
    }

    @Test(.server(Self.router))
    func `let a header of 16 KiB and a head of 24 KiB through, again and again on one connection`() async throws {
        let client = try server.connect()
        for _ in 0..<3 {
            let one = String(repeating: "a", count: 23 * 1024)
            try await client.send("GET /size HTTP/1.1\r\nHost: a\r\nX-Large: \(one)\r\n\r\n")
            #expect(try await client.answer().body == "\(23 * 1024) 2 0")
            let two = [16 * 1024, 7 * 1024].map { "X-\($0): \(String(repeating: "b", count: $0))\r\n" }.joined()
            #expect(try await client.answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\(two)\r\n").body == "0 3 0")
            let many = (0..<70).map { "X-\($0): \(String(repeating: "c", count: 300))\r\n" }.joined()
            try await client.send("POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\(many)\r\nabc")
            #expect(try await client.answer().body == "0 72 3")
            let resource = String(repeating: "%3Ctitle%3E", count: 16 * 1024 / 11)
            try await client.send(
                "GET /size?resource=\(resource) HTTP/1.1\r\nHost: a\r\nAuthorization: \(one.prefix(1024))\r\n\r\n")
            #expect(try await client.answer().body == "0 2 0")
        }
    }

    @Test("stop a larger head with 431", .server(Self.router), arguments: [32, 128, 1024])
    func tooLargeHeaders(kilobytes: Int) async throws {
        let client = try server.connect()
        let large = String(repeating: "a", count: kilobytes * 1024)
        await client.sendWhatGoes(Array("GET /size HTTP/1.1\r\nHost: a\r\nX-Large: \(large)\r\n\r\n".utf8))
        // The answer can be lost when the server closes on what it has not read; what counts is that it closes.
        let text = String(decoding: try await client.rest(), as: UTF8.self)
        #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 431 "))
        #expect(try await server.answer("GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
    }

    @Test(.server(Self.router)) func `say 431 when nothing is left unread`() async throws {
        let client = try server.connect()
        // A field more than fits, and not a byte after it.
        try await client.send("GET /size HTTP/1.1\r\nHost: a\r\n")
        var status: Int?
        for _ in 0..<12 where status == nil {
            await client.sendWhatGoes(Array("X-Large: \(String(repeating: "a", count: 8 * 1024))\r\n".utf8))
        }
        client.closeWriting()
        status = try await client.answer().status
        #expect(status == 431)
    }

    @Test(.server(Self.router)) func `stop a target that is too long with 414 or 431`() async throws {
        let client = try server.connect()
        await client.sendWhatGoes(Array("GET /\(String(repeating: "a", count: 90 * 1024))".utf8))
        client.closeWriting()
        let text = String(decoding: try await client.rest(), as: UTF8.self)
        #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 414 ") || text.hasPrefix("HTTP/1.1 431 "))
    }

    @Test("let a query of any number of parameters through, unchanged", arguments: [256, 1500, 10_000])
    func manyParameters(count: Int) async throws {
        var router = Router()
        router.on(.get, path: "/count", name: "count") { request in
            .now(.text("\(request.query.pairs.count) \(request.query["p\(count - 1)"] ?? "")"))
        }
        try await TestServer.with(router) { server in
            let query = (0..<count).map { "p\($0)=\($0)" }.joined(separator: "&")
            let target = "/count?\(query.prefix(23 * 1024))"
            let answer = try await server.answer("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            let all = query.utf8.count <= 23 * 1024
            #expect(answer.status == 200)
            #expect(all ? answer.body == "\(count) \(count - 1)" : answer.body.hasSuffix(" "))
        }
    }

    @Test("answer a body of 10 MB with 413, although the client sends all of it first, and go on", .server(Self.router))
    func largeBody() async throws {
        let client = try server.connect()
        let size = 10 * 1024 * 1024
        try await client.send("POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
        try await client.send([UInt8](repeating: 0x61, count: size))
        #expect(try await client.answer().status == 413)
        #expect(try await client.answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        #expect(server.metric("http_refusals_total{reason=\"body_too_large\"}") == "1")
    }

    @Test("answer 413 before the body when the client asks first, or announces too much", .server(Self.router))
    func announcedBody() async throws {
        for head in ["Content-Length: 300000\r\nExpect: 100-continue", "Content-Length: 99999999999"] {
            #expect(try await server.answer("POST /size HTTP/1.1\r\nHost: a\r\n\(head)\r\n\r\n").status == 413)
        }
    }

    @Test(.server(Self.router) { $0.maximumBodySize = 1000 }) func `hold for chunked bodies`() async throws {
        let chunk = "1f4\r\n" + String(repeating: "a", count: 500) + "\r\n"
        let head = "POST /size HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(try await server.answer(head + chunk + chunk + "0\r\n\r\n").body == "0 2 1000")
        #expect(try await server.answer(head + chunk + chunk + "1\r\na\r\n0\r\n\r\n").status == 413)
        let endless = try server.connect()
        await endless.sendWhatGoes(Array((head + String(repeating: chunk, count: 400)).utf8))
        _ = try await endless.rest()
    }

    /// What the answer to a POST says: its body, or `413` when it is refused and the connection ended.
    private static func outcome(_ server: TestServer, _ path: String, _ rest: String) async throws -> String {
        let client = try server.connect()
        let answer = try await client.answer(to: "POST \(path) HTTP/1.1\r\nHost: a\r\n\(rest)")
        guard answer.status == 413 else { return answer.body }
        #expect(try await client.rest().isEmpty)
        return "413"
    }

    @Test(
        "hold for the body of a route that has a limit of its own, at once",
        .server(Self.router) { $0.maximumBodySize = 1000 })
    func routeBody() async throws {
        let hundred = String(repeating: "a", count: 100)
        let chunked = "Transfer-Encoding: chunked\r\n\r\n64\r\n\(hundred)\r\n"
        let long = String(repeating: "3e8\r\n\(String(repeating: "a", count: 1000))\r\n", count: 2)
        let cases = [
            ("/small/a?b=c", "Content-Length: 100\r\n\r\n\(hundred)", "100"),
            // Nothing of the body is sent, and nothing is waited for.
            ("/small/a", "Content-Length: 101\r\n\r\n", "413"),
            ("/small/a?b=c", "Content-Length: 900\r\nExpect: 100-continue\r\n\r\n", "413"),
            ("/small/a", "Content-Length: 100000\r\n\r\n", "413"),
            ("/small/a", chunked + "0\r\n\r\n", "100"),
            ("/small/a", chunked + "1\r\na\r\n", "413"),
            ("/size", "Content-Length: 200\r\n\r\n\(hundred)\(hundred)", "0 2 200"),
            // The server's own limit is the upper bound.
            ("/large", "Content-Length: 5001\r\n\r\n", "413"),
            ("/large", "Transfer-Encoding: chunked\r\n\r\n\(long)", "413"),
        ]
        for (path, rest, expected) in cases {
            #expect(try await Self.outcome(server, path, rest) == expected, "\(path) \(rest)")
        }
    }

    @Test(
        "refuse a request whose end can be told in two ways", .server(Self.router),
        arguments: [
            "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 3",
            "Content-Length: 3\r\nContent-Length: 4", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
            "Content-Length: +3", "Content-Length: 3, 3", "Content-Length: -1", "Content-Length: 0x3",
        ])
    func framing(fields: String) async throws {
        for method in ["GET", "POST", "DELETE"] {
            let client = try server.connect()
            let smuggled = "GET /size HTTP/1.1\r\nHost: a\r\n\r\n"
            try await client.send("\(method) /size HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(smuggled)")
            // No second request is read out of this connection, because it ends.
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 "))
            #expect(!text.contains("HTTP/1.1 200 "))
        }
    }

    @Test("close a connection on which nothing happens", .server(Self.router) { $0.idleTimeout = .seconds(1) })
    func idle() async throws {
        let silent = try server.connect()
        let half = try server.connect()
        try await half.send("GET /size HTTP/1.1\r\nHost:")
        #expect(try await silent.rest().isEmpty)
        _ = try await half.rest()
    }

    @Test("close a connection whose client is silent in its handshake") func handshake() async throws {
        let tls = try await SecureClient.makeCertificate(try TemporaryFolder())
        let configure: (inout HTTPServerConfiguration) -> Void = {
            $0.tls = tls
            $0.idleTimeout = .seconds(1)
            $0.requestTimeout = .seconds(1)
        }
        try await TestServer.with(Self.router, configure: configure) { server in
            let clients = [try server.connect(), try server.connect()]
            try await clients[0].send(SecureClient.hello)
            try await clients[1].send(Array(SecureClient.hello.dropLast()))
            // What the server sends after a hello ends with the message `server_hello_done`, which is empty.
            #expect(try await clients[0].rest().suffix(4) == [14, 0, 0, 0])
            #expect(try await clients[1].rest().isEmpty)
            try await server.untilCounted("http_refusals_total{reason=\"timed_out\"}", 2)
        }
    }

    @Test(
        "close a connection whose request never ends, however busy it is, or whose answer is not read",
        .server(Self.router) { ($0.idleTimeout, $0.requestTimeout) = (.seconds(60), .seconds(1)) })
    func trickle() async throws {
        let (client, reader) = (try server.connect(), try server.connect())
        try await reader.send("GET /much HTTP/1.1\r\nHost: a\r\n\r\n")
        try await client.send("POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n12345")
        #expect(try await client.rest().isEmpty)
        // Each has one outcome: an answer that is read too slowly is an answer.
        try await server.untilCounted("http_requests_total{route=\"much\",method=\"GET\",status=\"200\"}", 1)
        try await server.untilCounted("http_connections", 0)
        #expect(server.metric("http_refusals_total{reason=\"timed_out\"}") == "1")
        #expect(server.metric("http_refusals_total{reason=\"aborted\"}") == "0")
        #expect(try await reader.rest().count < 20 << 20)
    }

    @Test(
        .server(Self.router) {
            $0.maximumConnections = 64
            $0.maximumConnectionsPerAddress = 0
            $0.threads = 1
        })
    func `close the connections that are silent longest, rather than refuse one that asks`() async throws {
        let asked = try server.connect()
        #expect(try await asked.answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        let silent = try (0..<55).map { _ in try server.connect() }
        // Twice as many as fit beside the silent ones, one after the other.
        for _ in 0..<20 {
            let client = try server.connect()
            #expect(try await client.answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }
        #expect(try await silent[0].rest().isEmpty)
        // One that asked before outlives those that never did.
        #expect(try await asked.answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        #expect(server.metric("http_refusals_total{reason=\"too_many_connections\"}") != "0")
    }

    @Test("bound the connections of one address", .server(Self.router) { $0.maximumConnectionsPerAddress = 2 })
    func connections() async throws {
        let clients = [try server.connect(), try server.connect()]
        for client in clients {
            #expect(try await client.answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }
        #expect(try await server.connect().rest().isEmpty)
        #expect(try await clients[0].answer(to: "GET /size HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
    }
}
