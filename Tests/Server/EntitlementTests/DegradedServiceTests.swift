import Clientless
import Entitlement
import Testing

@Suite("While a provider is degraded", .fixture, .timeLimit(.minutes(5)))
struct DegradedServiceTests {
    private let foreign = Resource("bob TV")!

    private func authorize(_ resource: Resource, now: Timestamp = Fixture.now) async throws -> AuthZRecord {
        try await domain.decisions.authorize(resource, context: fixture.device("box"), now: now)
    }

    @Test func `a skipped login signs in as the device, until the rule ends`() async throws {
        #expect(try await fixture.begun(try await fixture.code()).handover == .signInPage)
        try await fixture.addRule(.authnAll)
        let signIn = try await fixture.skippedLogin()
        #expect(signIn.origin == .degraded && signIn.expires == Fixture.now + .seconds(24 * 3600))
        #expect(try await signIn.userID != fixture.skippedLogin(device: "other").userID && signIn.userID.count == 64)
        let permit = try await self.authorize(self.foreign)
        #expect(permit.origin == .degraded && permit.expires == signIn.expires)
        #expect(try await domain.decisions.preauthorize([self.foreign], by: signIn) == [.permit])
        #expect(fixture.provider.questions.isEmpty)
        #expect(try await domain.metadata.userMetadata(of: signIn) == nil)
    }

    @Test func `what it gave ends at once with a rule that is ended early, in memory and in the store`() async throws {
        let device = fixture.device("box")
        try await fixture.addRule(.authnAll)
        let signIn = try await fixture.skippedLogin()
        _ = try await self.authorize(self.foreign)
        let later = Fixture.now + .seconds(60)
        try await fixture.endRule(.authnAll, now: later)
        _ = try await domain.signIns.deviceStanding(of: device, now: later)
        guard case .expired(let over) = domain.signIns.deviceStandingInMemory(of: device, now: later)
        else { return #expect(Bool(false), "the sign-in outlived its rule") }
        #expect(over.id == signIn.id && over.expires == later)
        await expectError(.authenticationExpired) {
            try await domain.decisions.mediaToken(self.foreign, context: device, now: later)
        }
        await expectError(.authenticationExpired) {
            try await domain.decisions.authorize(self.foreign, by: signIn, now: later)
        }
    }

    @Test func `a skipped login is shared only with requestors whose own rules skip it`() async throws {
        try await fixture.addRule(.authnAll)
        _ = try await fixture.skippedLogin()
        func isSignedIn() async throws -> Bool {
            let standing = try await domain.signIns.deviceStanding(
                of: fixture.device("box"), requestor: Fixture.sibling, now: Fixture.now)
            return if case .signedIn = standing { true } else { false }
        }
        #expect(try await isSignedIn() == false)
        try await fixture.addRule(.authnAll, requestor: Fixture.sibling)
        #expect(try await isSignedIn())
        try await fixture.endRule(.authnAll, now: Fixture.now)
        #expect(try await isSignedIn() == false, "it lived by its obtainer's rule")
    }

    @Test func `AuthZAll permits without the provider, and its permits count no longer than the rule`() async throws {
        let (device, own) = (fixture.device("box"), Resource("ada TV")!)
        try await fixture.signedIn()
        let before = try await self.authorize(own)
        await expectError(.notAuthorized, .provider) { try await self.authorize(self.foreign) }
        try await fixture.addRule(.authzAll, resources: ["bob TV", "ada TV"])
        let asked = fixture.provider.questions.count
        let permit = try await self.authorize(self.foreign)
        #expect(permit.origin == .degraded && permit.expires == Fixture.now + .seconds(24 * 3600))
        #expect(fixture.provider.questions.count == asked)
        for _ in 0..<2 { #expect(try await self.authorize(own) == before, "the provider's permit is not replaced") }
        _ = try await domain.decisions.mediaToken(self.foreign, context: device)
        await expectError(.notAuthorized, .provider) { try await self.authorize(Resource("eve TV")!) }
        let later = Fixture.now + .seconds(1)
        try await fixture.endRule(.authzAll, now: later)
        await expectError(.authorizationExpired) {
            try await domain.decisions.mediaToken(self.foreign, context: device, now: later)
        }
        await expectError(.notAuthorized, .provider) { try await self.authorize(self.foreign, now: later) }
        #expect(try await self.authorize(own, now: later) == before)
    }

    @Test("AuthZNone refuses with the programmer's sentence, also what was permitted before, and nothing else")
    func refusals() async throws {
        let device = fixture.device("box")
        try await fixture.signedIn()
        let own = Resource("ada TV")!
        let before = try await self.authorize(own)
        try await fixture.addRule(.authzNone, resources: ["ada TV"], message: "Back at eight.")
        let refusal = await expectError(.notAuthorized, .programmer) { try await self.authorize(own) }
        #expect(refusal?.viewerMessage == "Back at eight.")
        await expectError(.notAuthorized, .programmer) { try await domain.decisions.mediaToken(own, context: device) }
        let verdicts = try await domain.decisions.preauthorize([own, self.foreign], context: device)
        #expect(verdicts[0] == .deny(.programmer, reason: "Back at eight."))
        #expect(verdicts[1].denial == .provider)
        #expect(fixture.provider.questions.last == [self.foreign], "the provider is asked about the rest only")
        try await fixture.endRule(.authzNone, now: Fixture.now + .seconds(1))
        #expect(try await self.authorize(own, now: Fixture.now + .seconds(1)) == before)
    }

    @Test func `another node hears of a rule, and of its end`() async throws {
        let other = try Fixture.domain(on: fixture.store)
        var position = try await other.upkeep.start(now: Fixture.now)
        try await fixture.addRule(.authzAll)
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(other.degradations.inForce.rules.count == 1)
        try await fixture.endRule(.authzAll, now: Fixture.now)
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(other.degradations.inForce.rules.isEmpty)
    }

    @Test func `a rule is in force on a node that began with its clock ahead, once the clock is right`() async throws {
        let rule = try await fixture.addRule(.authzAll)
        let node = try Fixture.domain(on: fixture.store)
        try await node.upkeep.start(now: rule.ends + .seconds(1))
        #expect(node.degradations.inForce.rules.isEmpty)
        _ = try await node.upkeep.compareClocks(now: Fixture.now)
        #expect(node.degradations.inForce.rules.map(\.id) == [rule.id])
    }
}
