import HTTPClient
import PostgresServer
import RealPrograms
import Testing

@Suite("Limits of two real servers on one PostgreSQL", .serialized, .timeLimit(.minutes(5)))
struct NodeLimitTests {
    /// Seven letters that no box was given, as far as twenty-seven of them go.
    private static let wrongCodes = "BCDFGHJKLMNPQRSTVWXZ23456789".map { "BBBBBB\($0)" }

    /// Asks for a code as a browser at `address` does that was never here.
    private func guess(_ code: String, at node: Pair, from address: String) async throws -> Int {
        try await node.server.send(
            HTTPClient.Request(
                .get, "\(node.server.url)/activate/provider?code=\(code)", headers: ["X-Forwarded-For": address])
        ).status
    }

    @Test("Codes that one address guesses at both are too many as they are at one, and not for other addresses")
    func guesses() async throws {
        try await TwoNodes.with(configuring: { $0["server"]?["trustedProxies"] = ["127.0.0.1"] }) { one, other, _ in
            try await self.waitUntilBothKnow(one, other)
            // In another network than the guesser: the code of one's own box is looked up whatever was tried.
            let code = try await one.createCode(device: "box")
            for (number, wrong) in Self.wrongCodes.prefix(20).enumerated() {
                let node = number.isMultiple(of: 2) ? one : other
                #expect(try await self.guess(wrong, at: node, from: "198.51.100.7") == 400)
            }
            // A right code costs nothing, however often it is asked for.
            for node in [one, other] {
                #expect(try await self.guess(code, at: node, from: "198.51.100.7") == 429)
                #expect(try await self.guess(code, at: node, from: "203.0.113.9") == 200)
            }
        }
    }

    private func waitUntilBothKnow(_ one: Pair, _ other: Pair) async throws {
        for node in [one, other] {
            try await eventually("two nodes") { try await node.server.metric("latchkey_nodes") == 2 ? () : nil }
        }
    }

    /// Types a wrong password so often, on the page of a new login.
    /// - Returns: the status of each answer.
    private func tryPasswords(_ count: Int, at node: Pair, device: String) async throws -> [Int] {
        let code = try await node.createCode(device: device)
        let phone = Phone()
        var viewer = node.demo.viewer
        viewer.password = "not the password"
        var page = try await phone.open("\(node.server.url)/activate?code=\(code)")
        while page.content.forms.allSatisfy({ $0.field(ofType: "password") == nil }) {
            page = try await phone.goOn(from: page, as: viewer)
        }
        var statuses: [Int] = []
        for _ in 0..<count {
            let next = try await phone.goOn(from: page, as: viewer)
            statuses.append(next.status)
            if next.status == 429 { break }
            page = next
        }
        return statuses
    }

    @Test func `Passwords of an account that one network tries at both are too many as they are at one`() async throws {
        try await TwoNodes.with { one, other, _ in
            try await self.waitUntilBothKnow(one, other)
            // Each checks half of ten.
            for node in [one, other] {
                #expect(try await self.tryPasswords(3, at: node, device: "a").allSatisfy { $0 != 429 })
                #expect(try await self.tryPasswords(3, at: node, device: "b").last == 429)
            }
        }
    }

    @Test("A signed call of a strict requestor is taken at one of them, once")
    func nonces() async throws {
        try await TwoNodes.with { (one, other, _) async throws in
            let requestor = DemoFolder.strictRequestor
            for node in [one, other] {
                let request = node.signed(
                    .get, "/api/v1/checkauthn?requestor=\(requestor)&deviceId=box", requestor: requestor)
                #expect(try await node.server.send(request).status == 403)
                for replayer in [one, other] {
                    var replay = request
                    replay.url = request.url.replacing(node.server.url, with: replayer.server.url)
                    #expect(try await replayer.server.send(replay).status == 401)
                }
            }
        }
    }

    @Test("A signed call of a strict requestor is refused while PostgreSQL keeps nothing, and not taken")
    func keptByNone() async throws {
        let server = PostgresServer()
        func letWrite(_ may: Bool) async throws {
            try await server.run(["ALTER SYSTEM SET default_transaction_read_only = \(may ? "off" : "on")"])
            try await server.run(["SELECT pg_reload_conf()"])
        }
        try await TwoNodes.with(on: server) { one, other, _ in
            let requestor = DemoFolder.strictRequestor
            let path = "/api/v1/checkauthn?requestor=\(requestor)&deviceId=box"
            try await letWrite(false)
            try await eventually("a server that is not ready") {
                try await other.server.get("/readyz").status == 503 ? () : nil
            }
            let request = other.signed(.get, path, requestor: requestor)
            for _ in 0..<2 { #expect(try await other.server.send(request).status == 503) }
            try await letWrite(true)
            var replay = request
            replay.url = request.url.replacing(other.server.url, with: one.server.url)
            try await eventually("a server that is ready") {
                try await one.server.get("/readyz").status == 200 ? () : nil
            }
            for status in [403, 401] { #expect(try await one.server.send(replay).status == status) }
        }
    }
}
