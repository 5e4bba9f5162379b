import FoundationEssentials
import Glibc
import HTTPClient
import TestSupport
import Testing
import latchkeyd

@Suite("Stopping latchkeyd serve", .demo, .timeLimit(.minutes(5)))
struct StoppingTests {
    private let client = HTTPClient()

    @Test func `answers a held poll at once, as still pending`() async throws {
        struct Record: Decodable {
            let code: String
        }
        let server = try await RunningServer.start(setUp)
        let caller = try #require(
            try SigningCaller(json: try setUp.folder.read("server/demo-key-pair.json"), requestor: "DEMO-CLASSIC"))
        let created = try await caller.send(
            .post, server, path: "/reggie/v1/DEMO-CLASSIC/regcode.json", query: "deviceId=box")
        let code = try JSONDecoder().decode(Record.self, from: Data(created.body)).code
        var poll = HTTPClient.Request(
            .get, "\(server.url)/api/v1/checkauthn/\(code).json?requestor=DEMO-CLASSIC", headers: ["Prefer": "wait=50"])
        poll.timeout = .seconds(60)
        let held = poll
        async let answer = self.client.send(held)
        try await eventually {
            let metrics = try await self.client.send(.init(.get, "\(server.url)/metrics"))
            return String(decoding: metrics.body, as: UTF8.self).contains("\nhttp_held_requests 1\n")
        }
        let started = ContinuousClock.now
        #expect(await server.stop() == .exited(0))
        #expect(try await answer.status == 403)
        #expect(try await answer.headers["Preference-Applied"] == "wait=50")
        // Far below the fifty seconds it was willing to wait.
        #expect(ContinuousClock.now - started < .seconds(25))
    }
}
