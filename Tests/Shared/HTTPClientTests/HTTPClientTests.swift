import HTTPClient
import TestSupport
import Testing

/// The code `client` fails with, `nil` when there is a response.
private func failure(
    of request: HTTPClient.Request, _ client: HTTPClient = HTTPClient()
) async -> HTTPClientError.Code? {
    await thrown { () async throws(HTTPClientError) in try await client.send(request) }?.code
}

@Suite("The HTTP client", .timeLimit(.minutes(5)))
struct HTTPClientTests {
    @Test func `sends method, headers and body as they are, and returns status, headers and body`() async throws {
        let server = try ScriptedServer { request in
            .response(201, headers: ["X-Echo": request.headers["x-box"] ?? ""], body: request.text + "!")
        }
        let response = try await HTTPClient().send(
            .init(.post, server.url + "/path?a=b%20c", headers: ["X-Box": "blue"], body: Array("hello".utf8)))
        #expect(response.status == 201)
        #expect(response.headers["x-ECHO"] == "blue")
        #expect(response.text == "hello!")
        let seen = try #require(server.requests.first)
        #expect(seen.method == "POST" && seen.target == "/path?a=b%20c")
        #expect(seen.headers["expect"] == nil)
    }

    @Test("speaks every verb", arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
    func verbs(verb: String) async throws {
        let server = try ScriptedServer { _ in .response(200, body: "body") }
        let method = try #require(HTTPClient.Method(rawValue: verb))
        let response = try await HTTPClient().send(.init(method, server.url + "/"))
        #expect(response.text == (verb == "HEAD" ? "" : "body"))
        #expect(server.requests.map(\.method) == [verb])
    }

    @Test("takes an answer without a body, and one whose status is an error, as answers", arguments: [204, 404, 503])
    func statuses(status: Int) async throws {
        let server = try ScriptedServer { _ in .response(status, headers: ["Retry-After": "3"]) }
        let response = try await HTTPClient().send(.init(.delete, server.url + "/"))
        #expect(response.status == status && response.body.isEmpty)
        #expect(response.headers["retry-after"] == "3")
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("soon", nil), ("", nil),
    ])
    func `reads the server's clock from the Date header`(text: String, expected: Int64?) {
        #expect(HTTPClient.Response(status: 200, headers: ["date": text]).date == expected)
        #expect(HTTPClient.Response(status: 200).date == nil)
    }

