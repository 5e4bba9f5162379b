import HTTPClient
import RealPrograms
import TestSupport

/// From the press on Confirm to "Your TV is ready" on the phone.
struct PageReady: Measurement {
    let figures = [
        Figure(
            name: "page-ready", unit: "ms", goal: .atMost(100),
            meaning: "from sending the confirmation to the page's word that the waiting TV is ready, 99th percentile")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/page-ready"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let (client, boxClient) = (HTTPClient(), HTTPClient())
        func end() async {
            await client.shutDown()
            await boxClient.shutDown()
            await server.stop()
        }
        return try await ending({ await end() }) {
            let boxes = try await server.createCodes(surroundings.amount(250, rehearsal: 5), in: folder)
            var times: [Double] = []
            for (number, box) in boxes.enumerated() {
                // A household's network each.
                let phone = Phone(client, behindProxyAt: LoadFiles.address(number << 8 | 1))
                times.append(try await self.pair(box, phone, server, boxClient))
            }
            talk("\(times.count) pairings, median \(times.median.rounded(places: 1)) ms")
            return [times.percentile(0.99)]
        }
    }

    /// One pairing of a box that waits. - Returns: milliseconds.
    private func pair(
        _ box: BenchServer.Box, _ phone: Phone, _ server: BenchServer, _ client: HTTPClient
    ) async throws -> Double {
        let page = try await phone.walkToConfirmation(
            from: "\(server.url)/activate?code=\(box.code)", as: server.running.demo.viewer)
        async let answered: Void = server.call(box.codePath, with: client, nonce: "ready-\(box.code)", isHeld: true)
        try await server.running.waitUntilHeld(1)
        let confirmed = ContinuousClock.now
        let done = try await phone.decide(.confirm, on: page)
        if let question = done.source.firstMatch(of: /data-answer="([^"]+)"/) {
            let address = String(question.1).replacing("&amp;", with: "&")
            let word = try await phone.ask(address, of: done)
            guard word.status == 200, word.text == "ready"
            else { throw NotMeasured(description: "the page was told \(word.status) “\(word.text)”") }
        } else if !done.source.contains("answer ready") {
            throw NotMeasured(description: "the page says nothing of the TV: \(done.summary)")
        }
        let time = ContinuousClock.now.milliseconds(since: confirmed)
        try await answered
        return time
    }
}
