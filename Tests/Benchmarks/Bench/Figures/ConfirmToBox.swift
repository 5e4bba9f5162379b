import HTTPClient
import RealPrograms

/// From the press on Confirm to the answer in the box that waits.
struct ConfirmToBox: Measurement {
    let figures = [
        Figure(
            name: "confirm-to-box", unit: "ms", goal: .atMost(25),
            meaning: "from sending the confirmation to the held request's answer in the box, 99th percentile")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/confirm"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        do {
            let boxes = try await server.createCodes(surroundings.amount(250, rehearsal: 5), in: folder)
            let client = HTTPClient()
            var times: [Double] = []
            for box in boxes { times.append(try await self.pair(box, server, client)) }
            await client.shutDown()
            await server.stop()
            talk("\(times.count) pairings, median \(times.median.rounded(places: 1)) ms")
            return [times.percentile(0.99)]
        } catch {
            await server.stop()
            throw error
        }
    }

    /// One pairing. - Returns: milliseconds.
    private func pair(_ box: BenchServer.Box, _ server: BenchServer, _ client: HTTPClient) async throws -> Double {
        let phone = Phone()
        let page = try await phone.walkToConfirmation(
            from: "\(server.url)/activate?code=\(box.code)", as: server.running.demo.viewer)
        async let answered = self.wait(box, server, client)
        try await server.running.waitUntilHeld(1)
        let confirmed = ContinuousClock.now
        _ = try await phone.decide(.confirm, on: page)
        return try await answered.milliseconds(since: confirmed)
    }

    /// Asks as a box does, and says when the answer was there.
    private func wait(
        _ box: BenchServer.Box, _ server: BenchServer, _ client: HTTPClient
    ) async throws -> ContinuousClock.Instant {
        var request = HTTPClient.Request(.get, server.url + box.codePath)
        request.headers["Authorization"] = server.authorization(
            "GET", withoutQuery(box.codePath), nonce: "wait-\(box.code)")
        request.headers["Prefer"] = "wait=50"
        request.timeout = .seconds(60)
        let response = try await client.send(request)
        let moment = ContinuousClock.now
        guard response.status == 200 else {
            throw NotMeasured(description: "the box was answered \(response.status) instead of 200")
        }
        return moment
    }
}

extension ContinuousClock.Instant {
    func milliseconds(since earlier: ContinuousClock.Instant) -> Double { (self - earlier).milliseconds }
}

extension Duration {
    var milliseconds: Double {
        Double(self.components.seconds) * 1000 + Double(self.components.attoseconds) / 1e15
    }
}
