import Clientless
import Entitlement
import Synchronization
import Testing

@Suite("A preauthorization", .fixture, .timeLimit(.minutes(5)))
struct PreauthorizationTests {
    private let resources = ["bob TV", "ada TV", "eve TV"].compactMap { Resource($0) }

    @Test func `answers in the order asked, by device, by code and by record alike, and stores nothing`() async throws {
        let code = try await fixture.signedIn()
        let requestor = Fixture.requestor
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
        let verdicts = try await domain.decisions.preauthorize(
            resources, context: fixture.device("box"), requestor: Fixture.sibling, now: Fixture.now)
        #expect(verdicts.count == 50)
        #expect(fixture.provider.questions == [resources])
    }

    @Test func `at a local account comes from memory, unless something forbids it meanwhile`() async throws {
        let (store, device) = (fixture.store, fixture.device("box"))
        func remembered(_ count: Int = 3, now: Timestamp = Fixture.now) throws -> [Bool]? {
            try domain.decisions.rememberedLineUp(of: device, for: count, requestor: Fixture.requestor, now: now)
                .map { lineUp in self.resources.map { lineUp.has($0.text.utf8.span) } }
        }
        func asked() async throws -> [Bool]? {
            _ = try await domain.decisions.preauthorize(self.resources, context: device)
            return try remembered()
        }
        fixture.provider.lineUp.withLock { $0 = LineUp(entries: ["ada TV"]) }
        var position = try await domain.upkeep.start(now: Fixture.now)
        try await fixture.signedIn()
        #expect(try await asked() == nil, "no one hears of changes yet")
        func followed() async throws -> [Bool]? {
            try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
            return try remembered()
        }
        _ = try await followed()
        let answer = [false, true, false]
        #expect(try await asked() == answer)
        var account = Account(mvpd: Fixture.provider, name: "ada", passwordHash: "*", lineUp: ["ada TV"])
        #expect(try await store.insert(account, audit: nil))
        #expect(try await followed() == answer)
        account.version = try #require(try await store.account("ada", of: Fixture.provider)).version
        account.lineUp = ["bob TV"]
        #expect(try await store.replace(account, audit: nil))
        fixture.provider.lineUp.withLock { $0 = LineUp(entries: account.lineUp) }
        #expect(try await followed() == nil)
        #expect(try await asked() == [true, false, false])
        _ = try await store.deleteAccount("ada", of: Fixture.provider, audit: nil)
        #expect(try await followed() == nil)
        fixture.provider.lineUp.withLock { $0 = LineUp(entries: (0..<200).map { "Channel \($0)" }) }
        #expect(try await asked() == nil, "too many channels to keep")
        fixture.provider.lineUp.withLock { $0 = LineUp(entries: ["*"]) }
        let all = [true, true, true]
        #expect(try await asked() == all)

        await expectError(.tooManyResources) { try remembered(6) }
        try await fixture.addRule(.authzNone, resources: ["eve TV"], message: "Back at eight.")
        #expect(try remembered() == nil)
        #expect(try await domain.decisions.preauthorize(self.resources, context: device)[2].denial == .programmer)
        try await fixture.endRule(.authzNone, now: Fixture.now)
        #expect(try await asked() == all)
        domain.replace(domain.configured)
        #expect(try remembered() == nil)
        #expect(try await asked() == all)
        #expect(try remembered(now: Fixture.now + .seconds(30 * 24 * 3600)) == nil)
        try await domain.signIns.logout(device, requestors: [Fixture.requestor], now: Fixture.now)
        #expect(try remembered() == nil)
    }

    @Test func `at a trial is one read from the store`() async throws {
        let signIn = try await domain.trials.start(
            fixture.device("box"), requestor: Fixture.sibling, mvpd: Fixture.trial, person: nil, by: .box,
            now: Fixture.now
        )
        let resources = (0..<50).compactMap { Resource("Channel \($0)") }
        let before = fixture.store.statistics.reads
        _ = try await domain.decisions.preauthorize(resources, by: signIn, requestor: Fixture.sibling, now: Fixture.now)
        #expect(fixture.store.statistics.reads == before + 1)
    }

    @Test func `of more resources than the requestor may ask about is refused whole`() async throws {
        try await fixture.signedIn()
        let resources = (0..<6).compactMap { Resource("Channel \($0)") }
        await expectError(.tooManyResources) {
            try await domain.decisions.preauthorize(resources, context: fixture.device("box"))
        }
        let verdicts = try await domain.decisions.preauthorize(
            Array(resources.prefix(5)), context: fixture.device("box"))
        #expect(verdicts.count == 5)
    }

    @Test func `denies everything when the provider cannot be asked, and says why`() async throws {
        for (manner, isTimeout) in [(ScriptedProvider.Manner.broken, false), (.silent, true)] {
            try await Fixture.with(manner: manner, limits: { $0.providerTime = .milliseconds(10) }) {
                try await fixture.signedIn()
                let verdicts = try await domain.decisions.preauthorize(self.resources, context: fixture.device("box"))
                #expect(verdicts.map(\.denial) == Array(repeating: .network(timeout: isTimeout), count: 3))
                do throws(EntitlementError) {
                    _ = try await domain.decisions.authorize(self.resources[1], context: fixture.device("box"))
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
            try await domain.decisions.preauthorize(self.resources, context: fixture.device(device), now: now)
        }
        await expectError(.notAuthenticated) { try await ask("box", Fixture.now) }
        await expectError(.notAuthenticated) {
            try await domain.decisions.preauthorize(
                self.resources, code: open, requestor: Fixture.requestor, by: .viewer, now: Fixture.now)
        }
        try await fixture.signedIn()
        await expectError(.authenticationExpired) { try await ask("box", Fixture.now + .seconds(30 * 24 * 3600)) }
    }
}
