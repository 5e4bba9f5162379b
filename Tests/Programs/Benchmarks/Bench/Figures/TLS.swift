import RealPrograms
import TestSupport

/// HTTPS that the server speaks itself, against nginx with the same key.
struct TLS: Measurement {
    let figures = [
        Figure(
            name: "tls-handshakes", unit: "ratio", goal: .atLeast(0.7),
            meaning: "new TLS connections for each second of the processor, over nginx with the same RSA-2048 key"),
        Figure(
            name: "tls-resumed", unit: "ratio", goal: .atLeast(0.7),
            meaning: "the same by a client that resumes its session and asks for one page"),
        Figure(
            name: "tls-polls", unit: "ratio", goal: .atLeast(0.7),
            meaning: "signed checkauthn/{code} of pending codes per second over connections that stay open, over nginx"
                + " 'return 200' of the same size, both with TLS"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/tls"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server", speakingTLS: true)
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(1000, rehearsal: 50), in: folder)
            let calls = SignedCalls(server: server).polls(boxes.map(\.codePath), signing: withoutQuery)
            let script = try RotatingCalls(calls: calls).script(in: folder)
            let polls = try await NginxComparison(server: server, script: script, name: "polls over TLS")
                .run(surroundings, in: folder)
            let nginx = try await NginxUnderTest.start(
                surroundings.nginx, answering: "x", with: server.running.demo, in: "\(folder)/nginx")
            return try await ending({ await nginx.stop() }) {
                var ratios: [Double] = []
                for words in [["-new"], ["-reuse", "-www", "/healthz"]] {
                    var measured: [Double] = []
                    for _ in 0..<surroundings.amount(5, rehearsal: 1) {
                        let theirs = try await Self.time(words, nginx.url, nginx.pid, surroundings)
                        measured.append(
                            theirs / (try await Self.time(words, server.url, server.running.pid, surroundings)))
                    }
                    ratios.append(measured.median)
                }
                return ratios + [polls.rate]
            }
        }
    }

    /// The server's processor time for a connection of `openssl s_time`, which makes one after the other.
    private static func time(
        _ words: [String], _ url: String, _ pid: Int32, _ surroundings: Surroundings
    ) async throws -> Double {
        let before = try ProcessFacts.processorTime(of: pid)
        let (end, output, said) = try await ChildProcess(
            "taskset",
            ["-c", Processors.load, "openssl", "s_time", "-connect", "\(url.dropFirst("https://".count))"]
                + ["-time", "\(surroundings.amount(3, rehearsal: 1))"] + words
        ).run()
        // `123 connections in 1.20s; …`
        let line = output.split(separator: "\n").first { $0.contains(" connections in ") }
        guard end == .exited(0), let count = line?.split(separator: " ").first.flatMap({ Double($0) }), count > 0
        else { throw NotMeasured(description: "openssl s_time: \(output) \(said)") }
        // It writes an `r` for each session that was resumed, and an asterisk for the others.
        let marks = output.split(separator: "\n").filter { $0.allSatisfy { "r*".contains($0) } }
        let resumed = marks.joined().count { $0 == "r" }
        let time = (try ProcessFacts.processorTime(of: pid) - before) / count
        talk("\(url) \(words): \((time * 1_000_000).rounded(places: 0)) us each, \(resumed) of \(Int(count)) resumed")
        return time
    }
}
