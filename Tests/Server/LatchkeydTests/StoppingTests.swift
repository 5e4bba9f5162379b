import HTTPClient
import TestSupport
import Testing
import latchkeyd

@Suite("Stopping latchkeyd serve", .demo, .timeLimit(.minutes(5)))
struct StoppingTests {
    @Test func `answers a held poll at once, as still pending`() async throws {
        let server = try await RunningServer.start(setUp)
        let caller = try #require(
            try SigningCaller(json: try setUp.folder.read("server/demo-key-pair.json"), requestor: "DEMO-CLASSIC"))
        let held = try await server.holdPoll(
            for: caller.send(.post, server, path: "/reggie/v1/DEMO-CLASSIC/regcode.json", query: "deviceId=box"))
        let started = ContinuousClock.now
        #expect(await server.stop() == .exited(0))
        let answer = try await held.value
        #expect(answer.status == 403 && answer.headers["Preference-Applied"] == "wait=50")
        // Far below the fifty seconds it was willing to wait.
        #expect(ContinuousClock.now - started < .seconds(25))
    }
}
