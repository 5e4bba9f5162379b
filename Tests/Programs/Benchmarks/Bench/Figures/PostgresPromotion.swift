import HTTPClient
import RealPrograms
import TestSupport

/// The primary is lost and a standby takes over: how long nothing is kept.
struct PostgresPromotion: Measurement {
    let figures = [
        Figure(
            name: "postgres-promotion", unit: "s", goal: .atMost(2),
            meaning: "from the order to promote the standby of a lost primary to the first code created, the longest")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        var times: [Double] = []
        for round in 0..<surroundings.amount(5, rehearsal: 1) {
            let time = try await self.time(surroundings, in: "\(surroundings.folder)/postgres-promotion-\(round)")
            talk("created \(time.rounded(places: 2)) s after the order to promote")
            times.append(time)
        }
        return [times.max() ?? 0]
    }

    private func time(_ surroundings: Surroundings, in folder: String) async throws -> Double {
        let primary = try await BenchPostgres.start(surroundings, in: "\(folder)/primary")
        return try await ending({ await primary.stop() }) {
            let standby = try await primary.startStandby(surroundings, in: "\(folder)/standby")
            return try await ending({ await standby.stop() }) {
                let demo = try await BenchServer.demo(
                    surroundings, on: primary, or: standby, database: "promotion", in: "\(folder)/server")
                let server = try await BenchServer.start(demo, surroundings, onOneProcessor: false)
                return try await ending({ await server.stop() }) {
                    try await self.lose(primary, standby, server)
                }
            }
        }
    }

    private func lose(_ primary: BenchPostgres, _ standby: BenchPostgres, _ server: BenchServer) async throws -> Double
    {
        let client = HTTPClient()
        return try await ending({ await client.shutDown() }) {
            guard try await server.create(for: "before", with: client) == 201 else {
                throw NotMeasured(description: "no code was created before the primary was lost")
            }
            await primary.kill()
            // Nothing can be kept now, and the server knows it.
            guard try await server.create(for: "meanwhile", with: client) == 503 else {
                throw NotMeasured(description: "a code was created without a primary")
            }
            async let told = standby.promote()
            var box = 0
            let created = try await eventually("code after the promotion", within: .seconds(60)) {
                box += 1
                return try await server.create(for: "after-\(box)", with: client) == 201 ? ContinuousClock.now : nil
            }
            return try await created.milliseconds(since: told) / 1000
        }
    }
}
