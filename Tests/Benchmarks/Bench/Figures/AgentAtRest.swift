import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// The agent while no application asks for anything, with a server it reaches under TLS.
struct AgentAtRest: Measurement {
    let figures = [
        Figure(
            name: "agent-memory", unit: "MB", goal: .atMost(14),
            meaning: "resident memory of 'latchkey agent' with one requestor that it has reached under TLS, at rest"),
        Figure(
            name: "agent-memory-50", unit: "MB", goal: .atMost(20), meaning: "the same with fifty requestors"),
        Figure(
            name: "agent-wakeups", unit: "per-minute", goal: .atMost(2),
            meaning: "how often the threads of that agent with fifty requestors are woken, over three minutes"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/agent"
        let names = (0..<50).map { "BRAND\($0)" }
        let authority = try await Self.certificate(in: "\(folder)-certificate")
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server", onOneProcessor: false) {
            configuration in
            configuration["server"]?["certificate"] = .text(authority.certificate)
            configuration["server"]?["certificateKey"] = .text(authority.key)
            let known = configuration["requestors"]?.list ?? []
            guard let model = known.first else { return }
            let brands = names.map { name in
                var requestor = model
                requestor["id"] = .text(name)
                return requestor
            }
            configuration["requestors"] = .list(known + brands)
        }
        do {
            let statement = try await server.softwareStatement(for: names)
            let url = server.url.replacing("http:", with: "https:")
            let trust = "certificateAuthority: '\(authority.certificate)'"
            let pause = Duration.seconds(surroundings.amount(10, rehearsal: 0))
            let (one, _) = try await Self.rest(
                [names[0]], after: pause, counting: nil,
                in: try RunningAgent.folder(
                    url, requestors: [names[0]], softwareStatement: statement, more: trust))
            let (fifty, wakeUps) = try await Self.rest(
                names, after: pause, counting: .seconds(surroundings.amount(180, rehearsal: 1)),
                in: try RunningAgent.folder(url, requestors: names, softwareStatement: statement, more: trust))
            await server.stop()
            return [one, fifty, wakeUps]
        } catch {
            await server.stop()
            throw error
        }
    }

    /// - Parameters:
    ///   - pause: before memory is read. The figures are about rest, which lasts for days; what the calls needed is let go
    ///     within some seconds.
    ///   - time: how long wake-ups are counted; `nil` counts none.
    /// - Returns: megabytes, and wake-ups in a minute.
    private static func rest(
        _ names: [String], after pause: Duration, counting time: Duration?, in folder: TemporaryFolder
    ) async throws -> (memory: Double, wakeUps: Double) {
        let agent = try RunningAgent(folder)
        try await agent.isReady()
        for name in names {
            // The server hears of a new application within a second.
            try await eventually("providers of \(name)") {
                try await agent.call(.get, "/v1/requestors/\(name)/providers").status == 200 ? () : nil
            }
        }
        try await Task.sleep(for: pause)
        let memory = try ProcessFacts.residentMemory(of: agent.process.pid)
        var wakeUps = 0.0
        if let time {
            let before = try ProcessFacts.wakeUps(of: agent.process.pid)
            try await Task.sleep(for: time)
            let count = try ProcessFacts.wakeUps(of: agent.process.pid) - before
            talk("\(count) wake-ups in \(time.milliseconds / 1000) s")
            wakeUps = Double(count) * 60_000 / time.milliseconds
        }
        guard await agent.stop() == .exited(0) else { throw NotMeasured(description: "the agent did not end well") }
        return (Double(memory) / 1_048_576, wakeUps)
    }

    private static func certificate(in folder: String) async throws -> (certificate: String, key: String) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (certificate, key) = ("\(folder)/chain.pem", "\(folder)/key.pem")
        let made = try await ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=bench", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]
        ).run()
        guard made.end == .exited(0) else { throw NotMeasured(description: made.talk) }
        return (certificate, key)
    }
}
