import Glibc
import HTTPServer
import Lifecycle
import Observability
import TestSupport
import Testing

@Suite("A listening address", .timeLimit(.minutes(5)))
struct AddressTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test(.server(ServingTests.router)) func `that is taken is named in the error`() async throws {
        let error = await Self.failure(.init(addresses: [.tcp(host: "127.0.0.1", port: 0), server.address]))
        #expect(error?.code == .addressInUse)
        #expect(error?.address == server.address.description)
        #expect(error?.description.contains("in use") == true)
    }

    @Test(
        arguments: [
            (.tcp(host: "example.com", port: 80), .badAddress), (.tcp(host: "127.0.0.1", port: 70000), .badAddress),
            (.tcp(host: "203.0.113.7", port: 0), .addressUnavailable),
            (.unix(path: "/nonexistent-folder/socket"), .badAddress),
            (.unix(path: String(repeating: "a", count: 108)), .badAddress),
        ] as [(HTTPListenerAddress, HTTPServerError.Code)])
    func `that cannot be is refused`(address: HTTPListenerAddress, code: HTTPServerError.Code) async {
        #expect(await Self.failure(.init(addresses: [address]))?.code == code)
    }

    @Test("can be a Unix socket, which replaces one that is left over and spares one that is in use")
    func unixSocket() async throws {
        let address = HTTPListenerAddress.unix(path: folder.path + "/socket", mode: 0o600)
        try Self.leaveSocket(folder.path + "/socket")
        try await TestServer.with(ServingTests.router, address: address) { server in
            var status = stat()
            #expect(unsafe stat(folder.path + "/socket", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            let answer = try await server.answer("GET /echo/x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.body.contains("|unix|"))
            #expect(await Self.failure(.init(addresses: [address]))?.code == .addressInUse)
        }
        #expect(unsafe access(folder.path + "/socket", F_OK) != 0)
        try folder.write("precious", to: "file")
        let error = await Self.failure(.init(addresses: [.unix(path: folder.path + "/file")]))
        #expect(error?.code == .addressInUse)
        #expect(try folder.read("file") == "precious")
    }

    @Test func `holds requests on a Unix socket`() async throws {
        let inbox = Inbox<HeldReply>()
        let address = HTTPListenerAddress.unix(path: folder.path + "/socket")
        try await TestServer.with(HeldReplyTests.router(inbox), address: address) { server in
            let client = try server.connect()
            try await client.send(HeldReplyTests.request)
            try await inbox.nextHeld().complete(.text("here"))
            #expect(try await client.answer().body == "here")
        }
    }

    @Test func `can speak TLS, and hold requests under it`() async throws {
        let inbox = Inbox<HeldReply>()
        var router = HeldReplyTests.router(inbox)
        router.on(.get, path: "/secure", name: "secure") { request in .now(.text("secure=\(request.isSecure)")) }
        let tls = try await SecureClient.makeCertificate(folder)
        try await TestServer.with(router, configure: { $0.tls = tls }) { server in
            #expect(try await SecureClient.fetch("/secure", server, folder).contains("secure=true"))
            async let held = SecureClient.fetch("/held", server, folder)
            try await inbox.nextHeld().complete(.text("over TLS"))
            #expect(try await held.contains("over TLS"))
            async let stopped = SecureClient.fetch("/held", server, folder)
            _ = try await inbox.nextHeld()
            server.stop.give()
            #expect(try await stopped.contains("Service Unavailable"))
        }
    }

    @Test func `refuses a certificate that is none, and says what is wrong with it`() async throws {
        let (certificate, key) = ("-----BEGIN CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\nKEYTEXT\n")
        let expected = [
            ("nonsense", key, "the certificate's file has no PEM text in it"),
            (key, key, "the certificate's file has a private key in it, and no certificate"),
            (" \n", key, "the certificate's file is empty"),
            (certificate, certificate, "the key's file has a certificate in it, and no private key"),
            (certificate, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nKEYTEXT\n", "the key needs a passphrase"),
            (certificate, key, "one of the two is damaged, or they do not belong together"),
        ]
        for (certificate, key, detail) in expected {
            var configuration = HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)])
            configuration.tls = .init(certificatePEM: certificate, keyPEM: key)
            let failure = await Self.failure(configuration)
            #expect(failure?.code == .badTLS)
            #expect(failure?.detail == detail)
            #expect(!"\(configuration)".contains("KEYTEXT"))
        }
    }

    @Test func `bounds how many requests it holds over TLS, and how long`() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let tls = try await SecureClient.makeCertificate(folder)
        let inbox = Inbox<HeldReply>()
        let configure: (inout HTTPServerConfiguration) -> Void = { ($0.tls, $0.maximumHeldRequests) = (tls, 1) }
        try await TestServer.with(HeldReplyTests.router(inbox), configure: configure) { server in
            for _ in 0..<2 {
                let first = Task { try await SecureClient.fetch("/held", server, folder) }
                let reply = try await inbox.nextHeld()
                #expect(server.metric("http_held_requests") == "1")
                #expect(try await SecureClient.fetch("/held", server, other).hasPrefix("HTTP/1.1 503 "))
                #expect(try await inbox.next().isFinished)
                reply.complete(.text("here"))
                #expect(try await first.value.hasSuffix("here"))
            }
            // Those that were refused.
            try await server.untilCounted("http_request_duration_seconds_count", 2)
        }
        let configureTime: (inout HTTPServerConfiguration) -> Void = {
            $0.tls = tls
            $0.holdTimeout = .milliseconds(1)
        }
        try await TestServer.with(HeldReplyTests.router(inbox), configure: configureTime) { server in
            let text = try await SecureClient.fetch("/held", server, folder)
            #expect(text.hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test func `notices, under TLS as well, that a client it holds has left`() async throws {
        let tls = try await SecureClient.makeCertificate(folder)
        let (inbox, gone) = (Inbox<HeldReply>(), Inbox<Void>())
        try await TestServer.with(HeldReplyTests.router(inbox, gone: gone), configure: { $0.tls = tls }) { server in
            let input = try folder.write("GET /held HTTP/1.1\r\nHost: a\r\n\r\n", to: "request")
            let command = "exec openssl s_client -connect \(server.address) -quiet -ign_eof < \(input)"
            for signal in [SIGKILL, SIGTERM] {
                let client = try ChildProcess("/bin/sh", ["-c", command])
                let reply = try await inbox.nextHeld()
                client.send(signal)
                try await gone.next()
                #expect(reply.isFinished)
                try await server.untilCounted("http_held_requests", 0)
            }
            #expect(server.metric("http_refusals_total{reason=\"held_client_gone\"}") == "2")
            #expect(server.metric("http_refusals_total{reason=\"aborted\"}") == "0")
            #expect(server.metric("http_faults_total") == "0")
        }
    }

    @Test func `refuses a certificate with the key of another`() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        var configuration = HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)])
        configuration.tls = .init(
            certificatePEM: try await SecureClient.makeCertificate(folder).certificatePEM,
            keyPEM: try await SecureClient.makeCertificate(other).keyPEM)
        let failure = await Self.failure(configuration)
        #expect(failure?.code == .badTLS)
        #expect(failure?.detail == "one of the two is damaged, or they do not belong together")
    }

    private static func failure(_ configuration: HTTPServerConfiguration) async -> HTTPServerError? {
        let server = HTTPServer(
            configuration: configuration, router: ServingTests.router, logger: .silent, metrics: Metrics())
        do {
            try await server.run()
        } catch {
            return error as? HTTPServerError
        }
        return nil
    }

    /// A socket file on which no server listens.
    private static func leaveSocket(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Command.Failure(program: "bind", reason: "\(errno)") }
    }
}
