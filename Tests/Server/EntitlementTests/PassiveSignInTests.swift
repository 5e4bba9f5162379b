import Clientless
import Entitlement
import Testing

@Suite("A sign-in without a browser", .fixture, .timeLimit(.minutes(5)))
struct PassiveSignInTests {
    private static let later = Fixture.now + .seconds(60)

    private func passive(
        by record: AuthNRecord, mvpd: MVPDID = Fixture.perRequestorProvider
    ) async throws -> AuthNRecord {
        try await domain.signIns.passiveSignIn(by: record, requestor: Fixture.sibling, mvpd: mvpd, now: Self.later)
    }

    @Test func `gives another requestor a record of its own, and leaves the first one's alone`() async throws {
        let source = try await fixture.newSignIn(mvpd: Fixture.perRequestorProvider)
        let gained = try await self.passive(by: source)
        #expect(gained.id != source.id && gained.requestor == Fixture.sibling)
        #expect(gained.userID == source.userID && gained.created == Self.later)
        #expect(try await fixture.record(now: Self.later) == source)
        #expect(try await fixture.record(requestor: Fixture.sibling, now: Self.later) == gained)
        try await domain.signIns.logout(source, now: Self.later)
        await expectError(.authenticationExpired) { try await self.passive(by: source) }
    }

    @Test func `where sign-ins are shared is the one there is`() async throws {
        let source = try await fixture.newSignIn()
        #expect(try await self.passive(by: source, mvpd: Fixture.provider).id == source.id)
        #expect(try await domain.operations.records(of: DeviceID("box")!).count == 1)
    }

    @Test(
        "is not possible when the provider has no back channel or refuses",
        arguments: [ScriptedProvider.Manner.browserOnly, .refusing])
    func refused(_ manner: ScriptedProvider.Manner) async throws {
        try await Fixture.with(manner: manner) {
            let source = try await fixture.newSignIn(mvpd: Fixture.perRequestorProvider)
            await expectError(.passiveNotPossible) { try await self.passive(by: source) }
        }
    }

    @Test func `is not possible by another provider's sign-in, nor by a trial`() async throws {
        let source = try await fixture.newSignIn()
        await expectError(.passiveNotPossible) { try await self.passive(by: source) }
        let trial = try await domain.trials.start(
            fixture.device("other"), requestor: Fixture.requestor, mvpd: Fixture.trial, person: nil, by: .box,
            now: Fixture.now)
        await expectError(.passiveNotPossible) { try await self.passive(by: trial, mvpd: Fixture.trial) }
    }

    @Test("needs a sign-in that holds, and a provider that can be reached", .fixture(manner: .broken))
    func failures() async throws {
        let source = try await fixture.newSignIn(mvpd: Fixture.perRequestorProvider)
        await expectError(.providerUnavailable, .network(timeout: false)) {
            try await self.passive(by: source)
        }
        var over = source
        over.expires = Self.later
        await expectError(.authenticationExpired) { try await self.passive(by: over) }
        await expectError(.unknownProvider) {
            try await domain.signIns.passiveSignIn(
                by: source, requestor: Fixture.sibling, mvpd: MVPDID("NoNova")!, now: Self.later)
        }
    }
}
