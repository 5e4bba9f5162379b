import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The real server with few descriptors", .serialized, .timeLimit(.minutes(5)))
struct FloodTests {
    @Test("Says so at start, lives under a flood of connections and held polls, and serves when it is over")
    func flood() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            // One address plays all the world.
            configuration["server"]?["maximumConnectionsPerAddress"] = 0
            configuration["server"]?["maximumHeldRequestsPerAddress"] = 0
        }
        let server = try await RunningServer.start(demo, .own, after: "ulimit -n 256")
        #expect(server.startLog.contains("the process may open too few files"))
        let pair = Pair(folder: folder, demo: demo, server: server)
        let polls = try await Self.polls(pair)
        // Longer than the second after which libdispatch opens a file of each of its threads.
        let clock = Task { try await pair.call(.get, polls[0], headers: ["Prefer": "wait=4"]).status }
        try await server.waitUntilHeld(1)
        let served = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<8 { group.addTask { await Self.work(as: worker, pair) } }
            let crowd = try (0..<600).map { try Self.join($0, polls, pair) }
            // Their turn is over when the clock has struck.
            #expect(try await clock.value == 403)
            group.cancelAll()
            let served = try await group.reduce(0, +)
            withExtendedLifetime(crowd) {}
            return served
        }
        #expect(served > 0)
        try await eventually("an answer after the flood") {
            (try? await server.get("/readyz"))?.status == 200 ? () : nil
        }
        // Descriptors enough for a journal, too.
        _ = try await eventually("a code after the flood") { try? await pair.createCode(device: "after") }
        #expect(await server.stop() == .exited(0))
    }

    /// Calls that can be held, each for another box.
    private static func polls(_ pair: Pair) async throws -> [String] {
        var polls: [String] = []
        for number in 0..<12 {
            let code = try await pair.createCode(device: "flood-\(number)")
            polls.append("/api/v1/checkauthn/\(code)?requestor=\(DemoFolder.compatibleRequestor)")
        }
        return polls
    }

    /// One of those who make the flood: a connection that says nothing, half a head, or a held poll.
    private static func join(_ index: Int, _ polls: [String], _ pair: Pair) throws -> RawConnection {
        let connection = try RawConnection(port: pair.port)
        switch index % 3 {
        case 0:
            break
        case 1:
            connection.send("GET /healthz HTTP/1.1\r\nHost: ")
        default:
            let path = polls[index % polls.count]
            let request = pair.signed(.get, path, headers: ["Prefer": "wait=50"])
            let fields = ["Accept", "Authorization", "Prefer"].map { "\($0): \(request.headers[$0] ?? "")\r\n" }
            connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields.joined())\r\n")
        }
        return connection
    }

    /// Reads and writes, until cancelled.
    /// - Returns: how often it was served.
    private static func work(as worker: Int, _ pair: Pair) async -> Int {
        let path = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
        var count = 0
        while !Task.isCancelled {
            let call = pair.signed(.post, path, form: "deviceId=worker-\(worker)")
            if (try? await pair.server.send(call))?.status == 201 { count += 1 }
            if (try? await pair.server.get("/healthz"))?.status == 200 { count += 1 }
        }
        return count
    }
}
