import HTTPServer
import TestSupport

/// OpenSSL's client, for servers that speak TLS.
enum SecureClient {
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
