import Clientless
import Entitlement
import Testing

@Suite("The stage of a login", .fixture, .timeLimit(.minutes(5)))
struct LoginStageTests {
    private func stage(_ token: String, _ now: Timestamp = Fixture.now) async throws -> LoginStage {
        try await domain.logins.login(token, now: now).stage(at: now)
    }

    @Test func `is that of the page the viewer belongs on, up to two minutes after the code's end`() async throws {
        let code = try await fixture.code(lifetime: .seconds(60))
        let token = try await fixture.begun(code).token
        #expect(try await self.stage(token) == .signIn)
        #expect(try await self.stage(token, Fixture.now + .seconds(179)) == .signIn)
        #expect(try await self.stage(token, Fixture.now + .seconds(180)) == .gone)
        _ = try await fixture.signIn(token, account: "ada")
        #expect(try await self.stage(token) == .confirm)
        #expect(try await self.stage(token, Fixture.now + .seconds(179)) == .confirm)
        #expect(try await self.stage(token, Fixture.now + .seconds(180)) == .gone)
        _ = try await domain.logins.confirm(token)
        #expect(try await self.stage(token) == .done)
    }

    @Test func `is over when another login completed the code, and declined for good`() async throws {
        let code = try await fixture.code()
        let (first, second) = (try await fixture.begun(code).token, try await fixture.acceptedLogin(code))
        _ = try await domain.logins.confirm(second)
        #expect(try await self.stage(first) == .gone)
        let other = try await fixture.code(for: "other")
        let declined = try await fixture.acceptedLogin(other)
        try await domain.logins.decline(code: other)
        #expect(try await self.stage(declined) == .declined)
    }

    @Test func `is told to the face that began it: where the browser goes next`() async throws {
        guard case .signInPage = try await fixture.begun(try await fixture.code()).handover
        else { return #expect(Bool(false)) }
        try await fixture.addRule(.authnAll)
        guard case .accepted = try await fixture.begun(try await fixture.code(for: "other")).handover
        else { return #expect(Bool(false)) }
    }

    @Test func `does not begin at a promotional trial without the person it is for`() async throws {
        let code = try await fixture.code()
        await expectError(.unknownProvider) { try await fixture.begun(code, mvpd: Fixture.promotion) }
        let requestor = try #require(domain.catalogue.requestor(Fixture.requestor))
        let picker = domain.catalogue.mvpdsOnOwnPage(of: requestor).map(\.id)
        #expect(picker.contains(Fixture.trial) && !picker.contains(Fixture.promotion))
        let person = domain.trials.person("ada@example.net")
        _ = try await fixture.begun(code, mvpd: Fixture.promotion, person: person)
    }

    @Test func `follows a catalogue that is replaced while the server runs, with its providers`() async throws {
        let code = try await fixture.code()
        let old = domain.catalogue
        var requestors = old.requestors
        for index in requestors.indices {
            requestors[index].integrations.removeAll { $0.mvpd == Fixture.provider }
        }
        domain.replace(
            ConfiguredCatalogue(
                Catalogue(requestors: requestors, mvpds: old.mvpds), answeredBy: ScriptedProvider(.open)))
        await expectError(.unknownProvider) { try await fixture.begun(code) }
        guard case .accepted = try await fixture.begun(code, mvpd: Fixture.otherProvider).handover
        else { return #expect(Bool(false), "the former provider was asked") }
    }
}
