import TestSupport

/// Polls of codes nobody has signed in with yet, against nginx that answers as many bytes without looking.
struct SignedPolls: Measurement {
    let figures = [
        Figure(
            name: "checkauthn-code", unit: "ratio", goal: .atLeast(0.7),
            meaning: "signed checkauthn/{code} of pending codes per second, over nginx 'return 200' of the same size"),
        Figure(
            name: "checkauthn-processor", unit: "ratio", goal: .atMost(1.4),
            meaning: "the server's processor time for one of these, over nginx's for its answer"),
        Figure(
            name: "checkauthn-device", unit: "ratio", goal: .atLeast(0.6),
            meaning: "signed checkauthn?deviceId= of pending boxes per second, over nginx 'return 200' of the same size"
        ),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/signed-polls"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(1000, rehearsal: 50), in: folder)
            let byCode = try await self.compare(server, boxes.map(\.codePath), "code", surroundings, in: folder)
            let byDevice = try await self.compare(server, boxes.map(\.devicePath), "device", surroundings, in: folder)
            return [byCode.rate, byCode.processorTime, byDevice.rate]
        }
    }

    private func compare(
        _ server: BenchServer, _ paths: [String], _ name: String, _ surroundings: Surroundings, in folder: String
    ) async throws -> (rate: Double, processorTime: Double) {
        let calls = SignedCalls(server: server).polls(paths, signing: withoutQuery)
        let script = try RotatingCalls(calls: calls).script(in: "\(folder)/\(name)")
        return try await NginxComparison(server: server, script: script, name: name)
            .run(surroundings, in: "\(folder)/\(name)")
    }
}

/// What a box of ours signs: the path (rest-v1 7.4, form 1).
func withoutQuery(_ path: String) -> String { String(path.prefix { $0 != "?" }) }
