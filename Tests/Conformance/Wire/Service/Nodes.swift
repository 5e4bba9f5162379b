import FoundationEssentials
import Glibc
import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport

/// The suite's own service as operators of many boxes run it: two servers on one PostgreSQL, and nginx in front of them,
/// which gives each call to the one whose turn it is. `LATCHKEY_CONFORMANCE_NODES` asks for it and says which nginx.
struct Nodes: Sendable {
    /// The program of nginx; `nil` when one server with a store of its own is enough.
    static let nginx = ProcessInfo.processInfo.environment["LATCHKEY_CONFORMANCE_NODES"]

    let other: ServerProcess
    private let proxy: ChildProcess

    /// Has the configuration name the address that nginx listens at, and believe what nginx says of callers.
    /// - Returns: that address.
    static func prepare(_ configuration: inout JSON) throws -> String {
        let url = "http://127.0.0.1:\(try FreePort.find())"
        configuration["server"]?["publicURL"] = .text(url)
        configuration["server"]?["trustedProxies"] = ["127.0.0.1"]
        return url
    }

    /// Moves the records of `demo` to PostgreSQL, and has its configuration say so. Only while no server runs.
    static func move(_ demo: DemoFolder, _ clock: ServerClock) async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let connection = try await PostgresServer.shared.connection(database, as: PostgresServer.server)
        let owner = try await PostgresServer.shared.connection(database, as: PostgresServer.owner)
        try demo.configure { settings in
            settings["store"]?["connection"] = .text(connection)
            settings["store"]?["migrationConnection"] = .text(owner)
        }
        let words = ["store", "copy", "--from", "sqlite", "--to", "postgres", "--config", demo.serverConfiguration]
        let (end, _, talk) = try await ChildProcess(
            ProgramFolder.own.server, words, environment: clock.environment
        ).run()
        guard end == .exited(0) else { throw GaveUp(description: "the records were not moved: \(talk)") }
        try demo.configure { $0["store"]?["kind"] = "postgres" }
    }

    /// Starts the second server, and nginx in front of both.
    static func start(
        beside server: ServerProcess, of demo: DemoFolder, at url: String, _ nginx: String, _ clock: ServerClock
    ) async throws -> Nodes {
        let text = try Data(contentsOf: URL(filePath: demo.serverConfiguration))
        var configuration = try JSON(parsing: String(decoding: text, as: UTF8.self))
        configuration["server"]?["listen"] = [.text("127.0.0.1:\(try FreePort.find())")]
        let file = "\(demo.path)/other-node.json5"
        try Data(try configuration.encoded().utf8).write(to: URL(filePath: file))
        let other = try await ServerProcess.start(configuration: file, clock: clock)
        let folder = "\(demo.path)/nginx"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let listen = url.dropFirst("http://".count)
        try Data(self.configuration(listen: String(listen), ports: [server.port, other.port], folder).utf8)
            .write(to: URL(filePath: "\(folder)/nginx.conf"))
        let proxy = try ChildProcess(nginx, ["-p", folder, "-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf"])
        let client = HTTPClient()
        try await eventually("nginx") {
            (try? await client.send(HTTPClient.Request(.get, url + "/readyz")))?.status == 200 ? () : nil
        }
        await client.shutDown()
        return Nodes(other: other, proxy: proxy)
    }

    /// What `deploy/nginx/latchkey.conf` says, without HTTPS and without limits of its own.
    private static func configuration(listen: String, ports: [Int], _ folder: String) -> String {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let paths = kinds.map { "    \($0)_temp_path \(folder)/\($0);\n" }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(folder)/pid;
            error_log \(folder)/error.log;
            events { worker_connections 4096; }
            http {
                access_log off;
            \(paths.joined())
                upstream latchkeyd {
            \(ports.map { "        server 127.0.0.1:\($0);\n" }.joined())
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

    /// Ends nginx; the servers are ended by who started them.
    func endProxy() async {
        self.proxy.send(SIGTERM)
        _ = await self.proxy.waitForEnd()
    }
}
