import HTTPClient
import RealPrograms
import TestSupport

/// What each page of a pairing costs the server.
struct PageTime: Measurement {
    let figures = [
        Figure(
            name: "page-time", unit: "ms", goal: .atMost(1),
            meaning: "the server's processor time for the page of a pairing that takes most, from the code to the end")
    ]

    /// A viewer who is on a page.
    private struct Visitor {
        let phone: Phone
        var page: Phone.Page
    }

    /// How often each viewer loads each page, with the load that is read: more would be taken for guessing.
    private static let loads = 5

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/page-time"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let client = HTTPClient()
        return try await ending({
            await client.shutDown()
            await server.stop()
        }) {
            let boxes = try await server.createCodes(surroundings.amount(150, rehearsal: 4), in: folder)
            let cost = try await self.highestCost(boxes, server, client)
            return [cost]
        }
    }

    /// Walks all viewers through the pages together, and looks at each page again before they go on.
    private func highestCost(
        _ boxes: [BenchServer.Box], _ server: BenchServer, _ client: HTTPClient
    ) async throws -> Double {
        var visitors: [Visitor] = []
        for (number, box) in boxes.enumerated() {
            // A household's network each.
            let phone = Phone(client, behindProxyAt: LoadFiles.address(number << 8 | 1))
            visitors.append(
                Visitor(phone: phone, page: try await phone.open("\(server.url)/activate?code=\(box.code)")))
        }
        var costs = [try await self.cost(of: visitors, server)]
        while visitors.contains(where: { !$0.page.isConfirmation }) {
            guard costs.count < 10 else { throw NotMeasured(description: "no page asks for the decision") }
            try await self.advance(&visitors) {
                try await $0.phone.goOn(from: $0.page, as: server.running.demo.viewer)
            }
            costs.append(try await self.cost(of: visitors, server))
        }
        try await self.advance(&visitors) { try await $0.phone.decide(.confirm, on: $0.page) }
        costs.append(try await self.cost(of: visitors, server))
        return costs.max() ?? 0
    }

    private func advance(_ visitors: inout [Visitor], _ step: (Visitor) async throws -> Phone.Page) async throws {
        for index in visitors.indices { visitors[index].page = try await step(visitors[index]) }
    }

    /// Loads the page that each viewer is on, compressed as browsers do. That it is still that page is seen from one that is
    /// not, outside of what is measured.
    /// - Returns: milliseconds of the server's processor for each load.
    private func cost(of visitors: [Visitor], _ server: BenchServer) async throws -> Double {
        let before = try ProcessFacts.processorTime(of: server.running.pid)
        for visitor in visitors {
            for _ in 1..<Self.loads {
                let again = try await visitor.phone.loadCompressed(visitor.page.url)
                guard again.status == 200, again.headers["Content-Encoding"] == "gzip"
                else { throw NotMeasured(description: "the page is not compressed: \(again.status)") }
            }
        }
        let spent = try ProcessFacts.processorTime(of: server.running.pid) - before
        for visitor in visitors {
            let again = try await visitor.phone.open(visitor.page.url)
            guard again.status == 200, again.content.title == visitor.page.content.title
            else { throw NotMeasured(description: "the page is another one: \(again.summary)") }
        }
        let cost = spent * 1000 / Double(visitors.count * (Self.loads - 1))
        talk("\(visitors.first?.page.content.title ?? ""): \(cost.rounded(places: 2)) ms")
        return cost
    }
}
