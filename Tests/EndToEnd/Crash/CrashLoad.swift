import HTTPClient
import RealPrograms
import TestSupport

/// Boxes, viewers and an operator who do all at once what the store has to remember, and a check of what it remembers.
struct CrashLoad: Sendable {
    /// An answer that is none of those the operation can have.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    let demo: DemoFolder
    let ledger: FactLedger
    let client: HTTPClient

    private static let codes = BoxCalls.codes

    var calls: BoxCalls { BoxCalls(url: self.demo.url, keyPair: self.demo.keyPair, client: self.client) }

    /// Boxes that come and go until the server is gone.
    /// - Throws: ``Unexpected``; a server that does not answer ends the work without an error.
    func work(as worker: Int, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(worker))
        var number = 0
        do {
            while true {
                number += 1
                let device = "box-\(seed)-\(worker)-\(number)"
                // The operator is one, and each of his commands is a process.
                if worker == 0, number % 4 == 0 { try await self.revokeKey() }
                try await self.live(device, roll: Int.random(in: 0..<100, using: &generator))
            }
        } catch is HTTPClientError {
            return
        }
    }

    /// One box from its first code to whatever end the roll gives it.
    private func live(_ device: String, roll: Int) async throws {
        let code = try await self.createCode(device)
        if roll < 20 { return }
        if roll < 40 {
            self.ledger.withdraw(.codeIsOpen(code))
            try self.expect(204, try await self.calls.call(.delete, "\(Self.codes)/\(code)"))
            self.ledger.acknowledge(.codeIsGone(code))
            return
        }
        self.ledger.withdraw(.codeIsOpen(code))
        try await self.signIn(code)
        self.ledger.acknowledge(.isSignedIn(device: device))
        if roll < 55 { return }
        try self.expect(
            200, try await self.calls.call(.get, "/api/v1/authorize", BoxCalls.query(device, BoxCalls.channel)))
        self.ledger.acknowledge(.isPermitted(device: device))
        if roll < 70 { return }
        self.ledger.withdraw(.isSignedIn(device: device), .isPermitted(device: device))
        try self.expect(204, try await self.calls.call(.delete, "/api/v1/logout", BoxCalls.query(device)))
        self.ledger.acknowledge(.isSignedOut(device: device))
    }

    private func createCode(_ device: String) async throws -> String {
        let answer = try await self.calls.call(.post, Self.codes, form: "deviceId=\(device)")
        try self.expect(201, answer)
        guard let code = try JSON(parsing: answer.text)["code"]?.text else { throw Unexpected(description: "no code") }
        self.ledger.acknowledge(.codeIsOpen(code))
        return code
    }

    /// The viewer's way through the pages; confirmed only when the last page has said so.
    private func signIn(_ code: String) async throws {
        let phone = Phone(self.client)
        let url = "\(self.demo.url)/activate?code=\(code)"
        let question = try await phone.walkToConfirmation(from: url, as: self.demo.viewer)
        _ = try await phone.decide(.confirm, on: question)
    }

    private func revokeKey() async throws {
        let programs = ProgramFolder.own
        let place = ["--config", self.demo.serverConfiguration, "--json"]
        let issue = try ChildProcess(programs.server, ["keys", "issue", "--requestor", BoxCalls.requestor] + place)
        let issued = await issue.run()
        guard issued.end == .exited(0), let pair = try? JSON(parsing: issued.output),
            let publicKey = pair["publicKey"]?.text, let privateKey = pair["privateKey"]?.text
        else { throw Unexpected(description: "no key pair: \(issued.end) \(issued.talk)") }
        let revoke = await
            (try ChildProcess(
                programs.server, ["keys", "revoke", publicKey, "--config", self.demo.serverConfiguration])).run()
        guard revoke.end == .exited(0) else { throw Unexpected(description: "not revoked: \(revoke.talk)") }
        self.ledger.acknowledge(.keyIsRevoked(publicKey: publicKey, privateKey: privateKey))
    }

    private func expect(_ status: Int, _ answer: HTTPClient.Response) throws {
        guard answer.status == status
        else { throw Unexpected(description: "\(status) was due, and \(answer.status) came: \(answer.text)") }
    }
}
