import Clientless
import Cryptography
import FoundationEssentials
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
    let ledger: CrashLedger
    let client: HTTPClient

    private static let requestor = DemoFolder.compatibleRequestor
    private static let codes = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
    private static let channel = "Demo%20One"

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
            try self.expect(204, try await self.call(.delete, "\(Self.codes)/\(code)"))
            self.ledger.acknowledge(.codeIsGone(code))
            return
        }
        self.ledger.withdraw(.codeIsOpen(code))
        try await self.signIn(code)
        self.ledger.acknowledge(.isSignedIn(device: device))
        if roll < 55 { return }
        try self.expect(200, try await self.call(.get, "/api/v1/authorize", self.query(device, Self.channel)))
        self.ledger.acknowledge(.isPermitted(device: device))
        if roll < 70 { return }
        self.ledger.withdraw(.isSignedIn(device: device), .isPermitted(device: device))
        try self.expect(204, try await self.call(.delete, "/api/v1/logout", self.query(device)))
        self.ledger.acknowledge(.isSignedOut(device: device))
    }

    private func createCode(_ device: String) async throws -> String {
        let answer = try await self.call(.post, Self.codes, form: "deviceId=\(device)")
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
        let issue = try ChildProcess(
            programs.server, ["keys", "issue", "--requestor", Self.requestor] + place)
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

    /// What of `facts` the server does not know any more, one sentence each.
    func violations(of facts: [AcknowledgedFact]) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            let chunks = stride(from: 0, to: facts.count, by: 64).map { facts[$0..<min($0 + 64, facts.count)] }
            for chunk in chunks {
                group.addTask {
                    var violations: [String] = []
                    for fact in chunk {
                        let (wanted, answer) = try await self.look(at: fact)
                        if answer.status != wanted { violations.append("\(fact.sentence), but got \(answer.status)") }
                    }
                    return violations
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func look(at fact: AcknowledgedFact) async throws -> (wanted: Int, answer: HTTPClient.Response) {
        switch fact {
        case .codeIsOpen(let code): (200, try await self.call(.get, "\(Self.codes)/\(code)"))
        case .codeIsGone(let code): (404, try await self.call(.get, "\(Self.codes)/\(code)"))
        case .isSignedIn(let device): (200, try await self.call(.get, "/api/v1/checkauthn", self.query(device)))
        case .isSignedOut(let device): (403, try await self.call(.get, "/api/v1/checkauthn", self.query(device)))
        case .isPermitted(let device):
            (200, try await self.call(.get, "/api/v1/tokens/authz", self.query(device, Self.channel)))
        case .keyIsRevoked(let publicKey, let privateKey):
            (
                401,
                try await self.call(
                    .get, "/api/v1/checkauthn", self.query("any"),
                    signedBy: KeyPair(publicKey: publicKey, privateKey: Secret(privateKey)))
            )
        }
    }

    private func query(_ device: String, _ resource: String? = nil) -> String {
        "?requestor=\(Self.requestor)&deviceId=\(device)" + (resource.map { "&resource=\($0)" } ?? "")
    }

    private func expect(_ status: Int, _ answer: HTTPClient.Response) throws {
        guard answer.status == status
        else { throw Unexpected(description: "\(status) was due, and \(answer.status) came: \(answer.text)") }
    }

    private func call(
        _ method: HTTPClient.Method, _ path: String, _ query: String = "", form: String? = nil,
        signedBy pair: KeyPair? = nil
    ) async throws -> HTTPClient.Response {
        guard let requestor = RequestorID(Self.requestor) else { preconditionFailure("a requestor of the demo") }
        var request = HTTPClient.Request(method, self.demo.url + path + query)
        request.timeout = .seconds(20)
        request.headers["Accept"] = "application/json"
        let address = (0..<3).map { _ in "\(Int.random(in: 1...254))" }.joined(separator: ".")
        request.headers["X-Forwarded-For"] = "10.\(address)"
        request.headers["Authorization"] = SignedRequestHeader.signed(
            verb: method.rawValue, requestor: requestor, nonce: "\(UUID())",
            time: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)), uri: path,
            keyPair: pair ?? self.demo.keyPair)
        if let form {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Array(form.utf8)
        }
        return try await self.client.send(request)
    }
}

extension AcknowledgedFact {
    fileprivate var sentence: String {
        switch self {
        case .codeIsOpen(let code): "code \(code) was created"
        case .codeIsGone(let code): "code \(code) was deleted"
        case .isSignedIn(let device): "\(device) was signed in"
        case .isSignedOut(let device): "\(device) was signed out"
        case .isPermitted(let device): "\(device) was permitted a channel"
        case .keyIsRevoked(let publicKey, _): "key \(publicKey) was revoked"
        }
    }
}
