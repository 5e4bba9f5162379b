import FoundationEssentials
import Glibc
import RealPrograms
import TestSupport
import Testing

@Suite("The real server's certificate", .serialized, .timeLimit(.minutes(5)))
struct CertificateTests {
    @Test func `Is loaded anew at SIGHUP, while open connections live on; a broken one changes nothing`() async throws {
        let folder = try TemporaryFolder()
        try await Self.makeCertificate("old", in: folder)
        try await Self.makeCertificate("new", in: folder)
        try Self.install("old", "old", in: folder)
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            let url = configuration["server"]?["publicURL"]?.text ?? ""
            configuration["server"]?["publicURL"] = .text(url.replacing("http:", with: "https:"))
            configuration["server"]?["certificate"] = .text(folder.file("chain.pem"))
            configuration["server"]?["certificateKey"] = .text(folder.file("key.pem"))
        }
        let server = try await RunningServer.start(demo, .own)
        #expect(try await Self.subject(server) == "old")
        let open = try OpenClient(server, folder)
        #expect(try await open.get("/healthz") == "HTTP/1.1 200 OK")

        try Self.install("new", "new", in: folder)
        server.send(SIGHUP)
        let changed = try await server.waitUntilSaid("the certificate that changed")
        #expect(changed.contains("until 20"), "\(changed)")
        #expect(try await Self.subject(server) == "new")
        #expect(try await open.get("/healthz") == "HTTP/1.1 200 OK")

        try await Self.makeCertificate("strange", host: "DNS:other.example", in: folder)
        let broken = [
            ("old", "new", "do not belong together"), ("new", nil, "key.pem"),
            ("strange", "strange", "chain.pem is not for the name in server.publicURL"),
        ]
        for (certificate, key, reason) in broken {
            try Self.install(certificate, key, in: folder)
            server.send(SIGHUP)
            let line = try await server.waitUntilSaid("the old one stays in force")
            #expect(line.contains(reason), "\(line)")
            #expect(try await Self.subject(server) == "new")
        }
        #expect(try await open.get("/healthz") == "HTTP/1.1 200 OK")
        #expect(await server.stop() == .exited(0))
    }

    @Test("A client that is silent in its handshake costs no processor time, and holds up neither others nor a stop")
    func silence() async throws {
        let folder = try TemporaryFolder()
        var demo = try await DemoFolder.make(.own, in: folder.file("server")) { $0["server"]?["threads"] = 1 }
        try await demo.speakTLS()
        let server = try await RunningServer.start(demo, .own)
        let silent = try RawConnection(port: server.port)
        silent.send([22, 3, 1, 0, 68, 1, 0, 0] as [UInt8])
        // Its thread has the connection and the bytes before these, of which some come along with the end of a handshake.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { _ = try await server.get("/metrics") } }
            try await group.waitForAll()
        }
        try await eventually("moment at which all threads sleep", within: .seconds(20)) {
            try ProcessFacts.isAsleep(server.pid) ? () : nil
        }
        #expect(await server.stop() == .exited(0))
        #expect(try await silent.receiveAll().isEmpty)
    }

    private static func makeCertificate(
        _ name: String, host: String = "IP:127.0.0.1", in folder: TemporaryFolder
    ) async throws {
        let made = try await ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
                "-addext", "subjectAltName=\(host)",
                "-keyout", folder.file("\(name)-key.pem"), "-out", folder.file("\(name)-chain.pem"),
            ]
        ).run()
        guard made.end == .exited(0) else { throw GaveUp(description: made.talk) }
    }

    /// - Parameter key: `nil` leaves the key out.
    private static func install(_ certificate: String, _ key: String?, in folder: TemporaryFolder) throws {
        for name in ["chain.pem", "key.pem"] { try? FileManager.default.removeItem(atPath: folder.file(name)) }
        try FileManager.default.copyItem(
            atPath: folder.file("\(certificate)-chain.pem"), toPath: folder.file("chain.pem"))
        guard let key else { return }
        try FileManager.default.copyItem(atPath: folder.file("\(key)-key.pem"), toPath: folder.file("key.pem"))
        #expect(unsafe chmod(folder.file("key.pem"), 0o600) == 0)
    }

    /// The name in the certificate that a new connection gets.
    private static func subject(_ server: RunningServer) async throws -> String? {
        let client = try ChildProcess("openssl", ["s_client", "-connect", "127.0.0.1:\(server.port)"])
        let line = await client.run().output.split(separator: "\n").first { $0.hasPrefix("subject=") }
        return line?.split(separator: " ").last.map(String.init)
    }
}

/// A connection under TLS that stays open between requests: OpenSSL's client, fed through a pipe with a name.
private final class OpenClient: Sendable {
    private let process: ChildProcess
    private let lines: AsyncStream<String>
    private let input: Int32

    init(_ server: RunningServer, _ folder: TemporaryFolder) throws {
        let pipe = folder.file("input")
        guard unsafe mkfifo(pipe, 0o600) == 0 else { throw GaveUp(description: "mkfifo: error \(errno)") }
        // For both, so that to open it waits for no reader.
        self.input = unsafe Glibc.open(pipe, O_RDWR | O_CLOEXEC)
        let command = "exec openssl s_client -connect 127.0.0.1:\(server.port) -quiet < \(pipe)"
        self.process = try ChildProcess("/bin/sh", ["-c", command])
        self.lines = self.process.outputLines
    }

    deinit { close(self.input) }

    /// - Returns: the answer's first line.
    func get(_ path: String) async throws -> String {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        guard unsafe write(self.input, request, request.count) == request.count else {
            throw GaveUp(description: "write: error \(errno)")
        }
        for await line in self.lines {
            // A body has no line end of its own, so the next answer follows it in the same line.
            let parts = line.components(separatedBy: "HTTP/1.1 ")
            if parts.count > 1, let status = parts.last { return "HTTP/1.1 \(status.prefix { $0 != "\r" })" }
        }
        throw GaveUp(description: "the connection ended")
    }
}
