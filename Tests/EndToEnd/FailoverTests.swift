import Glibc
import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

@Suite("Two real servers on a PostgreSQL whose primary is lost", .serialized, .timeLimit(.minutes(5)))
struct FailoverTests {
    private static let requestor = DemoFolder.compatibleRequestor

    /// Asks for codes one after the other until `over`, and goes on where the server had no answer.
    /// - Returns: the codes that were given out.
    private func createCodes(at node: Pair, until over: Flag) async throws -> [String] {
        var codes: [String] = []
        while !over.isUp {
            let form = "deviceId=box-\(node.port)-\(codes.count)"
            let response = try await node.call(.post, "/reggie/v1/\(Self.requestor)/regcode", form: form)
            switch response.status {
            case 201:
                guard let code = try JSON(parsing: response.text)["code"]?.text else {
                    throw GaveUp(description: "no code in \(response.text)")
                }
                codes.append(code)
            case 503: #expect(response.headers["Retry-After"] != nil)
            default: throw GaveUp(description: "a code was answered with \(response.status) \(response.text)")
            }
        }
        return codes
    }

    private func isReady(_ node: Pair) async throws -> Bool { try await node.server.get("/readyz").status == 200 }

    @Test("A box that waits is signed in at the other server, by the standby, and every code given out is there")
    func promoted() async throws {
        try await TwoNodes.withStandby { pair, one, other in
            let code = try await one.createCode(device: "box")
            async let polls = one.wait(for: code)
            try await one.server.waitUntilHeld(1)
            let over = Flag()
            defer { over.raise() }
            async let created = self.createCodes(at: other, until: over)
            // The box waits all the while.
            try await pair.lose()
            try await eventually("that both are not ready") {
                let ready = (try await self.isReady(one), try await self.isReady(other))
                return ready == (false, false) ? () : nil
            }
            try await pair.promote()
            try await eventually("that both are ready") {
                let ready = (try await self.isReady(one), try await self.isReady(other))
                return ready == (true, true) ? () : nil
            }
            for node in [one, other] {
                try await node.server.waitUntilSaid("another PostgreSQL server takes writes now")
                #expect(try await node.server.metric("latchkey_store_primary_changes_total") == 1)
                #expect(try await node.server.metric("latchkey_store_ready") == 1)
            }
            try await other.confirm(code)
            // Held, and not asked again and again meanwhile: the viewer's steps are answers, too.
            #expect(try await polls < 20)
            over.raise()
            let kept = try await pair.run(["SELECT code FROM latchkey.codes"], in: "latchkey")
            let codes = try await created
            #expect(!codes.isEmpty)
            #expect(Set(codes).isSubset(of: kept.split(separator: "\n").map(String.init)))
            // A server that only reads is not ready.
            try await pair.setReadOnly(true)
            try await eventually("that one is not ready") { try await self.isReady(one) ? nil : () }
            #expect(try await one.server.metric("latchkey_store_ready") == 0)
            // So that both stop at once.
            try await pair.setReadOnly(false)
        }
    }

    @Test("A box whose code was lost with an asynchronous primary shows another one, and is signed in with it")
    func lostCode() async throws {
        try await TwoNodes.withStandby { pair, one, other in
            let box = try one.startPairing()
            let lost = try await box.code()
            try await one.server.waitUntilHeld(1)
            // A standby that did not receive it lacks it like this.
            try await pair.run(["DELETE FROM latchkey.codes"], in: "latchkey")
            try await pair.lose()
            try await pair.promote()
            let code = try await box.code()
            #expect(code != lost)
            try await other.confirm(code.text)
            try await box.end(with: 0)
        }
    }

    /// Longer than memory answers without a look at the store takes seconds, so it runs by name.
    @Test(.enabled(if: FailoverRounds.count > 0))
    func `A server that stood still for seconds knows what happened meanwhile before it answers`() async throws {
        try await TwoNodes.with { one, other, _ in
            for round in 0..<min(FailoverRounds.count, 5) {
                let device = "box-\(round)"
                let code = try await one.createCode(device: device)
                try await one.confirm(code)
                #expect(try await one.look(device) == 200)
                one.server.send(SIGSTOP)
                let query = "requestor=\(Self.requestor)&deviceId=\(device)"
                #expect(try await other.call(.delete, "/api/v1/logout?\(query)").status == 204)
                // Boxes go on at the other one.
                let start = ContinuousClock.now
                while ContinuousClock.now - start < .seconds(4) { _ = try await other.look(device) }
                async let first = one.look(device)
                one.server.send(SIGCONT)
                #expect(try await first == 403, "round \(round)")
            }
        }
    }
}
