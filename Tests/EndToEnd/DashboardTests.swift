import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The dashboards for Grafana", .timeLimit(.minutes(5)))
struct DashboardTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Place: Decodable {
                let x: Int
                let y: Int
                let w: Int
                let h: Int
            }

            struct Target: Decodable {
                let refId: String
                let expr: String
            }

            let id: Int
            let title: String
            let type: String
            let gridPos: Place
            let targets: [Target]
        }

        let uid: String
        let title: String
        let schemaVersion: Int
        let panels: [Panel]
    }

    private static let names = ["pairing", "health", "abuse"]

    private static func dashboard(_ name: String) throws -> Dashboard {
        let file = URL(filePath: ProjectFolder.file("deploy/watch/grafana/\(name).json"))
        return try JSONDecoder().decode(Dashboard.self, from: try Data(contentsOf: file))
    }

    @Test(arguments: names) func `have panels that lie beside each other and ask something`(_ name: String) throws {
        let dashboard = try Self.dashboard(name)
        #expect(dashboard.uid == "latchkey-\(name)" && dashboard.schemaVersion >= 36 && !dashboard.panels.isEmpty)
        #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        #expect(Set(dashboard.panels.map(\.title)).count == dashboard.panels.count)
        var taken: Set<[Int]> = []
        for panel in dashboard.panels {
            #expect(["timeseries", "stat", "bargauge"].contains(panel.type))
            #expect(!panel.targets.isEmpty && Set(panel.targets.map(\.refId)).count == panel.targets.count)
            let place = panel.gridPos
            #expect(place.x >= 0 && place.x + place.w <= 24)
            for x in place.x..<place.x + place.w {
                for y in place.y..<place.y + place.h {
                    let isFree = taken.insert([x, y]).inserted
                    #expect(isFree, "\(panel.title)")
                }
            }
        }
    }

    @Test(.pair) func `ask for nothing that the server does not tell`() async throws {
        let told = Set(
            try await pair.server.get("/metrics").text.split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                return line.hasPrefix("# TYPE ") && words.count > 2 ? String(words[2]) : nil
            })
        for name in Self.names {
            let expressions = try Self.dashboard(name).panels.flatMap { $0.targets.map(\.expr) }
            let asked = expressions.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
                .filter { word in ["latchkey_", "http_", "process_", "store_"].contains { word.hasPrefix($0) } }
                .map { word in word.hasSuffix("_bucket") ? String(word.dropLast(7)) : String(word) }
            #expect(asked.count > 5)
            #expect(Set(asked).subtracting(told).isEmpty, "\(name)")
        }
    }

    /// Panels that are empty as long as all is well, or that providers are needed for who are asked over the network.
    private static let mayBeEmpty: Set = [
        "Certificate ends in", "TV providers that are not asked", "Questions to TV providers",
        "TV providers: time of a question",
    ]

    @Test(.pair) func `ask what a real Prometheus answers once boxes have been there`() async throws {
        let rules = ProjectFolder.file("deploy/watch/prometheus/latchkey.rules.yml")
        let prometheus = try await RunningPrometheus.start(
            scraping: pair.port, rules: rules, in: pair.folder.file("prometheus"))
        try await prometheus.waitUntilScraped("latchkey_build_info")
        try await pair.signIn()
        _ = try await pair.box("authorize", DemoFolder.channel)
        // A call without a credential.
        #expect(try await pair.server.get("/api/v1/authorize?requestor=DEMO&deviceId=x&resource=x").status == 401)
        for name in Self.names {
            for panel in try Self.dashboard(name).panels {
                for target in panel.targets {
                    let question = target.expr.replacing("$instance", with: ".*")
                        .replacing("$__rate_interval", with: "1m").replacing("$__range", with: "1m")
                    #expect(!question.contains("$"), "\(panel.title)")
                    // Asked once in any case, and until it is answered where it has to be.
                    let isAnswered = try await prometheus.count(of: question) > 0
                    guard !isAnswered, !Self.mayBeEmpty.contains(panel.title) else { continue }
                    try await eventually("an answer to \(question)", within: .seconds(120)) {
                        try await prometheus.count(of: question) > 0 ? () : nil
                    }
                }
            }
        }
        await prometheus.stop()
    }
}
