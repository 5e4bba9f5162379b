import FoundationEssentials
import RealPrograms

/// What a box that waits costs the server in resident memory.
struct HeldMemory: Measurement {
    let figures = [
        Figure(
            name: "held-memory", unit: "KB", goal: .atMost(12),
            meaning: "resident memory per box held in 'Prefer: wait', the worse of new connections and used ones")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/held-memory"
        var server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let boxes: [BenchServer.Box]
        do {
            boxes = try await server.createCodes(surroundings.amount(10_000, rehearsal: 200), in: folder)
        } catch {
            await server.stop()
            throw error
        }
        var results: [Double] = []
        for isUsed in [false, true] {
            // A fresh process: memory that creating the codes left behind would hide what waiting takes.
            await server.stop()
            server = try await server.startAgain()
            do {
                results.append(try await self.measure(server, boxes, afterPolling: isUsed))
            } catch {
                await server.stop()
                throw error
            }
        }
        await server.stop()
        talk(
            "\(boxes.count) boxes held: new connections \(results[0].rounded(places: 2)) KB each, "
                + "connections that polled before \(results[1].rounded(places: 2)) KB each")
        return [max(results[0], results[1])]
    }

    /// - Returns: kilobytes of 1,024 bytes for each box.
    private func measure(
        _ server: BenchServer, _ boxes: [BenchServer.Box], afterPolling isUsed: Bool
    ) async throws -> Double {
        guard let port = URLComponents(string: server.url)?.port.flatMap({ UInt16(exactly: $0) }) else {
            throw NotMeasured(description: "the server has no port")
        }
        let before = try server.running.residentMemory()
        let connections = HeldConnections(port: port)
        for (index, box) in boxes.enumerated() {
            let before = isUsed ? self.request(box, index, server, waits: false) : nil
            try connections.add(self.request(box, index, server, waits: true), after: before)
        }
        try await server.running.waitUntilHeld(boxes.count)
        let after = try server.running.residentMemory()
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
