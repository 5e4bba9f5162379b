import AccessEnabler
import FoundationEssentials
import HTTPClient
import Observability
import RealPrograms
import Synchronization

/// Five thousand boxes that wait for their viewers, each with the box's own library, and a server that goes away for a
/// minute.
struct Herd: Measurement {
    let figures = [
        Figure(
            name: "herd-spread", unit: "s", goal: .atLeast(60),
            meaning:
                "over how long the first requests of 5,000 waiting boxes come after their server was gone for a minute"
        ),
        Figure(
            name: "herd-peak", unit: "percent", goal: .atMost(5),
            meaning: "the share of them that ask in the busiest second"),
        Figure(
            name: "herd-refused", unit: "boxes", goal: .atMost(0),
            meaning: "how many of those first requests the server turns away or fails"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/herd"
        var server = try await BenchServer.start(surroundings, in: "\(folder)/server", onOneProcessor: false)
        let count = surroundings.amount(5000, rehearsal: 50)
        let boxes = try Boxes(count, server, in: "\(folder)/boxes")
        do {
            return try await withThrowingTaskGroup(of: Void.self) { group in
                for box in boxes.all { group.addTask { await box.pair() } }
                try await server.running.waitUntilHeld(count, within: .seconds(300))
                talk("\(count) boxes wait")
                await server.running.kill()
                try await Task.sleep(for: .seconds(surroundings.amount(60, rehearsal: 1)))
                server = try await server.startAgain()
                let start = ContinuousClock.now
                for way in boxes.ways { way.begin(at: start) }
                let limit = ContinuousClock.now + .seconds(180)
                while boxes.returned.count < count, ContinuousClock.now < limit {
                    try await Task.sleep(for: .milliseconds(200))
                }
                group.cancelAll()
                await server.stop()
                await boxes.end()
                return try Self.figures(of: boxes.returned, count)
            }
        } catch {
            await server.stop()
            throw error
        }
    }

    private static func figures(of returned: [Way.Return], _ count: Int) throws -> [Double] {
        guard returned.count == count else {
            throw NotMeasured(description: "\(returned.count) of \(count) boxes came back")
        }
        let moments = returned.map(\.moment).sorted()
        var busiest = 0
        for second in 0...Int(moments.last ?? 0) {
            busiest = max(busiest, moments.count { Int($0) == second })
        }
        talk(
            "the first after \(moments[0].rounded(places: 1)) s, half after \(moments.median.rounded(places: 1)) s, "
                + "the last after \((moments.last ?? 0).rounded(places: 1)) s; \(busiest) in the busiest second")
        return [
            (moments.last ?? 0) - moments[0], 100 * Double(busiest) / Double(count),
            Double(returned.count { $0.status == 429 || $0.status >= 500 }),
        ]
    }
}

/// The way of one box to the server; knows when it got through for the first time after a moment.
private final class Way: AccessEnabler.Transport {
    struct Return: Sendable {
        /// Seconds after the server's return.
        let moment: Double
        let status: Int
    }

    private struct State {
        var begin: ContinuousClock.Instant?
        var first: Return?
    }

    private let client: HTTPClient
    private let address: String
    private let state = Mutex(State())

    /// - Parameter address: of a network of the box's own, as a proxy tells it.
    init(_ client: HTTPClient, address: String) {
        self.client = client
        self.address = address
    }

    var first: Return? { self.state.withLock { $0.first } }

    func begin(at moment: ContinuousClock.Instant) { self.state.withLock { $0.begin = moment } }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        var request = request
        request.headers["X-Forwarded-For"] = self.address
        let asked = ContinuousClock.now
        let response = try await self.client.send(request)
        self.note(asked, response.status)
        return response
    }

    private func note(_ asked: ContinuousClock.Instant, _ status: Int) {
        self.state.withLock { state in
            guard let begin = state.begin, state.first == nil else { return }
            state.first = Return(moment: max(0, asked.milliseconds(since: begin) / 1000), status: status)
        }
    }
}

/// Boxes in one process. They share connections in small groups: one client for all would be what is measured.
private struct Boxes: Sendable {
    struct Box: Sendable {
        let enabler: AccessEnabler

        /// Waits for a viewer until it is cancelled.
        func pair() async {
            try? await self.enabler.configure(requestorID: BenchServer.requestor)
            _ = await self.enabler.authenticate(force: true)
        }
    }

    let all: [Box]
    let ways: [Way]
    private let clients: [HTTPClient]

    var returned: [Way.Return] { self.ways.compactMap(\.first) }

    init(_ count: Int, _ server: BenchServer, in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard let url = URL(string: server.url) else { throw NotMeasured(description: "no address") }
        let clients = (0..<(count + 249) / 250).map { _ in HTTPClient() }
        let ways = (0..<count).map { Way(clients[$0 / 250], address: LoadFiles.address($0 << 8)) }
        self.all = try ways.enumerated().map { number, way in
            let machine = "\(folder)/\(number)"
            let name = String(repeating: "0", count: 32 - "\(number)".count) + "\(number)"
            try Data("\(name)\n".utf8).write(to: URL(filePath: machine))
            var configuration = AccessEnabler.Configuration(
                environment: .custom(url), applicationID: "com.example.herd")
            configuration.transport = way
            configuration.machineIDFile = machine
            configuration.tokenStore = AccessEnabler.MemoryStore()
            configuration.providerChoice = .secondScreen
            configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
            configuration.isOneOfMany = true
            configuration.logger = .silent
            // So many begin at once here, which is not what is measured.
            configuration.serviceProviderTimeout = .seconds(120)
            return Box(
                enabler: AccessEnabler(
                    credentials: .init(.keyPair(server.running.demo.keyPair)), configuration: configuration))
        }
        self.ways = ways
        self.clients = clients
    }

    func end() async { for client in self.clients { await client.shutDown() } }
}
