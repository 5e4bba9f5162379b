import HTTPClient
import TestSupport
import Testing

@Suite("Over TLS the HTTP client", .timeLimit(.minutes(1)))
struct TLSTests {
    /// OpenSSL's own test server with a certificate for 127.0.0.1 that nobody vouches for.
    private final class TLSServer: Sendable {
        let folder: TemporaryFolder
        private let process: ChildProcess
        let url: String
        var certificate: String { self.folder.file("certificate.pem") }

        init() async throws {
            self.folder = try TemporaryFolder()
            let key = self.folder.file("key.pem")
            let certificate = self.folder.file("certificate.pem")
            let made = try await ChildProcess(
                "openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                ]
            ).run()
            try #require(made.end == .exited(0), "\(made.talk)")
            self.process = try ChildProcess(
                "openssl", ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"])
            var port: Substring?
            for await line in self.process.outputLines where line.hasPrefix("ACCEPT ") {
                port = line.split(separator: ":").last
                break
            }
            self.url = "https://127.0.0.1:\(try #require(port))/"
        }
    }

    @Test("trusts nobody the distribution does not trust, and whom it is told to")
    func trust() async throws {
        let server = try await TLSServer()
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient().send(.init(.get, server.url))
        }
        #expect(error?.code == .tls)

        var configuration = HTTPClient.Configuration()
        configuration.trust = .file(server.certificate)
        let response = try await HTTPClient(configuration).send(.init(.get, server.url))
        #expect(response.status == 200)
    }

    @Test("says so when the file of trusted certificates is not there")
    func missingFile() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.trust = .file("/nonexistent/certificates.pem")
        let server = try await TLSServer()
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient(configuration).send(.init(.get, server.url))
        }
        #expect(error?.code == .tls)
    }
}
