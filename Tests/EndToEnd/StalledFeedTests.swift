import Clientless
import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

@Suite(
    "Two real servers whose PostgreSQL has an open write transaction of others", .serialized, .timeLimit(.minutes(5)))
struct StalledFeedTests {
    private static let query = "requestor=\(DemoFolder.compatibleRequestor)&deviceId="

    private static func command(_ words: [String], of demo: DemoFolder) async throws -> String {
        let (end, _, talk) = try await ChildProcess(
            ProgramFolder.own.server, words + ["--config", demo.serverConfiguration]
        ).run()
        #expect(end == .exited(0), "\(talk)")
        return talk
    }

    private static func untilBoth(_ nodes: [Pair], answer status: Int, to path: String) async throws {
        for node in nodes {
            try await eventually("\(status) at both") {
                try await node.call(.get, path).status == status ? () : nil
            }
        }
    }

    @Test(
        "Go by the operator's rules and revocations all the same, tell a box that it is signed in, and say what is late"
    )
    func stalled() async throws {
        // A server of its own: feeds of all its databases stand still.
        let server = PostgresServer()
        try await TwoNodes.with(on: server) { one, other, _ in
            try await server.run(["BEGIN; CREATE TABLE held (value int); PREPARE TRANSACTION 'held'"])
            let code = try await one.createCode(device: "box")
            async let looks = other.wait(for: code)
            try await other.server.waitUntilHeld(1)
            try await one.confirm(code)
            #expect(try await looks < 9)
            try await other.server.waitUntilSaid("changes in the store cannot be followed")
            try await eventually("a server that hears of changes late") {
                try await other.server.get("/readyz").text.contains("arrive late") ? () : nil
            }

            let channel = "/api/v1/authorize?\(Self.query)box&resource=Demo%20One"
            try await Self.untilBoth([one, other], answer: 200, to: channel)
            let rule = ["degradation", "add", "authzNone", "--requestor", DemoFolder.compatibleRequestor]
            #expect(try await Self.command(rule, of: one.demo).contains("write transaction is open in PostgreSQL"))
            try await Self.untilBoth([one, other], answer: 403, to: channel)

            try await Self.holdCrowdedPolls(at: other)

            _ = try await Self.command(["keys", "revoke", one.demo.keyPair.publicKey], of: one.demo)
            try await Self.untilBoth([one, other], answer: 401, to: "/api/v1/checkauthn?\(Self.query)box")
            try await server.run(["ROLLBACK PREPARED 'held'"])
            try await other.server.waitUntilSaid("changes in the store are followed again")
        }
    }

    /// Holds sixteen polls of a box with twenty sign-ins: they ask the store no more than twice each.
    private static func holdCrowdedPolls(at node: Pair) async throws {
        for number in 1...20 {
            let form =
                "requestor_id=\(DemoFolder.compatibleRequestor)&deviceId=crowd&mso_id=FreePreview"
                + "&domain_name=localhost&appId=app\(number)"
            #expect(try await node.call(.post, "/api/v1/authenticate/freepreview", form: form).status == 204)
        }
        let before = try ProcessFacts.processorTime(of: node.server.pid)
        try await concurrently(16) { _ in
            let answer = try await node.call(
                .get, "/api/v1/tokens/authn?\(Self.query)crowd&appId=none", headers: ["Prefer": "wait=10"])
            #expect(answer.status == 404)
            #expect(answer.headers["Preference-Applied"] == "wait=10")
        }
        // A tenth of that is usual; they took most of the ten seconds when they did not rest.
        #expect(try ProcessFacts.processorTime(of: node.server.pid) - before < 3)
    }
}
