import HTTPServer
import TestSupport
import Testing

@Suite("The head of a request", .timeLimit(.minutes(5)))
struct HeadTests {
    static let malformed = [
        "X-Folded: a\r\n b\r\n", "Transfer-Enc: chunked\r\n oding\r\n", "Content-Length:\r\n 3\r\n",
        "Content-Length : 3\r\n", "X-Blank : 3\r\n", "X-Tab\t: 3\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n",
        "Content-Length: +3\r\n", "Content-Length: -3\r\n", "Content-Length: 3, 3\r\n", "Content-Length: 3 3\r\n",
        "Content-Length: 0x3\r\n", "Content-Length:\r\n", "Content-Length: 3\u{0}\r\n", "X-Nul: a\u{0}b\r\n",
        "X-Nul: a\u{0}\r\n", "X\u{0}Nul: a\r\n", "X-Bell: a\u{7}\r\n", "X-Return: a\rb\r\n", "X-Delete: \u{7F}\r\n",
        "Host: b\r\n", "X-Bare: a\n", "X-Bare: a\nX-Next: b\r\n", "no colon\r\n", ": no name\r\n", "X(Y): a\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding:\r\n",
        "Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 0\r\nContent-Length: 1\r\n",
        // Sound by RFC 9110 5.5, but libmicrohttpd reads no length out of it.
        "Content-Length: 3 \r\n",
    ]

    static let lines = [
        "GET /a HTTP/1.1\r\n\r\n", "POST /a HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a  HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a HTTP/1.1 \r\nHost: a\r\n\r\n",
        "GET /a HTTP/1.1\nHost: a\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\n\n", "GET /a HTTP/1.1\r\nHost: a\n\n",
        "POST /a HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /a\r\n",
    ]

    /// What nginx refuses, and libmicrohttpd takes or answers wrongly, one of each kind.
    static let kinds = [
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Enc: chunked\r\n oding\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 3\r\n\r\nabc",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-Nul: a\u{0}b\r\n\r\n",
        "POST /a HTTP/1.1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "a=b;", count: 5_000))\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;\(String(repeating: "a", count: 120_000))\r\nabc\r\n0\r\n\r\n",
    ]

    static var router: Router {
        var router = Router()
        router.on(.get, .post, .delete, path: "/a", name: "a") { _ in .now(.text("served")) }
        return router
    }

    @Test("that is malformed is refused with 400, once, and the connection ends", arguments: ["GET", "POST", "DELETE"])
    func refused(method: String) async throws {
        try await Self.expectRefusals(
            Self.malformed.flatMap { field in
                [
                    "\(method) /a HTTP/1.1\r\nHost: a\r\n\(field)\r\n",
                    "\(method) /a HTTP/1.1\r\n\(field)Host: a\r\n\r\n",
                ]
            })
    }

    @Test func `is refused without a host, with two, and with a request line that is not one`() async throws {
        // The last ones have no blank.
        try await Self.expectRefusals(
            Self.lines + ["GET/a\r\nHost: a\r\n\r\n", "GET\r\n\r\n", "\r\n\r\nhello\n", "\u{16}\u{3}\u{1}\n"])
    }

    @Test("of each of nine kinds is refused with 400, once, and the connection ends, with TLS and without")
    func kinds() async throws {
        try await Self.expectRefusals(Self.kinds)
        try await Self.expectSecureRefusals(Self.kinds)
    }

    @Test func `that is malformed is refused with 400, once, over TLS as well`() async throws {
        try await Self.expectSecureRefusals(
            Self.lines + Self.malformed.map { "POST /a HTTP/1.1\r\nHost: a\r\n\($0)\r\nabc" })
    }

