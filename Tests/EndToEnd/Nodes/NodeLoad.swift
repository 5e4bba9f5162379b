import HTTPClient
import RealPrograms
import TestSupport

/// Boxes and viewers who use all nodes of a fleet at once, each step at another one, and note what was acknowledged.
struct NodeLoad: Sendable {
    let fleet: NodeFleet
    let ledger: FactLedger
    let findings: NodeFindings
    var judge: NodeCalls { NodeCalls(troubles: self.fleet.troubles, findings: self.findings) }

    /// How long a node may go on to say what was true before a change at another one: memory's limit, and a moment for
    /// the way (`Freshness.limit`).
    static let staleness: Duration = .milliseconds(3500)

    /// A box's call to a node.
    /// - Parameter wait: for how many seconds the node may hold it.
    func call(
        at node: Int, _ method: HTTPClient.Method, _ path: String, _ query: String = "", form: String? = nil,
        wait: Int? = nil
    ) async throws -> NodeAnswer {
        let calls = self.fleet.calls(node, timeout: NodeCalls.timeout + .seconds(wait ?? 0))
        return try await self.judge.judged("\(method.rawValue) \(path)", at: node, held: .seconds(wait ?? 0)) {
            try await calls.call(method, path, query, form: form, wait: wait)
        }
    }

    /// Boxes that come and go until `over`.
    func work(as worker: Int, round: Int, until over: Flag) async throws {
        var generator = SeededGenerator(seed: UInt64(round) &* 1_000_003 &+ UInt64(worker))
        var number = 0
        while !over.isUp {
            number += 1
            if worker == 0, number % 3 == 2 { try await self.setUp(using: &generator) }
            try await self.live("box-\(round)-\(worker)-\(number)", using: &generator)
        }
    }

    /// One box from its first code to whatever end the roll gives it.
    private func live(_ device: String, using generator: inout SeededGenerator) async throws {
        let roll = Int.random(in: 0..<100, using: &generator)
        guard let code = try await self.createCode(device, at: self.fleet.pick(using: &generator)) else { return }
        if roll < 15 { return }
        if roll < 25 { return try await self.delete(code, at: self.fleet.pick(using: &generator)) }
        // What is remembered of it now is wrong in a moment.
        try await self.look(at: device, using: &generator)
        guard try await self.signIn(device, code, using: &generator) else { return }
        if roll < 40 { return }
        try await self.look(at: device, using: &generator)
        guard try await self.authorize(device, at: self.fleet.pick(using: &generator)) else { return }
        try await self.play(device, at: self.fleet.pick(using: &generator))
        if roll < 70 { return }
        try await self.signOut(device, at: self.fleet.pick(using: &generator))
    }

    private func createCode(_ device: String, at node: Int) async throws -> String? {
        let answer = try await self.call(at: node, .post, BoxCalls.codes, form: "deviceId=\(device)")
        guard let response = answer.response else { return nil }
        guard response.status == 201, let code = try JSON(parsing: response.text)["code"]?.text else {
            self.findings.note("\(device) asked node \(node) for a code: \(response.status) \(response.text)")
            return nil
        }
        self.ledger.acknowledge(.codeIsOpen(code))
        return code
    }

    private func delete(_ code: String, at node: Int) async throws {
        self.ledger.withdraw(.codeIsOpen(code))
        guard let response = try await self.call(at: node, .delete, "\(BoxCalls.codes)/\(code)").response
        else { return }
        if response.status == 204 {
            self.ledger.acknowledge(.codeIsGone(code))
        } else {
            self.findings.note("\(code) was deleted at node \(node): \(response.status)")
        }
    }

    /// Asks whether the box is signed in, and does not care.
    func look(at device: String, using generator: inout SeededGenerator) async throws {
        let node = self.fleet.pick(using: &generator)
        _ = try await self.call(at: node, .get, "/api/v1/checkauthn", BoxCalls.query(device))
    }

    /// - Returns: whether it is permitted for sure.
    private func authorize(_ device: String, at node: Int) async throws -> Bool {
        let query = BoxCalls.query(device, BoxCalls.channel)
        guard let response = try await self.call(at: node, .get, "/api/v1/authorize", query).response
        else { return false }
        guard response.status == 200 else {
            self.findings.note("\(device) is signed in, and node \(node) permits nothing: \(response.text)")
            return false
        }
        self.ledger.acknowledge(.isPermitted(device: device))
        return true
    }

    private func play(_ device: String, at node: Int) async throws {
        let query = BoxCalls.query(device, BoxCalls.channel)
        guard let response = try await self.call(at: node, .get, "/api/v1/tokens/media", query).response
        else { return }
        guard response.status != 200 else { return }
        self.findings.note("\(device) is permitted, and node \(node) has no media token: \(response.text)")
    }

    func signOut(_ device: String, at node: Int) async throws {
        self.ledger.withdraw(.isSignedIn(device: device), .isPermitted(device: device))
        guard
            let response = try await self.call(at: node, .delete, "/api/v1/logout", BoxCalls.query(device))
                .response
        else { return }
        if response.status == 204 {
            self.ledger.acknowledge(.isSignedOut(device: device))
        } else {
            self.findings.note("\(device) signed out at node \(node): \(response.status)")
        }
    }

    // MARK: What only one may have

    /// An operator makes a one-time code at the store, and two boxes exchange it at two nodes.
    private func setUp(using generator: inout SeededGenerator) async throws {
        let (one, other) = (self.fleet.pick(using: &generator), self.fleet.pick(using: &generator))
        let place = ["--config", self.fleet.demos[one].serverConfiguration, "--json", "--setup-code"]
        let words = ["keys", "issue", "--requestor", BoxCalls.requestor] + place
        let (end, output, _) = try await ChildProcess(ProgramFolder.own.server, words).run()
        // PostgreSQL may be away.
        guard end == .exited(0), let code = try JSON(parsing: output)["code"]?.text else { return }
        async let first = self.exchange(code, at: one)
        async let second = self.exchange(code, at: other)
        let answers = try await [first, second]
        let pairs = answers.compactMap { $0.response }.filter { $0.status == 200 }
        if pairs.count > 1 { self.findings.note("set-up code \(code) was used twice, at nodes \(one) and \(other)") }
        for pair in pairs {
            let words = try JSON(parsing: pair.text)
            guard let publicKey = words["publicKey"]?.text, let privateKey = words["privateKey"]?.text else { continue }
            self.ledger.acknowledge(.keyIsGood(publicKey: publicKey, privateKey: privateKey))
        }
        if pairs.isEmpty, answers.allSatisfy({ $0.response != nil }) {
            self.findings.note("set-up code \(code) was refused at nodes \(one) and \(other)")
        }
    }

    private func exchange(_ code: String, at node: Int) async throws -> NodeAnswer {
        try await self.judge.judged("a set-up code", at: node) {
            var request = HTTPClient.Request(.post, "\(self.fleet.urls[node])/o/client/setup")
            request.timeout = NodeCalls.timeout
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.headers["X-Forwarded-For"] = BoxCalls.address()
            request.body = Array("setup_code=\(code)".utf8)
            return try await self.fleet.client.send(request)
        }
    }
}
