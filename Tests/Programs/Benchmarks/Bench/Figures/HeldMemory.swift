import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// What a box that waits costs the server in resident memory.
struct HeldMemory: Measurement {
    let figures = [
        Figure(
            name: "held-memory", unit: "KB", goal: .atMost(3.5),
            meaning: "resident memory, without code, per box held in 'Prefer: wait', the worse of new connections and"
                + " used ones"),
        Figure(
            name: "held-memory-tls", unit: "KB", goal: .atMost(24),
            meaning: "the same over HTTPS that the server speaks itself, new connections, twenty at a time"),
        Figure(
            name: "server-memory", unit: "MB", goal: .atMost(60),
            meaning: "resident memory of a server with 10,000 live codes after ten seconds of polls, with the limits as"
                + " they come"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/held-memory"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let boxes = try await ending({ await server.stop() }) {
            try await server.createCodes(surroundings.amount(9000, rehearsal: 200), in: folder)
        }
        var results: [Double] = []
        for isUsed in [false, true] {
            // A fresh process: memory that creating the codes left behind would hide what waiting takes.
            let fresh = try await server.startAgain()
            try await ending({ await fresh.stop() }) {
                results.append(try await self.measure(fresh, boxes, afterPolling: isUsed))
            }
        }
        talk(
            "\(boxes.count) boxes held: new connections \(results[0].rounded(places: 2)) KB each, "
                + "connections that polled before \(results[1].rounded(places: 2)) KB each")
        return [
            max(results[0], results[1]), try await self.overTLS(surroundings, in: "\(folder)/tls"),
            try await self.underLoad(surroundings, in: "\(folder)/load"),
        ]
    }

    private func overTLS(_ surroundings: Surroundings, in folder: String) async throws -> Double {
        var server = try await BenchServer.start(surroundings, in: "\(folder)/server", speakingTLS: true)
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(2000, rehearsal: 20), in: folder)
            await server.stop()
            server = try await server.startAgain()
            let (running, before) = (server.running, try server.running.ownMemory())
            return try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, box) in boxes.enumerated() {
                    var request = HTTPClient.Request(.get, server.url + box.codePath)
                    request.timeout = .seconds(120)
                    request.headers["Prefer"] = "wait=55"
                    request.headers["X-Forwarded-For"] = LoadFiles.address(index << 8 | 1)
                    request.headers["Authorization"] = server.authorization(
                        "GET", withoutQuery(box.codePath), nonce: box.code)
                    group.addTask { [request] in _ = try await running.send(request) }
                    // More at once leave holes between what stays, which later handshakes use.
                    if (index + 1) % 20 == 0 { try await running.waitUntilHeld(index + 1) }
                }
                let after = try running.ownMemory()
                group.cancelAll()
                return Double(after - before) / Double(boxes.count) / 1024
            }
        }
    }

    private func underLoad(_ surroundings: Surroundings, in folder: String) async throws -> Double {
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server") {
            $0["pairing"] = nil
            $0["calls"]?["throttle"] = nil
        }
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(10_000, rehearsal: 50), in: folder)
            let calls = SignedCalls(server: server).polls(boxes.map(\.codePath), signing: withoutQuery)
            _ = try await LoadGenerator(
                script: RotatingCalls(calls: calls).script(in: folder), url: server.url,
                seconds: surroundings.amount(10, rehearsal: 1)
            ).run()
            return Double(try server.running.residentMemory()) / 1_048_576
        }
    }

    /// - Returns: kilobytes of 1,024 bytes for each box.
    private func measure(
        _ server: BenchServer, _ boxes: [BenchServer.Box], afterPolling isUsed: Bool
    ) async throws -> Double {
        let before = try server.running.ownMemory()
        let connections = HeldConnections(port: UInt16(server.running.port))
        for (index, box) in boxes.enumerated() {
            let before = isUsed ? self.request(box, index, server, waits: false) : nil
            try connections.add(self.request(box, index, server, waits: true), after: before)
        }
        try await server.running.waitUntilHeld(boxes.count)
        let after = try server.running.ownMemory()
        let answered = connections.answered()
        guard answered == 0 else { throw NotMeasured(description: "\(answered) of the polls were not held") }
        return Double(after - before) / Double(boxes.count) / 1024
    }

    private func request(_ box: BenchServer.Box, _ index: Int, _ server: BenchServer, waits: Bool) -> String {
        let header = server.authorization("GET", withoutQuery(box.codePath), nonce: "\(UUID())")
        return "GET \(box.codePath) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: \(header)\r\n"
            + "X-Forwarded-For: \(LoadFiles.address(index << 8 | 1))\r\n"
            + (waits ? "Prefer: wait=55\r\n" : "") + "\r\n"
    }
}
