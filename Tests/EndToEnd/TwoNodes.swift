import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

/// Two real servers of one demo on one PostgreSQL.
enum TwoNodes {
    /// Moves a demo to PostgreSQL and lends `body` two nodes that serve it.
    /// - Parameters:
    ///   - connection: how libpq reaches it in a role.
    ///   - clock: the clock that the other node obeys; `nil` is the machine's.
    static func with(
        _ connection: (_ role: String) async throws -> String, clock: ServerClock? = nil,
        configuring change: (inout JSON) throws -> Void = { _ in },
        _ body: (_ one: Pair, _ other: Pair) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("one"), configuring: change)
        try await demo.moveToPostgres(
            try await connection(PostgresServer.server), owner: try await connection(PostgresServer.owner))
        let second = try await demo.copy(to: folder.file("other"))
        let servers = [
            try await RunningServer.start(demo, .own), try await RunningServer.start(second, .own, clock: clock),
        ]
        try await ending(
            { for server in servers { await server.stop() } },
            orOnError: { for server in servers { await server.kill() } }
        ) {
            try await body(
                Pair(folder: folder, demo: demo, server: servers[0]),
                Pair(folder: folder, demo: second, server: servers[1]))
        }
    }

    /// The same on a new database of `server`.
    static func with(
        on server: PostgresServer = .shared, clock: ServerClock? = nil,
        configuring change: (inout JSON) throws -> Void = { _ in },
        _ body: (_ one: Pair, _ other: Pair, _ database: String) async throws -> Void
    ) async throws {
        let database = try await server.makeDatabase()
        try await self.with({ try await server.connection(database, as: $0) }, clock: clock, configuring: change) {
            try await body($0, $1, database)
        }
        await server.giveBack(database)
    }

    /// The same on a server with a standby.
    static func withStandby(
        _ body: (_ postgres: PostgresPair, _ one: Pair, _ other: Pair) async throws -> Void
    ) async throws {
        let postgres = try await PostgresPair.start()
        try await ending({ await postgres.stop() }) {
            try await postgres.makeDatabase("latchkey")
            try await self.with({ postgres.connection("latchkey", as: $0) }) { try await body(postgres, $0, $1) }
        }
    }
}

extension Pair {
    /// The status of the answer to a device that asks whether it is signed in.
    func look(_ device: String) async throws -> Int {
        let query = "requestor=\(DemoFolder.compatibleRequestor)&deviceId=\(device)"
        return try await self.call(.get, "/api/v1/checkauthn?\(query)").status
    }
    /// Waits as a box does: a poll is held until the code is something else, and the next one follows it. A server that
    /// has no answer now is asked again.
    /// - Returns: how many polls it took until the box was signed in.
    func wait(for code: String) async throws -> Int {
        let path = "/api/v1/checkauthn/\(code)?requestor=\(DemoFolder.compatibleRequestor)"
        for look in 1..<1000 {
            let response = try await self.call(.get, path, headers: ["Prefer": "wait=50"])
            if response.status == 200 { return look }
            let isAway = response.status == 503 && response.headers["Retry-After"] != nil
            guard response.status == 403 || isAway else {
                throw GaveUp(description: "poll \(look) was answered with \(response.status)")
            }
        }
        throw GaveUp(description: "a thousand polls, and the box is not signed in")
    }

    /// Makes a code here for a box that is not signed in, and holds a poll for it while the viewer confirms the box at
    /// `other`, which then knows it, too.
    func pairBox(confirmingAt other: Pair) async throws {
        let code = try await self.createCode(device: "box")
        // Both remember that nobody is signed in.
        #expect(try await self.look("box") == 403)
        #expect(try await other.look("box") == 403)
        async let looks = self.wait(for: code)
        try await self.server.waitUntilHeld(1)
        try await other.confirm(code)
        // Each answer told of a step of the viewer, and none of them came by looking again and again.
        #expect(try await looks < 9)
        #expect(try await other.look("box") == 200)
    }

    /// Plays the viewer who confirms a box at this server.
    func confirm(_ code: String) async throws {
        try await self.decide(
            .confirm, on: RunningBox.Code(text: code, url: "\(self.server.url)/activate?code=\(code)"))
    }
}
