import FoundationEssentials
package import HTTPClient
import PostgresServer
package import TestSupport

/// What boxes and viewers reach at a demo's address: one server with a store of its own; or, where `LATCHKEY_NODES` names
/// an nginx, two servers on one PostgreSQL behind it, as operators of many boxes run the service. Each call is given to
/// the one whose turn it is, whoever makes it. Killed when released.
package final class RunningService: Sendable {
    /// The program of nginx; `nil` where one server is enough.
    private static let nginx = ProcessInfo.processInfo.environment["LATCHKEY_NODES"]
    /// Whether there are two servers.
    package static let hasNodes = RunningService.nginx != nil

    package let demo: DemoFolder
    /// In the order of their turns. Of several, each has a folder and an address of its own.
    package let servers: [RunningServer]
    private let proxy: RunningProxy?
    private let database: String?
    private let client = HTTPClient()

    package var url: String { self.demo.url }

    /// Starts what is wanted of a set-up, and waits until it answers.
    /// - Parameters:
    ///   - clock: the clock that the servers obey; `nil` is the machine's.
    ///   - isAlone: one server, whatever the environment says. Servers that share a store refuse calls while their clock
    ///     is far from PostgreSQL's, so a test that moves the clock has one.
    package static func start(
        _ demo: DemoFolder, clock: ServerClock? = nil, alone isAlone: Bool = false
    ) async throws -> RunningService {
        guard let nginx = self.nginx, !isAlone else {
            return RunningService(demo, [try await RunningServer.start(demo, .own, clock: clock)], nil, nil)
        }
        let database = try await PostgresServer.shared.makeDatabase()
        do {
            return try await self.start(demo, on: database, behind: nginx, clock: clock)
        } catch {
            await PostgresServer.shared.giveBack(database)
            throw error
        }
    }

    /// Starts two on a new database. What runs when that fails is released, and so killed.
    private static func start(
        _ demo: DemoFolder, on database: String, behind nginx: String, clock: ServerClock?
    ) async throws -> RunningService {
        try await demo.moveToPostgres(
            try await PostgresServer.shared.connection(database, as: PostgresServer.server),
            owner: try await PostgresServer.shared.connection(database, as: PostgresServer.owner), clock: clock)
        // It says where callers come from.
        try demo.configure { $0["server"]?["trustedProxies"] = ["127.0.0.1"] }
        let second = try await demo.node(in: "\(demo.path)-second")
        // Each machine has its own pages for its operator.
        try second.configure { settings in
            guard settings["console"]?["listen"] != nil else { return }
            settings["console"]?["listen"] = [.text("127.0.0.1:\(try FreePort.find())")]
        }
        let servers = [
            try await RunningServer.start(try demo.neighbour(), .own, clock: clock),
            try await RunningServer.start(second, .own, clock: clock),
        ]
        let proxy = try await RunningProxy.start(
            nginx, at: demo.url, before: servers.map(\.port), in: "\(demo.path)/nginx")
        return RunningService(demo, servers, proxy, database)
    }

    private init(_ demo: DemoFolder, _ servers: [RunningServer], _ proxy: RunningProxy?, _ database: String?) {
        self.demo = demo
        self.servers = servers
        self.proxy = proxy
        self.database = database
    }

    /// Asks all to stop, and waits until they have.
    /// - Returns: how each server ended.
    @discardableResult
    package func stop() async -> [ChildProcess.End] {
        await self.proxy?.stop()
        var ends: [ChildProcess.End] = []
        for server in self.servers { ends.append(await server.stop()) }
        if let database = self.database { await PostgresServer.shared.giveBack(database) }
        return ends
    }

    package func kill() async {
        for server in self.servers { await server.kill() }
        await self.stop()
    }

    package func get(_ path: String) async throws -> HTTPClient.Response {
        var request = HTTPClient.Request(.get, self.url + path)
        request.timeout = .seconds(120)
        return try await self.send(request)
    }

    package func send(_ request: HTTPClient.Request) async throws -> HTTPClient.Response {
        try await self.client.send(request)
    }
}