    @Test func `uses a connection again`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        let client = HTTPClient()
        for _ in 0..<3 { _ = try await client.send(.init(.get, server.url + "/")) }
        #expect(server.requests.map(\.positionOnConnection) == [0, 1, 2])
    }

    @Test func `carries transfers side by side: a held answer does not hold up another`() async throws {
        let gate = Gate()
        let server = try ScriptedServer { request in
            if request.path == "/held" { gate.wait() }
            return .response(200, body: request.path)
        }
        let client = HTTPClient()
        async let held = client.send(.init(.get, server.url + "/held"))
        let quick = try await client.send(.init(.get, server.url + "/quick"))
        #expect(quick.text == "/quick")
        gate.open()
        #expect(try await held.text == "/held")
    }

    @Test func `ends a transfer when its task is cancelled`() async throws {
        let gate = Gate()
        let arrived = Signal<Void>()
        let server = try ScriptedServer { _ in
            arrived.send(())
            gate.wait()
            return .close
        }
        let url = server.url
        let code = await withTaskGroup(of: HTTPClientError.Code?.self) { group in
            group.addTask { await failure(of: .init(.get, url + "/")) }
            _ = await arrived.next()
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(code == .cancelled)
        gate.open()
    }

    @Test func `fails at once in a task that is cancelled already`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        let url = server.url
        let code = await withTaskGroup(of: HTTPClientError.Code?.self) { group in
            group.cancelAll()
            group.addTask { await failure(of: .init(.get, url + "/")) }
            return await group.next() ?? nil
        }
        #expect(code == .cancelled)
    }

    @Test func `gives up at the request's time limit`() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return .close
        }
        var request = HTTPClient.Request(.get, server.url + "/")
        request.timeout = .milliseconds(300)
        #expect(await failure(of: request) == .timedOut)
        gate.open()
    }

    @Test func `takes no more body than allowed, announced or not`() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/announced": .response(200, body: "123456")
            default: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n0\r\n\r\n")
            }
        }
        for path in ["/announced", "/chunked"] {
            var request = HTTPClient.Request(.get, server.url + path)
            request.responseLimit = 5
            #expect(await failure(of: request) == .tooLarge)
            request.responseLimit = 6
            #expect(try await HTTPClient().send(request).text == "123456")
        }
    }

    @Test func `takes no endless header block`() async throws {
        let line = "X-Filler: " + String(repeating: "a", count: 1000) + "\r\n"
        let server = try ScriptedServer { _ in
            .raw("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 80) + "Content-Length: 0\r\n\r\n")
        }
        #expect(await failure(of: .init(.get, server.url + "/")) == .tooLarge)
    }

    @Test func `tells failures of the way apart`() async throws {
        let broken = try ScriptedServer { request in
            switch request.path {
            case "/close": .close
            case "/short": .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            default: .raw("SSH-2.0-not-http\r\n\r\n")
            }
        }
        #expect(await failure(of: .init(.get, broken.url + "/close")) == .connectionLost)
        #expect(await failure(of: .init(.get, broken.url + "/short")) == .connectionLost)
        #expect(await failure(of: .init(.get, broken.url + "/ssh")) == .protocolError)
        #expect(await failure(of: .init(.get, "http://127.0.0.1:1/")) == .unreachable)
        #expect(await failure(of: .init(.get, "http://nowhere.invalid/")) == .unreachable)
    }

    @Test(arguments: [
        HTTPClient.Request(.get, "ftp://127.0.0.1/"), .init(.get, "http://127.0.0.1/a b"),
        .init(.get, "http://127.0.0.1/\u{0}"), .init(.get, "http://127.0.0.1/", headers: ["A": "b\r\nC: d"]),
        .init(.get, "http://127.0.0.1/", headers: ["A:B": "c"]),
        .init(.get, "http://127.0.0.1/", headers: ["": "c"]),
    ])
    func `refuses to send what would break out of its place`(request: HTTPClient.Request) async {
        #expect(await failure(of: request) == .invalidRequest)
    }

    @Test func `shows a redirection unless asked to follow it, and then follows to a limit`() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/start": .response(303, headers: ["Location": "/end"])
            case "/loop": .response(302, headers: ["Location": "/loop"])
            default: .response(200, body: request.method)
            }
        }
        var request = HTTPClient.Request(.post, server.url + "/start", body: Array("x".utf8))
        let hop = try await HTTPClient().send(request)
        #expect(hop.status == 303 && hop.headers["location"] == "/end")
        request.redirectLimit = 3
        let end = try await HTTPClient().send(request)
        #expect(end.status == 200 && end.text == "GET" && end.headers["location"] == nil)
        request.url = server.url + "/loop"
        #expect(await failure(of: request) == .protocolError)
    }

    @Test func `keeps cookies only in the jar it is given`() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/set": .response(200, headers: ["Set-Cookie": "session=abc; HttpOnly; Path=/"])
            case "/clear": .response(200, headers: ["Set-Cookie": "session=; Max-Age=0; Path=/"])
            default: .response(200, body: request.headers["cookie"] ?? "none")
            }
        }
        let client = HTTPClient()
        let jar = CookieJar()
        func get(_ path: String, _ jar: CookieJar?) async throws -> String {
            var request = HTTPClient.Request(.get, server.url + path)
            request.cookieJar = jar
            return try await client.send(request).text
        }
        _ = try await get("/set", nil)
        #expect(try await get("/", nil) == "none")
        _ = try await get("/set", jar)
        #expect(try await get("/", jar) == "session=abc")
        #expect(try await get("/", nil) == "none")
        #expect(try await get("/", CookieJar()) == "none")
        _ = try await get("/clear", jar)
        #expect(try await get("/", jar) == "none")
    }

    @Test func `speaks over a Unix socket`() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer(unixSocket: folder.file("socket")) {
            .response(200, body: $0.headers["host"] ?? "")
        }
        var request = HTTPClient.Request(.get, "http://agent/path")
        request.unixSocketPath = folder.file("socket")
        #expect(try await HTTPClient().send(request).text == "agent")
        #expect(server.requests.count == 1)
        request.unixSocketPath = folder.file("nothing")
        #expect(await failure(of: request) == .unreachable)
    }

    @Test func `goes through a proxy only when it is told one, and tells what that refuses`() async throws {
        let proxy = try ScriptedServer { $0.method == "CONNECT" ? .response(407) : .response(200, body: $0.target) }
        var configuration = HTTPClient.Configuration()
        (configuration.proxy, configuration.hostsWithoutProxy) = (proxy.url, ["127.0.0.1"])
        let client = HTTPClient(configuration)
        #expect(try await client.send(.init(.get, "http://tv.invalid/x")).text == "http://tv.invalid/x")
        #expect(await failure(of: .init(.get, "http://127.0.0.1:1/"), client) == .unreachable)
        let refusal = await #expect(throws: HTTPClientError.self) {
            try await client.send(.init(.get, "https://tv.invalid/"))
        }
        #expect(refusal?.code == .unreachable && refusal?.proxyStatus == 407 && refusal?.isOfProxy == true)
    }

    @Test func `ends what is under way when it shuts down, and takes nothing more`() async throws {
        let gate = Gate()
        let arrived = Signal<Void>()
        let server = try ScriptedServer { _ in
            arrived.send(())
            gate.wait()
            return .close
        }
        let client = HTTPClient()
        let url = server.url
        async let held = failure(of: .init(.get, url + "/"), client)
        _ = await arrived.next()
        await client.shutDown()
        #expect(await held == .cancelled)
        #expect(await failure(of: .init(.get, url + "/"), client) == .cancelled)
        await client.shutDown()
        gate.open()
    }
}
