/// An HTTPS server that gives one answer to every POST, and shows clients without its own certificate the door.
package final class KnowingTLSServer: Sendable {
    private struct StartError: Error {
        let talk: String
    }

    /// Debian's Python: openssl's own test server answers no POST.
    private static let script = """
        import http.server, ssl, sys
        certificate, key, answer = sys.argv[1:]

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                print("ASKED", flush=True)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.load_verify_locations(certificate)
        context.verify_mode = ssl.CERT_REQUIRED
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print("LISTENING", server.server_port, flush=True)
        server.serve_forever()
        """

    private let folder: TemporaryFolder
    private let process: ChildProcess
    package let url: String
    /// Also what clients have to show.
    package var certificate: String { self.folder.file("certificate.pem") }
    package var key: String { self.folder.file("key.pem") }
    package var otherCertificate: String { self.folder.file("other.pem") }
    package var otherKey: String { self.folder.file("other-key.pem") }

    /// - Parameter answer: in ASCII.
    package init(answer: String) async throws {
        self.folder = try TemporaryFolder()
        for (certificate, key) in [("certificate", "key"), ("other", "other-key")] {
            let made = try await ChildProcess(
                "openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.folder.file("\(key).pem"), "-out",
                    self.folder.file("\(certificate).pem"), "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                    "subjectAltName=IP:127.0.0.1",
                ]
            ).run()
            guard made.end == .exited(0) else { throw StartError(talk: "\(made.talk)") }
        }
        try self.folder.write(Self.script, to: "server.py")
        self.process = try ChildProcess(
            "/usr/bin/python3",
            [
                self.folder.file("server.py"), self.folder.file("certificate.pem"), self.folder.file("key.pem"), answer,
            ])
        var port: Substring?
        for await line in self.process.outputLines where line.hasPrefix("LISTENING ") {
            port = line.split(separator: " ").last
            break
        }
        guard let port else { throw StartError(talk: "the server does not listen") }
        self.url = "https://127.0.0.1:\(port)"
    }
}
