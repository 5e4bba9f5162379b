import RealPrograms
import TestSupport

/// Durable creations of codes, against SQLite that commits the same rows in as large batches and does nothing else.
struct Creations: Measurement {
    let figures = [
        Figure(
            name: "regcode-creations", unit: "ratio", goal: .atLeast(0.8),
            meaning: "codes created per second with 64 connections, over a bare SQLite loop that commits the same rows")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        var ratios: [Double] = []
        for run in 0..<surroundings.amount(3, rehearsal: 1) {
            ratios.append(try await self.ratio(surroundings, in: "\(surroundings.folder)/creations-\(run)"))
        }
        return [ratios.median]
    }

    private func ratio(_ surroundings: Surroundings, in folder: String) async throws -> Double {
        // The loop has a processor for itself, which the server's writer would otherwise share with its connections.
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server", onOneProcessor: false)
        let (outcome, batch) = try await ending({ await server.stop() }) {
            let script = try SignedCalls(server: server).creationScript(run: "made", in: folder)
            let seconds = surroundings.amount(5, rehearsal: 1)
            let before = try await Self.counts(server)
            let outcome = try await LoadGenerator(script: script, url: server.url, seconds: seconds).run()
            let after = try await Self.counts(server)
            guard outcome.otherThanSuccess == 0 else {
                throw NotMeasured(description: "\(outcome.otherThanSuccess) creations were refused")
            }
            return (outcome, (after.transactions - before.transactions) / max(after.commits - before.commits, 1))
        }
        // It is stopped, so that every row is in the file and nothing else writes to the disk.
        let limit = try await Self.limit(surroundings, of: server, batch: max(Int(batch.rounded()), 1), in: folder)
        talk(
            "created \(Int(outcome.requestsPerSecond))/s, \(batch.rounded(places: 1)) a commit; SQLite \(Int(limit))/s")
        return outcome.requestsPerSecond / limit
    }

    private static func counts(_ server: BenchServer) async throws -> (commits: Double, transactions: Double) {
        (
            try await server.running.metric("store_commits_total"),
            try await server.running.metric("store_transactions_total")
        )
    }

    /// Rows per second of the bare loop over the server's own rows.
    private static func limit(
        _ surroundings: Surroundings, of server: BenchServer, batch: Int, in folder: String
    ) async throws -> Double {
        let arguments = [
            server.running.demo.store, "\(folder)/limit.sqlite", "codes", "\(batch)",
            "\(surroundings.amount(5, rehearsal: 1))",
        ]
        let (end, output, talk) = try await ChildProcess(surroundings.programs.program("sqlite-limit"), arguments).run()
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard end == .exited(0), numbers.count == 2, numbers[1] > 0 else {
            throw NotMeasured(description: "sqlite-limit ended with \(end): \(talk)")
        }
        return numbers[0] / numbers[1]
    }
}
