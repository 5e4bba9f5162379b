import HTTPClient
import RealPrograms
import TestSupport

// A box that waits at one node while one viewer, or two at once, confirm it at others.
extension NodeLoad {
    /// - Returns: whether it is signed in for sure.
    func signIn(_ device: String, _ code: String, using generator: inout SeededGenerator) async throws -> Bool {
        let isAlone = Int.random(in: 0..<3, using: &generator) > 0
        let nodes = (0..<(isAlone ? 1 : 2)).map { _ in self.fleet.pickForViewer(using: &generator) }
        let seed = generator.next()
        self.ledger.withdraw(.codeIsOpen(code))
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await self.wait(for: code, seed: seed) }
            let outcomes = try await self.confirm(code, at: nodes)
            if let violation = outcomes.violation { self.findings.note("code \(code) at nodes \(nodes): \(violation)") }
            guard outcomes.hasConfirmation else {
                // Perhaps it is, perhaps it is not.
                group.cancelAll()
                while let _ = try? await group.next() {}
                return false
            }
            self.ledger.acknowledge(.isSignedIn(device: device))
            let isTold = try await group.next() ?? false
            if !isTold { self.findings.note("\(device) was signed in, and its polls did not tell") }
            return true
        }
    }

    /// Polls until one says that the box is signed in, fifty have said that it is not, or the task is cancelled. Those
    /// that nobody answered, or that are to come again, may be as many as an outage lasts, but for five minutes.
    private func wait(for code: String, seed: UInt64) async throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        let start = ContinuousClock.now
        var polls = 0
        while polls < 50, start.duration(to: .now) < .seconds(300) {
            try Task.checkCancellation()
            let node = self.fleet.pick(using: &generator)
            let query = "?requestor=\(BoxCalls.requestor)"
            let answer = try await self.call(at: node, .get, "/api/v1/checkauthn/\(code)", query, wait: 3)
            guard let response = answer.response else { continue }
            polls += 1
            if response.status == 200 { return true }
            if response.status != 403 { self.findings.note("a poll at node \(node) got \(response.status)") }
        }
        return false
    }

    /// Viewers who all come as far as the question, and then say yes at once.
    private func confirm(_ code: String, at nodes: [Int]) async throws -> [NodeViewer.Outcome] {
        let viewers = nodes.map { NodeViewer(self, at: $0) }
        var ready: [(NodeViewer, Phone.Page)] = []
        for viewer in viewers {
            if let page = try await viewer.walk(code, isAlone: viewers.count == 1) { ready.append((viewer, page)) }
        }
        return try await concurrently(ready.count) { [ready] in try await ready[$0].0.confirm(ready[$0].1) }
    }

    /// A box that looks again and again whether signed-in boxes are told that they are, until `over`.
    func watch(until over: Flag, seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var signedIn: [AcknowledgedFact] = []
        var looks = 0
        while !over.isUp {
            if looks % 20 == 0 || signedIn.isEmpty {
                signedIn = self.ledger.facts(ofLast: 2).filter { if case .isSignedIn = $0 { true } else { false } }
            }
            looks += 1
            guard let fact = signedIn.randomElement(using: &generator), case .isSignedIn(let device) = fact else {
                // The call is pause enough.
                _ = try await self.look(at: "nobody", using: &generator)
                continue
            }
            guard let age = self.ledger.age(of: fact) else { continue }
            let patience = max(.zero, Self.staleness - age)
            try await self.watch(fact, device, at: self.fleet.pick(using: &generator), patience: patience)
        }
    }

    /// - Parameter patience: how long the node may go on not to know it.
    private func watch(_ fact: AcknowledgedFact, _ device: String, at node: Int, patience: Duration) async throws {
        let start = ContinuousClock.now
        var late = Duration.zero
        while true {
            let answer = try await self.call(at: node, .get, "/api/v1/checkauthn", BoxCalls.query(device))
            guard let response = answer.response else { return }
            if response.status == 200 { return self.findings.noteLateness(late) }
            // It may have signed out meanwhile.
            guard self.ledger.age(of: fact) != nil else { return }
            late = start.duration(to: .now)
            guard response.status == 403, late < patience else {
                return self.findings.note(
                    "\(device) is signed in, and node \(node) said \(response.status) for \(late)")
            }
        }
    }
}
