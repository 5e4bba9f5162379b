import TestSupport

/// The lock icons of a long list of channels.
struct Preauthorizations: Measurement {
    private static let resources = 50

    let figures = [
        Figure(
            name: "preauthorize-50", unit: "ms", goal: .atMost(5),
            meaning: "preauthorize of 50 resources by signed-in boxes over 32 connections, 99th percentile")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/preauthorizations"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(50, rehearsal: 3), in: folder)
            for box in boxes { try await server.signIn(box) }
            let calls = SignedCalls(server: server).polls(boxes.map(Self.path), signing: withoutQuery)
            var load = LoadGenerator(
                script: try RotatingCalls(calls: calls).script(in: folder), url: server.url,
                seconds: surroundings.amount(3, rehearsal: 1))
            load.connections = 32
            var times: [Double] = []
            for _ in 0..<surroundings.amount(5, rehearsal: 1) {
                let outcome = try await load.run()
                guard outcome.otherThanSuccess == 0
                else { throw NotMeasured(description: "\(outcome.otherThanSuccess) calls were refused") }
                talk(
                    "\(Int(outcome.requestsPerSecond)) lists/s, 99th percentile"
                        + " \(outcome.slowest.milliseconds.rounded(places: 2)) ms")
                times.append(outcome.slowest.milliseconds)
            }
            return [times.median]
        }
    }

    private static func path(_ box: BenchServer.Box) -> String {
        let list = (1...Self.resources).map { "Channel%20\($0)" }.joined(separator: ",")
        return "/api/v1/preauthorize?deviceId=\(box.deviceID)&requestor=\(BenchServer.requestor)&resource=\(list)"
    }
}
