/// OpenSSL's own test server with a certificate for 127.0.0.1 that nobody vouches for.
package final class TLSServer: Sendable {
    private struct StartError: Error {
        let talk: String
    }

    private let folder: TemporaryFolder
    private let process: ChildProcess
    package let url: String
    package var certificate: String { self.folder.file("certificate.pem") }
    package var key: String { self.folder.file("key.pem") }

    /// - Parameter asksForIdentity: whether clients have to show a certificate, which is the server's own.
    package init(asksForIdentity: Bool = false) async throws {
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
        guard made.end == .exited(0) else { throw StartError(talk: "\(made.talk)") }
        let asking = asksForIdentity ? ["-Verify", "1", "-verify_return_error", "-CAfile", certificate] : []
        self.process = try ChildProcess(
            "openssl", ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"] + asking)
        var port: Substring?
        for await line in self.process.outputLines where line.hasPrefix("ACCEPT ") {
            port = line.split(separator: ":").last
            break
        }
        guard let port else { throw StartError(talk: "openssl s_server does not listen") }
        self.url = "https://127.0.0.1:\(port)/"
    }
}
