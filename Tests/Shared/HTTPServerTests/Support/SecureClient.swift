import HTTPServer
import TestSupport

/// OpenSSL's client, for servers that speak TLS.
enum SecureClient {
    /// A record with the first message of a TLS 1.2 client (RFC 5246 7.4.1.2): one cipher suite, X25519, RSA with SHA-256.
    static let hello: [UInt8] =
        [22, 3, 1, 0, 68, 1, 0, 0, 64, 3, 3] + Array(0..<32)
        + [0, 0, 2, 0xC0, 0x2F, 1, 0, 0, 21, 0, 10, 0, 4, 0, 2, 0, 29, 0, 13, 0, 4, 0, 2, 4, 1, 255, 1, 0, 1, 0]

    /// A certificate that no authority vouches for, and its key.
    static func makeCertificate(
        _ folder: TemporaryFolder, name: String = "localhost", key: [String] = ["rsa:2048"]
    ) async throws -> HTTPServerConfiguration.TLS {
        try await Command.run(
            "openssl",
            [
                "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-keyout", folder.file("key.pem"),
                "-out", folder.file("cert.pem"), "-newkey",
            ] + key)
        return .init(certificatePEM: try folder.read("cert.pem"), keyPEM: try folder.read("key.pem"))
    }

    static func fetch(_ path: String, _ server: TestServer, _ folder: TemporaryFolder) async throws -> String {
        try await Self.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", server, folder)
    }

    /// All that comes back until the server closes.
    static func send(_ text: String, _ server: TestServer, _ folder: TemporaryFolder) async throws -> String {
        let input = try folder.write(text, to: "request")
        let arguments = ["s_client", "-connect", server.address.description, "-quiet", "-ign_eof"]
        return try await Command.run("openssl", arguments, input: input)
    }
}
