import HTTPClient
import RealPrograms
import TestSupport

/// From the press on Confirm at one node to the answer in the box that waits at another.
struct PostgresConfirmation: Measurement {
    let figures = [
        Figure(
            name: "postgres-confirm-to-box", unit: "ms", goal: .atMost(50),
            meaning: "from sending the confirmation to one node to the answer that another one held, 99th percentile")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/postgres-confirm"
        let postgres = try await BenchPostgres.start(surroundings, in: "\(folder)/postgres")
        return try await ending({ await postgres.stop() }) {
            let demo = try await BenchServer.demo(surroundings, on: postgres, database: "nodes", in: "\(folder)/one")
            let neighbour = try await demo.copy(to: "\(folder)/other")
            let one = try await BenchServer.start(demo, surroundings, onOneProcessor: false)
            return try await ending({ await one.stop() }) {
                let other = try await BenchServer.start(neighbour, surroundings, onOneProcessor: false)
                return try await ending({ await other.stop() }) {
                    [try await self.measure(one, other, surroundings, in: folder)]
                }
            }
        }
    }

    private func measure(
        _ one: BenchServer, _ other: BenchServer, _ surroundings: Surroundings, in folder: String
    ) async throws -> Double {
        let boxes = try await one.createCodes(surroundings.amount(250, rehearsal: 5), in: folder)
        let client = HTTPClient()
        return try await ending({ await client.shutDown() }) {
            var times: [Double] = []
            for (number, box) in boxes.enumerated() {
                times.append(try await ConfirmToBox.pair(box, of: number, waitingAt: one, confirmedAt: other, client))
            }
            talk("\(times.count) pairings, median \(times.median.rounded(places: 1)) ms")
            return times.percentile(0.99)
        }
    }
}
