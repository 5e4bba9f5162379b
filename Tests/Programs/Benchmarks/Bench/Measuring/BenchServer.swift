import FoundationEssentials
import RealPrograms
import TestSupport

/// A server for measurements, with the demo's set-up and limits as an operator of many boxes would set them.
struct BenchServer: Sendable {
    /// A box with a pending code.
    struct Box: Sendable {
        let code: String
        let deviceID: String

        var codePath: String { "/api/v1/checkauthn/\(self.code)?requestor=\(BenchServer.requestor)" }
        var devicePath: String { "/api/v1/checkauthn?deviceId=\(self.deviceID)&requestor=\(BenchServer.requestor)" }
    }

    /// Takes a signature more than once, as calls of deployed clients and a load generator's need.
    static let requestor = DemoFolder.compatibleRequestor

    let running: RunningServer
    private let surroundings: Surroundings

    var programs: ProgramFolder { self.surroundings.programs }
    var url: String { self.running.url }
    var creationPath: String { "/reggie/v1/\(Self.requestor)/regcode" }

    /// Makes a set-up in `folder` and starts it.
    /// - Parameters:
    ///   - isAlone: on the one processor where nginx runs too, with one thread; else on all, as in service.
    ///   - isSecure: it speaks HTTPS itself.
    ///   - change: what else to configure.
    static func start(
        _ surroundings: Surroundings, in folder: String, onOneProcessor isAlone: Bool = true,
        speakingTLS isSecure: Bool = false, configuring change: (inout JSON) throws -> Void = { _ in }
    ) async throws -> BenchServer {
        var demo = try await self.demo(surroundings, in: folder, onOneProcessor: isAlone, configuring: change)
        if isSecure { try await demo.speakTLS() }
        return try await self.start(demo, surroundings, onOneProcessor: isAlone)
    }

    /// Starts a set-up that ``demo(_:in:onOneProcessor:configuring:)`` made.
    static func start(
        _ demo: DemoFolder, _ surroundings: Surroundings, onOneProcessor isAlone: Bool, after preparation: String? = nil
    ) async throws -> BenchServer {
        let running = try await RunningServer.start(
            demo, surroundings.programs, onProcessor: isAlone ? Processors.server : nil, after: preparation)
        return BenchServer(running: running, surroundings: surroundings)
    }

    /// Makes a set-up in `folder`.
    static func demo(
        _ surroundings: Surroundings, in folder: String, onOneProcessor isAlone: Bool,
        configuring change: (inout JSON) throws -> Void = { _ in }
    ) async throws -> DemoFolder {
        try FileManager.default.createDirectory(
            atPath: String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)]), withIntermediateDirectories: true
        )
        return try await DemoFolder.make(surroundings.programs, in: folder) { configuration in
            // The load comes from one machine that speaks for many, as a proxy does.
            configuration["server"]?["trustedProxies"] = ["127.0.0.1"]
            configuration["server"]?["maximumConnections"] = 15_000
            configuration["server"]?["maximumConnectionsPerAddress"] = 0
            configuration["server"]?["maximumHeldRequestsPerAddress"] = 0
            if isAlone { configuration["server"]?["threads"] = 1 }
            // As many as the longest list that is measured.
            configuration["requestors"] = .list(
                (configuration["requestors"]?.list ?? []).map { requestor in
                    var requestor = requestor
                    requestor["preauthorizationLimit"] = 50
                    return requestor
                })
            configuration["pairing"] = ["remembered": 1_000_000, "waiting": 20_000]
            // Switched on, with an allowance that a thousand callers at full speed do not use up.
            configuration["calls"]?["throttle"] = [
                "enabled": true, "deviceInterval": "1ms", "deviceBurst": 10_000, "addressInterval": "1ms",
                "addressBurst": 100_000, "remembered": 1_000_000,
            ]
            try change(&configuration)
        }
    }

    func startAgain() async throws -> BenchServer {
        let running = try await RunningServer.start(
            self.running.demo, self.surroundings.programs, onProcessor: Processors.server)
        return BenchServer(running: running, surroundings: self.surroundings)
    }

    func stop() async { await self.running.stop() }

    /// A header for one call.
    func authorization(_ verb: String, _ uri: String, nonce: String) -> String {
        self.running.demo.authorization(verb, uri, requestor: Self.requestor, nonce: nonce)
    }

    /// Creates codes through the API, each for a box of its own.
    func createCodes(_ count: Int, in folder: String) async throws -> [Box] {
        let answers = "\(folder)/answers.jsonl"
        let script = try SignedCalls(server: self).creationScript(
            run: "box", collecting: (count, answers), in: "\(folder)/creation")
        try await LoadGenerator(script: script, url: self.url, seconds: 300).runToItsEnd()
        let text = String(decoding: try Data(contentsOf: URL(filePath: answers)), as: UTF8.self)
        let decoder = JSONDecoder()
        let boxes = try text.split(separator: "\n").map { line in
            let answer = try decoder.decode(Answer.self, from: Data(line.utf8))
            return Box(code: answer.code, deviceID: answer.deviceID)
        }
        guard boxes.count == count else {
            throw NotMeasured(description: "\(boxes.count) of \(count) codes were created")
        }
        return boxes
    }

    /// The parts of a code's record that are of interest (rest-v1 11.1).
    private struct Answer: Decodable {
        struct Information: Decodable {
            let deviceId: String
        }

        let code: String
        let info: Information

        var deviceID: String {
            Data(base64Encoded: self.info.deviceId).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
