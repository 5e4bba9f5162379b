import FoundationEssentials
import Glibc
import HTTPClient
import TestSupport
import TextCoding

/// The programs of Debian's package prometheus: installed, or unpacked by `deploy/test` into `.build/tools`.
package enum PrometheusProgram {
    /// - Throws: ``GaveUp`` when it is not there; a test that cannot run must not pass.
    package static func path(_ name: String) throws -> String {
        let candidates = ["/usr/bin/\(name)", ProjectFolder.file(".build/tools/prometheus/usr/bin/\(name)")]
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw GaveUp(description: "\(name) is missing; 'deploy/test end-to-end' fetches it")
        }
        return path
    }
}

/// A real Prometheus on the loopback interface that looks at one server each second, killed when released.
package final class RunningPrometheus: Sendable {
    private let process: ChildProcess
    private let url: String
    private let client = HTTPClient()

    private init(_ process: ChildProcess, _ url: String) {
        self.process = process
        self.url = url
    }

    /// Starts it and waits until it says that it is ready.
    /// - Parameters:
    ///   - port: of 127.0.0.1.
    ///   - rules: a file of rules.
    ///   - folder: where its own files go; made here.
    package static func start(scraping port: Int, rules: String, in folder: String) async throws -> RunningPrometheus {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ["\(rules)"]
            scrape_configs:
              - job_name: latchkeyd
                static_configs: [{targets: ["127.0.0.1:\(port)"]}]

            """
        try Data(configuration.utf8).write(to: URL(filePath: "\(folder)/prometheus.yml"))
        let address = "127.0.0.1:\(try FreePort.find())"
        let process = try ChildProcess(
            try PrometheusProgram.path("prometheus"),
            [
                "--config.file=\(folder)/prometheus.yml", "--storage.tsdb.path=\(folder)/data",
                "--web.listen-address=\(address)", "--log.level=error",
            ])
        let prometheus = RunningPrometheus(process, "http://\(address)")
        try await eventually("Prometheus that is ready", within: .seconds(120)) {
            let answer = try? await prometheus.client.send(HTTPClient.Request(.get, "http://\(address)/-/ready"))
            return answer?.status == 200 ? () : nil
        }
        return prometheus
    }

    package func waitUntilScraped(_ name: String) async throws {
        try await eventually("scraped \(name)", within: .seconds(120)) {
            let answer = try await self.get("/api/v1/query?query=\(name)")
            return answer["data"]?["result"]?.list.isEmpty == false ? () : nil
        }
    }

    /// How many series it answers a question with.
    /// - Throws: ``GaveUp`` with its words when it does not take the question.
    package func count(of question: String) async throws -> Int {
        let answer = try await self.get("/api/v1/query?query=\(PercentCoding.encoded(question))")
        return answer["data"]?["result"]?.list.count ?? 0
    }

    package func firingAlerts() async throws -> Set<String> {
        let alerts = try await self.get("/api/v1/alerts")["data"]?["alerts"]?.list ?? []
        return Set(alerts.filter { $0["state"]?.text == "firing" }.compactMap { $0["labels"]?["alertname"]?.text })
    }

    package func stop() async {
        await self.client.shutDown()
        self.process.send(SIGTERM)
        _ = await self.process.waitForEnd()
    }

    private func get(_ path: String) async throws -> JSON {
        let response = try await self.client.send(HTTPClient.Request(.get, self.url + path))
        guard response.status == 200 else { throw GaveUp(description: "Prometheus: \(response.text)") }
        return try JSON(parsing: response.text)
    }
}
