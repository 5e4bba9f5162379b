import TestSupport

/// The lock icons of a long list of channels.
struct Preauthorizations: Measurement {
    private static let resources = 50

    let figures = [
        Figure(
            name: "preauthorize-50", unit: "ratio", goal: .atMost(10),
            meaning: "preauthorize of 50 resources by signed-in boxes: the 99th percentile over 32 connections, over"
                + " the median of one connection alone")
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
            var ratios: [Double] = []
            for _ in 0..<surroundings.amount(5, rehearsal: 1) {
                load.connections = 1
                let alone = try await load.run()
                load.connections = 32
                let many = try await load.run()
                guard alone.otherThanSuccess + many.otherThanSuccess == 0
                else { throw NotMeasured(description: "some calls were refused") }
                let (median, slowest) = (alone.median.milliseconds, many.slowest.milliseconds)
                talk(
                    "\(Int(many.requestsPerSecond)) lists/s, 99th percentile \(slowest.rounded(places: 2)) ms;"
                        + " alone, median \(median.rounded(places: 2)) ms")
                ratios.append(slowest / median)
            }
            return [ratios.median]
        }
    }

    private static func path(_ box: BenchServer.Box) -> String {
        let list = (1...Self.resources).map { "Channel%20\($0)" }.joined(separator: ",")
        return "/api/v1/preauthorize?deviceId=\(box.deviceID)&requestor=\(BenchServer.requestor)&resource=\(list)"
    }
}
