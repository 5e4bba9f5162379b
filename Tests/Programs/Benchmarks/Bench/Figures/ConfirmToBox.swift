import HTTPClient
import RealPrograms
import TestSupport

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
        return try await ending({ await server.stop() }) {
            let boxes = try await server.createCodes(surroundings.amount(250, rehearsal: 5), in: folder)
            let client = HTTPClient()
            var times: [Double] = []
            for (number, box) in boxes.enumerated() {
                times.append(try await Self.pair(box, of: number, waitingAt: server, confirmedAt: server, client))
            }
            await client.shutDown()
            talk("\(times.count) pairings, median \(times.median.rounded(places: 1)) ms")
            return [times.percentile(0.99)]
        }
    }

    /// One pairing, whose box waits at one node while its viewer confirms at one, the same or another.
    /// - Parameter household: counts the pairings from 0: each viewer is in a network of its own, so that the limit on pages
    ///   is not theirs together.
    /// - Returns: milliseconds.
    static func pair(
        _ box: BenchServer.Box, of household: Int, waitingAt server: BenchServer, confirmedAt other: BenchServer,
        _ client: HTTPClient
    ) async throws -> Double {
        let phone = Phone(client, behindProxyAt: LoadFiles.address(household << 8 | 1))
        let page = try await phone.walkToConfirmation(
            from: "\(other.url)/activate?code=\(box.code)", as: other.running.demo.viewer)
        async let answered = self.wait(box, server, client)
        try await server.running.waitUntilHeld(1)
        let confirmed = ContinuousClock.now
        _ = try await phone.decide(.confirm, on: page)
        return try await answered.milliseconds(since: confirmed)
    }

    /// Asks as a box does until it is signed in, and says when the answer was there. An answer before that tells of a step of
    /// the viewer which this node has only just heard of.
    private static func wait(
        _ box: BenchServer.Box, _ server: BenchServer, _ client: HTTPClient
    ) async throws -> ContinuousClock.Instant {
        var request = HTTPClient.Request(.get, server.url + box.codePath)
        request.headers["Prefer"] = "wait=50"
        request.timeout = .seconds(120)
        var status = 0
        for look in 0..<10 {
            request.headers["Authorization"] = server.authorization(
                "GET", withoutQuery(box.codePath), nonce: "wait-\(box.code)-\(look)")
            status = try await client.send(request).status
            let moment = ContinuousClock.now
            if status == 200 { return moment }
            guard status == 403 else { break }
        }
        throw NotMeasured(description: "the box was answered \(status) instead of 200")
    }
}

extension ContinuousClock.Instant {
    func milliseconds(since earlier: ContinuousClock.Instant) -> Double { (self - earlier).milliseconds }
}

extension Duration {
    var milliseconds: Double { Double(self.components.seconds) * 1000 + Double(self.components.attoseconds) / 1e15 }
}
