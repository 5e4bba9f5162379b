import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// nginx that answers everything with the same bytes, with a configuration and a folder of its own.
final class NginxUnderTest: Sendable {
    let url: String
    private let process: ChildProcess

    var pid: Int32 { self.process.pid }

    /// - Parameters:
    ///   - body: what each answer carries; its length is how the sizes of both servers' answers are made equal.
    ///   - demo: whose certificate and key it has, if that speaks HTTPS.
    static func start(
        _ program: String, answering body: String, with demo: DemoFolder, in folder: String
    ) async throws -> NginxUnderTest {
        let port = try FreePort.find()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The versions as in Debian's `nginx.conf`, without the old ones: by itself nginx 1.22 leaves TLS 1.3 out, where a
        // client that resumes its session agrees on a key anew.
        let tls = demo.certificate.map {
            "listen 127.0.0.1:\(port) ssl; ssl_protocols TLSv1.2 TLSv1.3; "
                + "ssl_certificate \($0); ssl_certificate_key \(demo.path)/key.pem;"
        }
        try Data(Self.configuration(port: port, folder: folder, body: body, tls: tls).utf8)
            .write(to: URL(filePath: "\(folder)/nginx.conf"))
        let arguments = [
            "-c", Processors.server, program, "-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log",
        ]
        let scheme = tls == nil ? "http" : "https"
        let server = NginxUnderTest(try ChildProcess("taskset", arguments), url: "\(scheme)://127.0.0.1:\(port)")
        try await server.waitUntilItAnswers(trusting: demo.certificate)
        return server
    }

    private init(_ process: ChildProcess, url: String) {
        self.process = process
        self.url = url
    }

    private func waitUntilItAnswers(trusting certificate: String?) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.authorityFile = certificate
        let client = HTTPClient(configuration)
        try await eventually("answer from nginx") {
            try? await client.send(.init(.get, self.url + "/")).status == 200 ? () : nil
        }
    }

    func stop() async {
        self.process.send(15)
        _ = await self.process.waitForEnd()
    }

    // Without `keepalive_requests` it would close a connection after a thousand answers, which the other server does
    // not; without logs, as the other's access log is off too.
    private static func configuration(port: UInt16, folder: String, body: String, tls: String?) -> String {
        """
        daemon off;
        master_process off;
        pid \(folder)/nginx.pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            keepalive_requests 1000000000;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                \(tls ?? "listen 127.0.0.1:\(port);")
                default_type application/json;
                location / { return 200 '\(body)'; }
            }
        }
        """
    }
}
