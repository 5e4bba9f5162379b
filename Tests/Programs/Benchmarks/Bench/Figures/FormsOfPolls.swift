import TestSupport

/// Polls of boxes nobody has signed in with yet, in the other forms: with a bearer token, and answered in XML.
struct FormsOfPolls: Measurement {
    let figures = [
        Figure(
            name: "checkauthn-bearer", unit: "ratio", goal: .atLeast(0.6),
            meaning: "checkauthn?deviceId= of pending boxes per second with bearer tokens, over nginx 'return 200' of"
                + " the same size"),
        Figure(
            name: "checkauthn-xml", unit: "ratio", goal: .atLeast(0.9),
            meaning: "signed checkauthn?deviceId= of pending boxes per second answered in XML, over the same in JSON"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/forms-of-polls"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(1000, rehearsal: 50), in: folder)
            return [
                try await self.bearer(server, boxes, surroundings, in: "\(folder)/bearer"),
                try await self.xml(server, boxes, surroundings, in: "\(folder)/xml"),
            ]
        }
    }

    /// Each box has an installation, and so a token, of its own.
    private func bearer(
        _ server: BenchServer, _ boxes: [BenchServer.Box], _ surroundings: Surroundings, in folder: String
    ) async throws -> Double {
        let tokens = try await server.bearerTokens(boxes.count)
        let calls = zip(boxes, tokens).map { box, token in
            RotatingCalls.Call(path: box.devicePath, authorization: "Bearer \(token)")
        }
        let script = try RotatingCalls(calls: calls).script(in: folder)
        return try await NginxComparison(server: server, script: script, name: "bearer").run(surroundings, in: folder)
            .rate
    }

    private func xml(
        _ server: BenchServer, _ boxes: [BenchServer.Box], _ surroundings: Surroundings, in folder: String
    ) async throws -> Double {
        let calls = SignedCalls(server: server).polls(boxes.map(\.devicePath), signing: withoutQuery)
        func load(_ accept: String, _ name: String) throws -> LoadGenerator {
            let script = try RotatingCalls(calls: calls, accept: accept).script(in: "\(folder)/\(name)")
            return LoadGenerator(script: script, url: server.url, seconds: 1)
        }
        return try await PairedRuns(
            of: load("application/xml", "xml"), named: "XML", against: load("application/json", "json"), named: "JSON"
        ).medianRatio(surroundings)
    }
}
