import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The alerts for Prometheus", .serialized, .timeLimit(.minutes(5)))
struct AlertTests {
    private static let rules = ProjectFolder.file("deploy/watch/prometheus/latchkey.rules.yml")
    private static let tests = ProjectFolder.file("deploy/watch/prometheus/latchkey.rules.test.yml")

    private static func text(_ file: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    }

    /// What `mark` begins a line with, after white space and a dash.
    private static func values(after mark: String, in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line -> String? in
            guard let range = line.firstRange(of: mark) else { return nil }
            return String(line[range.upperBound..<line.endIndex].drop { $0 == " " })
        }
    }

    @Test("are rules that Prometheus takes, and each fires for what it is about and for nothing less")
    func rules() async throws {
        let promtool = try PrometheusProgram.path("promtool")
        for arguments in [
            ["check", "rules", "--lint=all", "--lint-fatal", Self.rules], ["test", "rules", Self.tests],
        ] {
            let (end, output, talk) = try await ChildProcess(promtool, arguments).run()
            #expect(end == .exited(0), "\(output)\(talk)")
        }
        let alerts = Self.values(after: "- alert:", in: try Self.text(Self.rules))
        let tests = Self.values(after: "- name:", in: try Self.text(Self.tests))
        #expect(alerts.count > 10)
        #expect(Set(tests) == Set(alerts.flatMap { ["\($0) fires", "\($0) does not fire"] }))
    }

    @Test(.pair) func `ask for nothing that the server does not tell`() async throws {
        let told = Set(
            Self.values(after: "# TYPE ", in: try await pair.server.get("/metrics").text)
                .compactMap { $0.split(separator: " ").first.map(String.init) })
        let rules = try Self.text(Self.rules)
        let expressions = rules.split(separator: "\n").filter { !$0.contains("#") }.joined(separator: " ")
        let words = expressions.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let asked = Set(
            words.filter { $0.hasPrefix("latchkey_") || $0.hasPrefix("http_") || $0.hasPrefix("process_") })
        #expect(asked.count > 8)
        #expect(asked.subtracting(told.map { $0[...] }).isEmpty)
    }

    @Test("fire when codes are guessed at the real server, as a real Prometheus sees it", .pair)
    func guessing() async throws {
        let prometheus = try await RunningPrometheus.start(
            scraping: pair.port, rules: Self.rules, in: pair.folder.file("prometheus"))
        // Or the first count would be where it begins.
        try await prometheus.waitUntilScraped("latchkey_guesses_total")
        #expect(try await prometheus.firingAlerts().isEmpty)
        let client = HTTPClient()
        for code in Self.codes(count: 160) {
            let address = "\(pair.server.url)/activate/provider?code=\(code)"
            _ = try await client.send(HTTPClient.Request(.get, address))
        }
        await client.shutDown()
        let wanted: Set = ["LatchkeyCodesGuessed", "LatchkeyCodeEntryClosed"]
        let fired = try await eventually("alert", within: .seconds(120)) {
            let fired = try await prometheus.firingAlerts()
            return fired.isSuperset(of: wanted) ? fired : nil
        }
        #expect(fired == wanted)
        await prometheus.stop()
    }

    /// Codes that no box shows, but with a chance of one in a hundred million.
    private static func codes(count: Int) -> [String] {
        let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ23456789")
        return (0..<count).map { number in
            "QXQZ" + String([alphabet[number / 784 % 28], alphabet[number / 28 % 28], alphabet[number % 28]])
        }
    }
}
