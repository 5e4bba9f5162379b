import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// The same polls with few and with many live codes in the store, each of the codes polled in turn.
struct LiveCodes: Measurement {
    let figures = [
        Figure(
            name: "live-codes-by-code", unit: "ratio", goal: .atMost(1.05),
            meaning: "instructions of a signed checkauthn/{code} with 200,000 live codes, over the same with 1,000"),
        Figure(
            name: "live-codes-by-device", unit: "ratio", goal: .atMost(1.05),
            meaning: "instructions of a signed checkauthn?deviceId= with 200,000 live codes, over the same with 1,000"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/live-codes"
        let few = try await self.instructions(1000, surroundings, in: "\(folder)/few")
        let many = try await self.instructions(
            surroundings.amount(200_000, rehearsal: 2000), surroundings, in: "\(folder)/many")
        return zip(many, few).map { $0 / $1 }
    }

    /// Of a poll by code and of one by device, at a server that was restarted after its codes had been created.
    private func instructions(_ codes: Int, _ surroundings: Surroundings, in folder: String) async throws -> [Double] {
        talk("creating \(codes) codes")
        let first = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let boxes = try await ending({ await first.stop() }) { try await first.createCodes(codes, in: folder) }
        let server = try await BenchServer.start(
            first.running.demo, surroundings, onOneProcessor: true, after: Callgrind.preparation(in: folder))
        return try await ending({ await server.stop() }) {
            let callgrind = Callgrind(server.running, in: folder)
            let polls = [boxes.map(\.codePath), boxes.map(\.devicePath)]
            // Long enough for once round, so that what memory holds of every code is there.
            for (number, paths) in polls.enumerated() {
                let script = try RotatingCalls(calls: SignedCalls(server: server).polls(paths, signing: withoutQuery))
                    .script(in: "\(folder)/\(number)")
                let outcome = try await LoadGenerator(
                    script: script, url: server.url, seconds: surroundings.amount(120, rehearsal: 3)
                ).run()
                guard outcome.requests >= codes
                else { throw NotMeasured(description: "only \(outcome.requests) of \(codes) codes were polled") }
            }
            try await callgrind.begin()
            var counts: [Double] = []
            for (number, paths) in polls.enumerated() {
                let calls = (0..<200).map { paths[$0 * paths.count / 200] }
                try await Self.poll(calls, server)
                let profile = try await callgrind.count(stretch: number) { try await Self.poll(calls, server) }
                let count = try await InstructionCounts(profile, calls: calls.count, without: []).instructions
                talk("\(codes) codes: \(count.rounded(places: 1)) thousand instructions")
                counts.append(count)
            }
            return counts
        }
    }

    private static func poll(_ paths: [String], _ server: BenchServer) async throws {
        for (number, path) in paths.enumerated() {
            var request = HTTPClient.Request(.get, server.url + path)
            request.headers["X-Forwarded-For"] = LoadFiles.address(number)
            request.headers["Authorization"] = server.authorization("GET", withoutQuery(path), nonce: "\(UUID())")
            let status = try await server.running.send(request).status
            guard status == 403 else { throw NotMeasured(description: "a poll was answered \(status)") }
        }
    }
}
