import CommandLineTool
import FoundationEssentials
import HTTPClient
import TestSupport
import Testing

@Suite("A running server", .demo, .timeLimit(.minutes(5)))
struct FollowingTests {
    @Test("accepts keys issued while it runs, from its first moment on, and refuses them once they are revoked")
    func credentials() async throws {
        struct Pair: Decodable {
            let publicKey: String
        }
        let server = try await RunningServer.start(setUp)
        let issued = try await setUp.run("keys", "issue", "--requestor", "DEMO-CLASSIC", "--json")
        let caller = try #require(try SigningCaller(json: issued.output, requestor: "DEMO-CLASSIC"))
        let publicKey = try JSONDecoder().decode(Pair.self, from: Data(issued.output.utf8)).publicKey
        // Nobody is signed in on the box; until the server knows the key, it does not even say so.
        try await eventually { try await Self.status(caller, server) == 403 }
        #expect(try await setUp.run("keys", "revoke", publicKey).code == .success)
        try await eventually { try await Self.status(caller, server) == 401 }
        #expect(await server.stop() == .exited(0))
    }

    private static func status(_ caller: SigningCaller, _ server: RunningServer) async throws -> Int {
        try await caller.send(.get, server, path: "/api/v1/checkauthn.json", query: "deviceId=box").status
    }
}
