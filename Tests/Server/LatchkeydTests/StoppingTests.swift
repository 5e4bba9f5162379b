import FoundationEssentials
import Glibc
import HTTPClient
import Lifecycle
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

    @Test func `can end one service before its turn, and only once it has ended itself`() async throws {
        struct Stubborn: Service {
            let asked: Signal<Void>
            let mayEnd: Signal<Void>

            func run() async throws {
                await StopSignal.current.wait()
                self.asked.send(())
                _ = await self.mayEnd.next()
            }
        }
        let (asked, mayEnd) = (Signal<Void>(), Signal<Void>())
        let service = EarlyStopping(Stubborn(asked: asked, mayEnd: mayEnd))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                _ = await asked.next()
                mayEnd.send(())
            }
            await service.finish()
            try await group.waitForAll()
        }
    }

    @Test func `stops an early-stopping service by the group's own signal, too`() async throws {
        struct Patient: Service {
            func run() async throws { await StopSignal.current.wait() }
        }
        let stop = StopSignal()
        let service = EarlyStopping(Patient())
        stop.give()
        try await StopSignal.$current.withValue(stop) { try await service.run() }
    }
}