    @Test("does not matter to others, when the line of its chunk is too long", .server(Self.router) { $0.threads = 1 })
    func chunkLines() async throws {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let sound = try (0..<3).map { _ in try server.connect() }
        for client in sound { try await client.send(head + "3;a=b\r\nab") }
        for _ in 0..<20 {
            let client = try server.connect()
            await client.sendWhatGoes(Array((head + "3;\(String(repeating: "a", count: 120_000))").utf8))
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
        }
        for client in sound { #expect(try await client.answer(to: "c\r\n0\r\n\r\n").body == "served") }
    }

    @Test(.server(Self.router))
    func `is refused once, in whatever pieces it comes, and whichever other heads come meanwhile`() async throws {
        let fields = [
            "Content-Length: x\r\n", "Content-Length: 3 \r\n",
            "Cookie: \(String(repeating: "a=b;", count: 5_000))\r\n",
        ]
        // Three heads on each of two threads are under way at a time.
        let clients = try (0..<6).map { _ in try server.connect() }
        for client in clients { try await client.send("POST /a HTTP/1.1\r\nHost: a\r\n") }
        let sound = try (0..<6).map { _ in try server.connect() }
        for client in sound { try await client.send("POST /a HTTP/1.1\r\nHost: a\r\n") }
        for (index, client) in clients.enumerated() { try await client.send(fields[index % fields.count]) }
        for client in sound { try await client.send("Content-Length: 3\r\n") }
        for client in clients {
            await client.sendWhatGoes(Array("\r\nabc".utf8))
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
        }
        for client in sound { #expect(try await client.answer(to: "\r\nabc").body == "served") }
    }

    @Test(.server(Self.router)) func `that is sound is served, in whatever pieces it comes`() async throws {
        let client = try server.connect()
        let head =
            "POST /a?b=c&d HTTP/1.1\r\nHost: [::1]:80\r\nX-Empty:\r\nX-Blank:  a b \t\r\nContent-Length: 3\r\n\r\nabc"
        for _ in 0..<2 {
            for piece in [1, 2, 7, 200] {
                var rest = Substring(head)
                while !rest.isEmpty {
                    try await client.send(String(rest.prefix(piece)))
                    rest = rest.dropFirst(piece)
                }
                #expect(try await client.answer().body == "served")
            }
            try await client.send(head + head + "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            for _ in 0..<3 { #expect(try await client.answer().status == 200) }
        }
    }

    @Test(
        "made of random fields gets one answer for each request, or one refusal",
        .server(Self.router) { $0.idleTimeout = .seconds(1) }, arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        let alphabet = [
            "Host", "Content-Length", "Transfer-Encoding", "X", ":", ":", ": ", " ", "\t", "\r", "\n", "\r\n", "\r\n",
            "\u{0}", "3", "chunked", "a", ",", ";", "\u{7F}", "é",
        ]
        var random = SeededGenerator(seed: seed)
        let heads = (0..<150).map { _ in
            (0..<Int.random(in: 1...8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
                .joined()
        }
        try await concurrently(150) { number in
            let client = try server.connect()
            await client.sendWhatGoes(Array("GET /a HTTP/1.1\r\nHost: a\r\n\(heads[number])\r\n\r\n".utf8))
            client.closeWriting()
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            let statuses = answer.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
            // What follows an empty line is another request, and perhaps a bad one; nothing follows a refusal.
            #expect(statuses.dropLast().allSatisfy { $0 == "200" }, "\(heads[number])")
            #expect(statuses.last == "200" || statuses.last == "400", "\(heads[number])")
        }
    }

    private static func expectSecureRefusals(_ heads: [String]) async throws {
        let folder = try TemporaryFolder()
        let tls = try await SecureClient.makeCertificate(folder)
        try await TestServer.with(Self.router, configure: { $0.tls = tls }) { server in
            for head in heads {
                let text = try await SecureClient.send("\(head)GET /a HTTP/1.1\r\nHost: a\r\n\r\n", server, folder)
                #expect(text.hasPrefix("HTTP/1.1 400 "), "\(head.debugDescription): \(text)")
                #expect(text.split(separator: "HTTP/1.1 ").count == 1, "\(head.debugDescription): \(text)")
            }
        }
    }

    /// One server for all: each has threads of its own.
    private static func expectRefusals(_ heads: [String]) async throws {
        try await TestServer.with(Self.router) { server in
            for head in heads {
                let client = try server.connect()
                await client.sendWhatGoes(Array("\(head)GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                let text = String(decoding: try await client.rest(), as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 400 "), "\(head.debugDescription): \(text)")
                #expect(text.split(separator: "HTTP/1.1 ").count == 1, "\(head.debugDescription): \(text)")
            }
        }
    }
}
