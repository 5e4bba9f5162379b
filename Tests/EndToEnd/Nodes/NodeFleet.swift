import HTTPClient
import RealPrograms
import Synchronization
import TestSupport

/// Real servers on one PostgreSQL, each of which a test may take away and bring back.
final class NodeFleet: Sendable {
    let demos: [DemoFolder]
    let clocks: [ServerClock]
    private let folder: TemporaryFolder
    /// What a shell does before it becomes a node, by the node.
    private let preparations: [Int: String]
    private let servers: Mutex<[RunningServer?]>
    let troubles: NodeTroubles
    /// Where each is called.
    let urls: [String]
    /// Those that have another address than their pages say, and so no viewers.
    private let foreign: Set<Int>
    /// The kept connections of all calls.
    let client: HTTPClient

    /// Sets up so many nodes on a PostgreSQL, and starts them.
    /// - Parameters:
    ///   - connection: of the role that serves, and `owner` of the one that owns the tables.
    ///   - preparations: what a shell does before it becomes a node, by its number.
    ///   - hosts: the address of a node that does not listen on 127.0.0.1, by its number.
    static func start(
        _ count: Int, connection: String, owner: String, preparations: [Int: String] = [:], hosts: [Int: String] = [:]
    ) async throws -> NodeFleet {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("0")) { settings in
            // Every call comes from an address of its own.
            settings["server"]?["trustedProxies"] = ["127.0.0.1", .text(NodeNetwork.boxes)]
        }
        try await demo.moveToPostgres(connection, owner: owner)
        var demos = [demo]
        for number in 1..<count { demos.append(try await demo.copy(to: folder.file("\(number)"))) }
        for (number, host) in hosts {
            let port = demos[number].url.split(separator: ":").last ?? ""
            try demos[number].configure { $0["server"]?["listen"] = [.text("\(host):\(port)")] }
        }
        let clocks = try demos.indices.map { try ServerClock(file: folder.file("clock-\($0)")) }
        let fleet = NodeFleet(folder, demos, clocks, preparations, hosts)
        for number in demos.indices { try await fleet.start(number) }
        return fleet
    }

    private init(
        _ folder: TemporaryFolder, _ demos: [DemoFolder], _ clocks: [ServerClock], _ preparations: [Int: String],
        _ hosts: [Int: String]
    ) {
        self.folder = folder
        self.demos = demos
        self.clocks = clocks
        self.preparations = preparations
        self.urls = demos.indices.map { number in
            demos[number].url.replacing("127.0.0.1", with: hosts[number] ?? "127.0.0.1")
        }
        self.foreign = Set(hosts.keys)
        self.servers = Mutex(demos.map { _ in nil })
        self.troubles = NodeTroubles(nodes: demos.count, .down)
        var configuration = HTTPClient.Configuration()
        configuration.keptConnections = 64
        configuration.connectTimeout = .seconds(2)
        self.client = HTTPClient(configuration)
    }

    var count: Int { self.demos.count }

    func calls(_ node: Int, timeout: Duration = .seconds(10)) -> BoxCalls {
        BoxCalls(url: self.urls[node], keyPair: self.demos[node].keyPair, client: self.client, timeout: timeout)
    }

    /// A node for a caller, mostly one that answers: a proxy in front of them would soon pass over one that does not.
    func pick(using generator: inout SeededGenerator) -> Int {
        let node = Int.random(in: 0..<self.count, using: &generator)
        guard self.troubles.isSilent(node), Int.random(in: 0..<20, using: &generator) > 0 else { return node }
        return (node + 1) % self.count
    }

    func pickForViewer(using generator: inout SeededGenerator) -> Int {
        let node = self.pick(using: &generator)
        return self.foreign.contains(node) ? 0 : node
    }

    // MARK: Trouble

    func server(_ node: Int) throws -> RunningServer {
        guard let server = self.servers.withLock({ $0[node] }) else {
            throw GaveUp(description: "node \(node) does not run")
        }
        return server
    }

    /// Starts a node that does not run, and waits until it listens.
    func start(_ node: Int) async throws {
        let server = try await RunningServer.start(
            self.demos[node], .own, after: self.preparations[node], clock: self.clocks[node])
        self.servers.withLock { $0[node] = server }
        self.troubles.set(node, .none)
    }

    func kill(_ node: Int) async throws {
        let server = try self.server(node)
        self.troubles.set(node, .down)
        await server.kill()
    }

    func stop() async {
        for server in self.servers.withLock({ $0 }) { await server?.kill() }
        await self.client.shutDown()
    }

    // MARK: Looking

    func waitUntilReady() async throws {
        for node in self.demos.indices {
            try await eventually("that node \(node) is ready", within: .seconds(120)) {
                try await self.isReady(node) ? () : nil
            }
        }
    }

    func isReady(_ node: Int) async throws -> Bool {
        var request = HTTPClient.Request(.get, self.urls[node] + "/readyz")
        request.timeout = .seconds(10)
        return try await self.client.send(request).status == 200
    }

    /// What of `facts` any node does not know.
    ///
    /// A node learns of what another one acknowledged a moment later; what it does not know even `patience` of it after it
    /// was asked first is broken.
    func violations(
        of facts: [AcknowledgedFact], patience: @Sendable @escaping (AcknowledgedFact) -> Duration,
        noting findings: NodeFindings? = nil
    ) async throws -> [String] {
        var violations: [String] = []
        for node in self.demos.indices {
            violations += try await self.violations(of: facts, at: node, patience: patience, noting: findings)
        }
        return violations
    }

    func violations(
        of facts: [AcknowledgedFact], at node: Int,
        patience: @Sendable @escaping (AcknowledgedFact) -> Duration = { _ in .zero },
        noting findings: NodeFindings? = nil
    ) async throws -> [String] {
        let calls = self.calls(node, timeout: .seconds(30))
        return try await withThrowingTaskGroup(of: String?.self) { group in
            let chunks = stride(from: 0, to: facts.count, by: 16).map { facts[$0..<min($0 + 16, facts.count)] }
            var violations: [String] = []
            for chunk in chunks {
                for fact in chunk {
                    group.addTask {
                        let start = ContinuousClock.now
                        let patience = patience(fact)
                        var late = Duration.zero
                        while true {
                            let status = try await calls.status(of: fact)
                            guard let violation = fact.violation(by: status) else {
                                findings?.noteLateness(late)
                                return nil
                            }
                            late = start.duration(to: .now)
                            if late >= patience { return "node \(node): \(violation)" }
                        }
                    }
                }
                for try await violation in group { if let violation { violations.append(violation) } }
            }
            return violations
        }
    }
}
