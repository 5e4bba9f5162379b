import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("A login nobody has to be asked about", .fixture, .timeLimit(.minutes(5)))
struct InstantLoginTests {
    private static let page = LoginAttempt.Origin.foreignPage(redirectURL: "https://north-sport.example/done")

    @Test("asks for the box all the same when a page began it whose requestor skips the confirmation")
    func foreignPage() async throws {
        #expect(domain.catalogue.requestor(Fixture.unasked)?.confirmsForeignLogins == false)
        let code = try await fixture.code(requestor: Fixture.unasked)
        let start = try await fixture.begun(code, mvpd: Fixture.trial, origin: Self.page)
        guard case .accepted = start.handover else { return #expect(Bool(false), "\(start.handover)") }
        #expect(
            try await domain.codes.codeStanding(of: code, requestor: Fixture.unasked)
                == .open(.confirming, refusal: nil))
    }

    @Test func `signs the box in once it is confirmed`() async throws {
        let code = try await fixture.code()
        let start = try await fixture.begun(code, mvpd: Fixture.trial, origin: Self.page)
        _ = try await domain.logins.confirm(start.token)
        let record = try await fixture.record()
        #expect(record.origin == .temporaryPass && record.code == code)
        #expect(record.expires == Fixture.now + Fixture.trialTime)
        guard case .signedIn = try await domain.codes.codeStanding(of: code)
        else { return #expect(Bool(false), "the code does not know") }
    }

    @Test("asks for the box on the server's own page and on every other, of strict and compatible requestors")
    func confirmed() async throws {
        let cases: [(RequestorID, LoginAttempt.Origin)] = [
            (Fixture.requestor, .secondScreen), (Fixture.requestor, Self.page), (Fixture.sibling, Self.page),
            (Fixture.sibling, .secondScreen),
        ]
        for (requestor, origin) in cases {
            let device = "box of \(requestor) on \(origin)"
            let code = try await fixture.code(for: device, requestor: requestor)
            let start = try await fixture.begun(code, mvpd: Fixture.trial, origin: origin)
            guard case .accepted = start.handover else { return #expect(Bool(false), "\(device)") }
            #expect(start.view.record.box.name == "Living room")
            #expect(
                try await domain.codes.codeStanding(of: code, requestor: requestor)
                    == .open(.confirming, refusal: nil))
            _ = try await domain.logins.confirm(start.token)
            #expect(try await fixture.record(of: device, requestor: requestor).origin == .temporaryPass)
        }
    }

    @Test("of a trial that is confirmed later shows its whole time from then on, and knows its person")
    func lateConfirmation() async throws {
        let person = domain.trials.person("p1")
        let start = try await fixture.begun(try await fixture.code(), mvpd: Fixture.promotion, person: person)
        let later = Fixture.now + .seconds(600)
        _ = try await domain.logins.confirm(start.token, now: later)
        #expect(try await fixture.record(now: later).expires == later + Fixture.trialTime)
        let permit = try await domain.decisions.authorize(Resource("One")!, context: fixture.device("box"), now: later)
        let elsewhere = try await domain.trials.start(
            fixture.device("other"), requestor: Fixture.requestor, mvpd: Fixture.promotion, person: person, by: .box,
            now: later + .seconds(60))
        #expect(elsewhere.expires == permit.expires)
    }

    @Test("under AuthNAll signs in for as long as the rule, and keeps to the rules of confirmation")
    func authNAll() async throws {
        try await fixture.addRule(.authnAll)
        let direct = try await fixture.begun(try await fixture.code(), origin: Self.page)
        _ = try await domain.logins.confirm(direct.token)
        #expect(try await fixture.record().expires == Fixture.now + .seconds(24 * 3600))
        let asked = try await fixture.begun(try await fixture.code(for: "other"))
        guard case .accepted = asked.handover else { return #expect(Bool(false), "the box was not asked about") }
        _ = try await domain.logins.confirm(asked.token)
        #expect(try await fixture.record(of: "other").origin == .degraded)
    }

    @Test func `under AuthNAll cannot be confirmed once the rule is over`() async throws {
        try await fixture.addRule(.authnAll)
        let start = try await fixture.begun(try await fixture.code())
        let later = Fixture.now + .seconds(10)
        try await fixture.endRule(.authnAll, now: later)
        await expectError(.providerUnavailable) { try await domain.logins.confirm(start.token, now: later) }
        #expect(try await domain.signIns.deviceStanding(of: fixture.device("box"), now: later) == .never)
    }

    @Test func `at a TempPass stays a trial under a rule for all providers`() async throws {
        try await fixture.addRule(.authnAll, mvpd: nil)
        let start = try await fixture.begun(try await fixture.code(), mvpd: Fixture.trial, origin: Self.page)
        _ = try await domain.logins.confirm(start.token)
        let permit = try await domain.decisions.authorize(Resource("Any")!, context: fixture.device("box"))
        #expect(try await fixture.record().origin == .temporaryPass && permit.origin == .temporaryPass)
    }

    @Test(.fixture(manner: .open)) func `at a provider without a login page is an ordinary sign-in`() async throws {
        let start = try await fixture.begun(try await fixture.code(), origin: Self.page)
        guard case .accepted = start.handover else { return #expect(Bool(false), "the provider was asked") }
        _ = try await domain.logins.confirm(start.token)
        #expect(try await fixture.record().origin == .regular)
    }

    @Test func `cannot go on in another browser, and a declined box stays declined`() async throws {
        let start = try await fixture.begun(try await fixture.code(), mvpd: Fixture.trial)
        await expectError(.loginUnknown) {
            try await domain.logins.confirm(start.token, browser: Browser(Secret("another")))
        }
        _ = try await domain.logins.decline(start.token)
        await expectError(.codeDeclined) { try await domain.logins.confirm(start.token) }
    }

    @Test func `takes no second one: the code is used`() async throws {
        let code = try await fixture.code()
        let start = try await fixture.begun(code, mvpd: Fixture.trial, origin: Self.page)
        _ = try await domain.logins.confirm(start.token)
        await expectError(.codeUsed) { try await fixture.begun(code, mvpd: Fixture.trial, origin: Self.page) }
    }
}
