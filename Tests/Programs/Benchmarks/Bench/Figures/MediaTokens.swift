import HTTPClient
import RealPrograms
import TestSupport

/// What a box asks for before each playback, against the one thing in it that cannot be made cheaper.
struct MediaTokens: Measurement {
    let figures = [
        Figure(
            name: "authorize-media", unit: "ratio", goal: .atLeast(0.9),
            meaning: "authorize from a stored decision and mediatoken, both together as one, per second,"
                + " over the RSA-2048 signatures of 'openssl speed' on the same processor")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/media-tokens"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(50, rehearsal: 3), in: folder)
            let paths = boxes.flatMap { [Self.path("authorize", $0), Self.path("mediatoken", $0)] }
            try await Self.prepare(boxes, server)
            let script = try RotatingCalls(calls: SignedCalls(server: server).polls(paths, signing: withoutQuery))
                .script(in: folder)
            let load = LoadGenerator(script: script, url: server.url, seconds: surroundings.amount(3, rehearsal: 1))
            var ratios: [Double] = []
            for _ in 0..<surroundings.amount(5, rehearsal: 1) {
                let signatures = try await Self.signaturesPerSecond(seconds: load.seconds)
                let outcome = try await load.run()
                guard outcome.otherThanSuccess == 0
                else { throw NotMeasured(description: "\(outcome.otherThanSuccess) calls were refused") }
                let pairs = outcome.requestsPerSecond / 2
                talk("authorize and mediatoken: \(Int(pairs))/s, signatures of openssl: \(Int(signatures))/s")
                ratios.append(pairs / signatures)
            }
            return [ratios.median]
        }
    }

    /// Signs the boxes in, and has a decision stored for each.
    private static func prepare(_ boxes: [BenchServer.Box], _ server: BenchServer) async throws {
        let client = HTTPClient()
        try await ending({ await client.shutDown() }) {
            for box in boxes {
                try await server.signIn(box)
                try await server.call(Self.path("authorize", box), with: client, nonce: "first-\(box.code)")
            }
        }
    }

    private static func path(_ endpoint: String, _ box: BenchServer.Box) -> String {
        let resource = HTMLForm.urlEncoded(DemoFolder.channel)
        return "/api/v1/\(endpoint)?deviceId=\(box.deviceID)&requestor=\(BenchServer.requestor)&resource=\(resource)"
    }

    /// The last line of its table has the numbers: `rsa 2048 bits <sign s> <verify s> <sign/s> <verify/s>`.
    private static func signaturesPerSecond(seconds: Int) async throws -> Double {
        let (end, output, talk) = try await ChildProcess(
            "taskset", ["-c", Processors.server, "openssl", "speed", "-seconds", "\(seconds)", "rsa2048"]
        ).run()
        let words = output.split(separator: "\n").last { $0.hasPrefix("rsa 2048") }?.split(separator: " ") ?? []
        guard end == .exited(0), words.count >= 2, let rate = Double(words[words.count - 2])
        else { throw NotMeasured(description: "openssl speed did not say its rate: \(output) \(talk)") }
        return rate
    }
}
