import Clientless
import Entitlement
import Testing

@Suite("A preauthorization", .fixture, .timeLimit(.minutes(5)))
struct PreauthorizationTests {
    private let resources = ["bob TV", "ada TV", "eve TV"].compactMap { Resource($0) }

    @Test func `answers in the order asked, by device, by code and by record alike, and stores nothing`() async throws {
        let code = try await fixture.signedIn()
        let (domain, requestor) = (fixture.domain, Fixture.requestor)
        let record = try await fixture.record()
        let answers = [
            try await domain.decisions.preauthorize(
                self.resources, context: fixture.device("box"), requestor: requestor, now: Fixture.now),
            try await domain.decisions.preauthorize(
                self.resources, code: code, requestor: requestor, by: .viewer, now: Fixture.now),
            try await domain.decisions.preauthorize(
                self.resources, by: record, requestor: requestor, now: Fixture.now),
        ]
        for verdicts in answers {
            #expect(verdicts.map(\.isPermit) == [false, true, false])
            #expect(verdicts[0] == .deny(.provider, reason: "bob TV is not in your package."))
        }
        #expect(try await domain.operations.decisions(of: DeviceID("box")!).isEmpty)
    }

    @Test func `of many resources is one question to the provider, and no read of ours from the store`() async throws {
        try await fixture.signedIn()
        _ = try await fixture.record(requestor: Fixture.sibling)
        let resources = (0..<50).compactMap { Resource("Channel \($0)") }
        // Whoever reads from a closed store fails.
        await fixture.store.close()
        let verdicts = try await fixture.domain.decisions.preauthorize(
            resources, context: fixture.device("box"), requestor: Fixture.sibling, now: Fixture.now)
        #expect(verdicts.count == 50)
        #expect(fixture.provider.questions == [resources])
    }

    @Test func `at a trial is one read from the store`() async throws {
        let signIn = try await fixture.domain.trials.start(
            fixture.device("box"), requestor: Fixture.sibling, mvpd: Fixture.trial, person: nil, by: .box,
            now: Fixture.now
        )
        let resources = (0..<50).compactMap { Resource("Channel \($0)") }
        let before = fixture.store.statistics.reads
        _ = try await fixture.domain.decisions.preauthorize(
            resources, by: signIn, requestor: Fixture.sibling, now: Fixture.now)
        #expect(fixture.store.statistics.reads == before + 1)
    }

    @Test func `of more resources than the requestor may ask about is refused whole`() async throws {
        try await fixture.signedIn()
        let resources = (0..<6).compactMap { Resource("Channel \($0)") }
        await expectError(.tooManyResources) {
            try await fixture.domain.decisions.preauthorize(resources, context: fixture.device("box"))
        }
        let verdicts = try await fixture.domain.decisions.preauthorize(
            Array(resources.prefix(5)), context: fixture.device("box"))
        #expect(verdicts.count == 5)
    }

    @Test func `denies everything when the provider cannot be asked, and says why`() async throws {
        for (manner, isTimeout) in [(ScriptedProvider.Manner.broken, false), (.silent, true)] {
            try await Fixture.with(manner: manner, limits: { $0.providerTime = .milliseconds(10) }) { fixture in
                try await fixture.signedIn()
                let verdicts = try await fixture.domain.decisions.preauthorize(
                    self.resources, context: fixture.device("box"))
                #expect(verdicts.map(\.denial) == Array(repeating: .network(timeout: isTimeout), count: 3))
                do throws(EntitlementError) {
                    _ = try await fixture.domain.decisions.authorize(self.resources[1], context: fixture.device("box"))
                    Issue.record("somebody was let in")
                } catch {
                    #expect(error.denial == .network(timeout: isTimeout) && error.viewerMessage != nil)
                }
            }
        }
    }

    @Test func `without a sign-in tells the one that is over from the one that never was`() async throws {
        let open = try await fixture.code(for: "other")
        func ask(_ device: String, _ now: Timestamp) async throws -> [Verdict] {
            try await fixture.domain.decisions.preauthorize(self.resources, context: fixture.device(device), now: now)
        }
        await expectError(.notAuthenticated) { try await ask("box", Fixture.now) }
        await expectError(.notAuthenticated) {
            try await fixture.domain.decisions.preauthorize(
                self.resources, code: open, requestor: Fixture.requestor, by: .viewer, now: Fixture.now)
        }
        try await fixture.signedIn()
        await expectError(.authenticationExpired) { try await ask("box", Fixture.now + .seconds(30 * 24 * 3600)) }
    }
}
