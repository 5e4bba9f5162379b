import FoundationEssentials
import Glibc
import HTTPClient
import TestSupport

/// A real nginx in front of servers, which gives each call to the one whose turn it is; killed when released.
final class RunningProxy: Sendable {
    private let process: ChildProcess

    /// Starts it, and waits until a server answers through it.
    /// - Parameters:
    ///   - url: `http://127.0.0.1:port`, where it listens.
    ///   - ports: where the servers listen, on this machine.
    ///   - folder: is made, for its files.
    static func start(_ nginx: String, at url: String, before ports: [Int], in folder: String) async throws
        -> RunningProxy
    {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let listen = String(url.dropFirst("http://".count))
        let text = self.configuration(listen: listen, ports: ports, folder)
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/nginx.conf"))
        let process = try ChildProcess(
            nginx, ["-p", folder, "-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf"])
        let client = HTTPClient()
        try await eventually("nginx") {
            (try? await client.send(HTTPClient.Request(.get, url + "/readyz")))?.status == 200 ? () : nil
        }
        await client.shutDown()
        return RunningProxy(process)
    }

    private init(_ process: ChildProcess) { self.process = process }

    /// What `deploy/package/nginx/latchkey.conf` says, without HTTPS and without limits of its own; and one process, as a killed
    /// master leaves its workers.
    private static func configuration(listen: String, ports: [Int], _ folder: String) -> String {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let paths = kinds.map { "    \($0)_temp_path \(folder)/\($0);\n" }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            master_process off;
            pid \(folder)/pid;
            error_log \(folder)/error.log;
            events { worker_connections 4096; }
            http {
                access_log off;
            \(paths.joined())
                upstream latchkeyd {
            \(ports.map { "        server 127.0.0.1:\($0) max_fails=0;\n" }.joined())
                    keepalive 16;
                }
                server {
                    listen \(listen);
                    server_tokens off;
                    large_client_header_buffers 4 32k;
                    underscores_in_headers on;
                    client_max_body_size 256k;
                    location / {
                        proxy_pass http://latchkeyd;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header Host $http_host;
                        proxy_set_header X-Forwarded-For $remote_addr;
                        proxy_set_header X-Forwarded-Proto $scheme;
                        proxy_read_timeout 75s;
                        proxy_buffering off;
                    }
                }
            }

            """
    }

    func stop() async {
        self.process.send(SIGTERM)
        _ = await self.process.waitForEnd()
    }
}
