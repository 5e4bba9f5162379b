import Clientless
import Entitlement
import TestSupport
import Testing

@Suite("A sign-in that its provider refuses", .fixture, .timeLimit(.minutes(5)))
struct SignInEndingTests {
    private static let later = Fixture.now + .seconds(5)
    private let box = DeviceID("box")!
    private let denied = Resource("Somebody Else TV")!

    /// Signed in without a page: a provider that forgets its viewers would not let one confirm.
    private func signIn(
        requestor: RequestorID = Fixture.requestor, mvpd: MVPDID = Fixture.provider
    ) async throws -> AuthNRecord {
        try await domain.signIns.signIn(
            fixture.device("box"), requestor: requestor, mvpd: mvpd, login: ScriptedProvider.login(of: "ada"),
            origin: .regular, now: Fixture.now)
    }

    private func error(_ body: () async throws -> some Any) async -> EntitlementError? {
        await thrown(body) as? EntitlementError
    }

    /// What a box that presents the document of a record is told.
    private func ending(_ document: String, requestor: RequestorID = Fixture.requestor) async -> EntitlementError? {
        await self.error {
            try await domain.documents.authentication(
                presenting: document, device: self.box, requestor: requestor, now: Self.later)
        }
    }

    @Test(.fixture(manner: .forgetting))
    func `ends when a decision shows that the viewer is gone, and every box with it is told why`() async throws {
        let record = try await self.signIn()
        let document = try domain.documents.authenticationDocument(of: record, device: self.box)
        let permitted = try #require(Resource("ada TV"))
        _ = try await domain.decisions.authorize(permitted, by: record)
        let refusal = await self.error {
            try await domain.decisions.authorize(self.denied, by: record, now: Self.later)
        }
        #expect(refusal?.code == .authenticationRevoked && refusal?.ending == .refusedByProvider)
        #expect(try await domain.operations.record(record.id) == nil)
        for requestor in [Fixture.requestor, Fixture.sibling] {
            let told = await self.ending(document, requestor: requestor)
            #expect(told?.code == .authenticationRevoked && told?.ending == .refusedByProvider)
        }
        let entry = try #require(try await domain.operations.auditEntries(limit: 1).first)
        #expect(entry.action == "sign-in.refused" && entry.actor == "provider CableNova")
        #expect(entry.subject.hasSuffix(", \(Operations.auditName(of: record.context.device))"))
    }

    @Test(.fixture(manner: .forgetting)) func `ends when locks are asked for, too`() async throws {
        let record = try await self.signIn()
        let refusal = await self.error {
            try await domain.decisions.preauthorize([self.denied], by: record, now: Self.later)
        }
        #expect(refusal?.ending == .refusedByProvider)
    }

    @Test(.fixture(manner: .forgetting))
    func `ends when it is to vouch once more, and the caller is told that this is not possible`() async throws {
        let record = try await self.signIn(mvpd: Fixture.perRequestorProvider)
        let document = try domain.documents.authenticationDocument(of: record, device: self.box)
        await expectError(.passiveNotPossible) {
            try await domain.signIns.passiveSignIn(
                by: record, requestor: Fixture.sibling, mvpd: Fixture.perRequestorProvider, now: Self.later)
        }
        #expect(await self.ending(document)?.ending == .refusedByProvider)
    }

    @Test(arguments: [ScriptedProvider.Manner.helpful, .refusing, .broken])
    func `stays where the provider has the viewer, or does not answer`(_ manner: ScriptedProvider.Manner) async throws {
        try await Fixture.with(manner: manner) {
            let record = try await self.signIn()
            await expectError(.notAuthorized) {
                try await domain.decisions.authorize(self.denied, by: record, now: Self.later)
            }
            #expect(try await domain.operations.record(record.id) == record)
        }
    }

    @Test("is told from one that an operator ended, where an account was removed and where it was not")
    func removal() async throws {
        let account = Account(mvpd: Fixture.provider, id: "upstream-ada", name: "ada", passwordHash: "*", lineUp: ["*"])
        #expect(try await fixture.store.insert(account, audit: nil))
        let operations = domain.operations
        let first = try await self.signIn()
        let ended = try domain.documents.authenticationDocument(of: first, device: self.box)
        _ = try await operations.endSignIns(
            operations.viewer("upstream-ada", of: Fixture.provider), actor: "op", now: Fixture.now)
        #expect(await self.ending(ended)?.ending == .endedByOperator)
        let other = try await self.signIn()
        let removed = try domain.documents.authenticationDocument(of: other, device: self.box)
        _ = try await operations.removeAccount("ada", of: Fixture.provider, actor: "op", now: Self.later)
        #expect(await self.ending(removed)?.ending == .refusedByProvider)
    }

    @Test func `of another viewer says nothing about this one`() async throws {
        let record = try await self.signIn()
        let document = try domain.documents.authenticationDocument(of: record, device: self.box)
        let operations = domain.operations
        _ = try await operations.endSignIns(
            operations.viewer("upstream-bob", of: Fixture.provider), actor: "op", now: Self.later)
        try await domain.signIns.logout(fixture.device("box"), requestors: [Fixture.requestor], now: Self.later)
        #expect(await self.ending(document)?.ending == .signedOut)
    }
}
