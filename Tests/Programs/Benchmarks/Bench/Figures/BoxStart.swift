import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// The box program on a terminal, from its start until the last line of the QR code is on the screen.
struct BoxStart: Measurement {
    let figures = [
        Figure(
            name: "box-start", unit: "ms", goal: .atMost(60),
            meaning: "from starting 'latchkey pair' to its QR code on the screen, less the server's answer; median"),
        Figure(
            name: "box-memory", unit: "MB", goal: .atMost(16),
            meaning: "resident memory of 'latchkey pair' two seconds into its wait, the most of all runs"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/box-start"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        return try await ending({ await server.stop() }) {
            var starts: [Double] = []
            var memory = 0
            let runs = surroundings.amount(21, rehearsal: 1)
            for run in 0..<runs {
                let (start, resident) = try await self.start(surroundings, server, state: "\(folder)/box-\(run)")
                starts.append(start)
                memory = max(memory, resident)
            }
            var network: [Double] = []
            for run in 0..<runs { network.append(try await self.creationTime(server, run)) }
            talk(
                "start to QR \(starts.median.rounded(places: 1)) ms, "
                    + "of which the server \(network.median.rounded(places: 1)) ms")
            return [starts.median - network.median, Double(memory) / 1_048_576]
        }
    }

    private func start(
        _ surroundings: Surroundings, _ server: BenchServer, state: String
    ) async throws -> (milliseconds: Double, memory: Int) {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let arguments = [
            "pair", "--config", server.running.demo.classicBoxConfiguration, "--state", "\(state)/state.json",
        ]
        let box = try TerminalProcess(
            surroundings.programs.box, arguments,
            environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"], columns: 100, rows: 60)
        try await server.running.waitUntilHeld(1)
        // The figure is about waiting, which lasts for minutes; what starting needed is let go within a second.
        try await Task.sleep(for: .seconds(2))
        let memory = try ProcessFacts.residentMemory(of: box.pid)
        let shown = box.outputs.last { output in output.bytes.holdsHalfBlock }
        box.end()
        guard let shown else { throw NotMeasured(description: "no QR code on the screen: \(box.text)") }
        // The server notices that the box is gone before the next one counts as held.
        try await eventually("released request") {
            try await server.running.metric("http_held_requests") == 0 ? () : nil
        }
        return (shown.moment.milliseconds(since: box.started), memory)
    }

    /// What the creation of a code takes on a new connection, in milliseconds.
    private func creationTime(_ server: BenchServer, _ run: Int) async throws -> Double {
        let client = HTTPClient()
        var request = HTTPClient.Request(
            .post, server.url + server.creationPath, body: Array("deviceId=network-\(run)".utf8))
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["Authorization"] = server.authorization("POST", server.creationPath, nonce: "network-\(run)")
        let start = ContinuousClock.now
        let response = try await client.send(request)
        let time = ContinuousClock.now.milliseconds(since: start)
        guard response.status == 201 else { throw NotMeasured(description: "no code: \(response.status)") }
        await client.shutDown()
        return time
    }
}

extension [UInt8] {
    /// Whether there is one of `▀`, `▄`, `█` among the bytes, in UTF-8.
    fileprivate var holdsHalfBlock: Bool {
        self.indices.dropLast(2).contains { place in
            self[place] == 0xE2 && self[place + 1] == 0x96 && [0x80, 0x84, 0x88].contains(self[place + 2])
        }
    }
}
