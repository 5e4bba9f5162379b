import HTTPClient
import Testing

@Suite("The check of what nodes promised")
struct NodeCheckTests {
    private static let facts: [AcknowledgedFact] = [
        .codeIsOpen("BCDFGHJ"), .codeIsGone("BCDFGHK"), .isSignedIn(device: "a"), .isSignedOut(device: "b"),
        .isPermitted(device: "a"), .keyIsGood(publicKey: "good", privateKey: "-"),
        .keyIsRevoked(publicKey: "revoked", privateKey: "-"),
    ]

    @Test("finds each kind of promise broken by any other answer, and by no answer that keeps it", arguments: facts)
    func kinds(fact: AcknowledgedFact) {
        for status in [200, 201, 204, 400, 401, 403, 404, 410, 412, 429, 500, 503] {
            #expect((fact.violation(by: status) == nil) == (status == fact.wantedStatus), "\(fact) \(status)")
        }
    }

    @Test func `forgets a promise that is withdrawn, and no other one`() {
        let ledger = FactLedger()
        ledger.beginRound(of: 100)
        for fact in Self.facts { ledger.acknowledge(fact) }
        ledger.withdraw(.isSignedIn(device: "a"), .isPermitted(device: "a"))
        #expect(
            Set(ledger.facts()) == Set(Self.facts).subtracting([.isSignedIn(device: "a"), .isPermitted(device: "a")]))
        #expect(ledger.age(of: .isSignedIn(device: "a")) == nil)
        #expect(ledger.age(of: .isSignedOut(device: "b")) != nil)
        ledger.beginRound(of: 100)
        ledger.acknowledge(.isSignedOut(device: "a"))
        #expect(ledger.facts(ofLast: 0) == [.isSignedOut(device: "a")])
        #expect(ledger.facts(ofLast: 1).count == 6)
    }

    @Test(.timeLimit(.minutes(5))) func `waits for no answers of callers who failed, before or while it waits`() async {
        let ledger = FactLedger()
        ledger.beginRound(of: 100)
        async let waiting: Void = ledger.waitForRound()
        ledger.giveUp()
        await waiting
        await ledger.waitForMore(5)
        #expect(ledger.count == 0)
    }

    @Test func `finds a code that was confirmed twice or refused to all, and excuses what no one knows`() {
        let refused = NodeViewer.Outcome.refused("used")
        let sound: [[NodeViewer.Outcome]] = [
            [], [.confirmed], [.confirmed, refused], [.confirmed, .unknown], [.unknown, refused], [.unknown],
        ]
        for outcomes in sound { #expect(outcomes.violation == nil, "\(outcomes)") }
        for outcomes in [[.confirmed, .confirmed], [refused], [refused, refused]] as [[NodeViewer.Outcome]] {
            #expect(outcomes.violation != nil, "\(outcomes)")
        }
    }

    @Test("finds failures that no caller could wait out, and silence of a node that nothing was done to")
    func answers() async throws {
        let troubles = NodeTroubles(nodes: 2, .none)
        let findings = NodeFindings()
        let calls = NodeCalls(troubles: troubles, findings: findings)
        func broken(_ send: () async throws -> HTTPClient.Response) async throws -> Int {
            _ = try await calls.judged("a call", at: 0, send)
            return findings.takeBroken().count
        }
        for status in [200, 204, 403, 404, 401] {
            #expect(try await broken { HTTPClient.Response(status: status) } == 0)
        }
        for status in [500, 502, 503, 504] {
            #expect(try await broken { HTTPClient.Response(status: status) } == 1)
        }
        #expect(try await broken { HTTPClient.Response(status: 503, headers: ["Retry-After": "5"]) } == 0)
        #expect(try await broken { throw HTTPClientError(.timedOut) } == 1)
        // It was killed, and came back, while the call was under way.
        #expect(
            try await broken {
                troubles.set(0, .down)
                troubles.set(0, .none)
                throw HTTPClientError(.connectionLost)
            } == 0)
        // Trouble of another one is no excuse.
        troubles.set(1, .down)
        #expect(try await broken { throw HTTPClientError(.connectionLost) } == 1)
        troubles.set(0, .silent)
        #expect(try await broken { throw HTTPClientError(.timedOut) } == 0)
        await #expect(throws: CancellationError.self) { _ = try await broken { throw HTTPClientError(.cancelled) } }
    }
}
