import Clientless
import Cryptography
import Entitlement
import TestSupport
import Testing

private let away = ScriptedProvider.Manner.elsewhere(.redirect(url: "https://cable-nova.example/sign-in?x=1"))

@Suite("A login at a provider that sends the browser back", .fixture(manner: away))
struct CallbackTests {
    private static func answer(_ parameters: (String, String)...) throws -> ProviderCallback {
        try #require(ProviderCallback(.get, parameters.map { NamedText($0, $1) }))
    }

    private func ended(
        _ token: String, _ answer: ProviderCallback, browser: Browser = Fixture.browser,
        from mvpd: MVPDID = Fixture.provider, now: Timestamp = Fixture.now
    ) async throws -> CallbackOutcome {
        try await domain.logins.answer(token, browser: browser, with: answer, from: mvpd, by: .viewer, now: now)
    }

    @Test(arguments: [
        ProviderHandover.redirect(url: "https://cable-nova.example/sign-in?x=1"),
        .form(
            ProviderForm(
                to: "https://cable-nova.example/sso", [.init("SAMLRequest", "PGE+"), .init("RelayState", "r")])),
    ])
    func `is handed over, confirmed and signed in`(_ handover: ProviderHandover) async throws {
        try await Fixture.with(manner: .elsewhere(handover)) {
            let start = try await fixture.begun(try await fixture.code())
            #expect(start.handover == handover)
            #expect(start.token.utf8.count <= ProviderLoginContext.maximumReference)
            let view = try await domain.logins.login(start.token)
            #expect(view.stage(at: Fixture.now) == .handedOver)
            #expect(try domain.logins.handover(of: view) == handover)
            guard case .went(let back) = try await self.ended(start.token, try Self.answer(("code", "ada")))
            else { return #expect(Bool(false), "the provider said yes") }
            #expect(back.stage(at: Fixture.now) == .confirm)
            _ = try await domain.logins.confirm(start.token)
            #expect(try await fixture.record().origin == .regular)
        }
    }

    @Test func `is finished by another node than the one that began it`() async throws {
        let other = try Fixture.domain(on: fixture.store, provider: ScriptedProvider(away))
        let start = try await fixture.begun(try await fixture.code())
        let outcome = try await other.logins.answer(start.token, with: try Self.answer(("code", "ada")))
        guard case .went(let view) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(view.stage(at: Fixture.now) == .confirm)
    }

    @Test("takes what a provider vouched with once, in whatever login it comes, on every node")
    func onceForAll() async throws {
        let other = try Fixture.domain(on: fixture.store, provider: ScriptedProvider(away))
        let answer = try Self.answer(("code", "ada"), ("assertion", "a1"))
        let first = try await fixture.begun(try await fixture.code())
        guard case .went(let view) = try await self.ended(first.token, answer)
        else { return #expect(Bool(false), "the first one counts") }
        #expect(view.stage(at: Fixture.now) == .confirm)
        let second = try await fixture.begun(try await fixture.code())
        let outcome = try await other.logins.answer(second.token, with: answer)
        guard case .failed(_, let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(error.providerFault == .unproven)
    }

    @Test("takes an answer once, however often and wherever it comes")
    func once() async throws {
        let provider = ScriptedProvider(away)
        let nodes = [domain, try Fixture.domain(on: fixture.store, provider: provider)]
        let start = try await fixture.begun(try await fixture.code())
        let answer = try Self.answer(("code", "ada"))
        try await concurrently(20) { number in
            let outcome = try await nodes[number % 2].logins.answer(start.token, with: answer)
            guard case .went(let view) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect([.answered, .confirm].contains(view.stage(at: Fixture.now)))
        }
        #expect(fixture.provider.answers.count + provider.answers.count == 1)
    }

    @Test func `takes no answer of another provider, of an unknown login, or after its time`() async throws {
        let start = try await fixture.begun(try await fixture.code())
        let answer = try Self.answer(("code", "ada"))
        let late = Fixture.now + LoginAttempt.lifetime
        for (token, mvpd, now) in [
            (start.token, Fixture.otherProvider, Fixture.now), ("nothing", Fixture.provider, Fixture.now),
            (start.token, Fixture.provider, late), (String(repeating: "x", count: 81), Fixture.provider, Fixture.now),
        ] {
            guard case .over = try await self.ended(token, answer, from: mvpd, now: now)
            else { return #expect(Bool(false), "\(mvpd) was believed") }
            await expectError(.loginUnknown) {
                _ = try await domain.logins.named(token, from: mvpd, now: now)
            }
        }
        #expect(fixture.provider.answers.isEmpty)
    }

    @Test(
        "says why it was refused, counts no wrong password, and is over then",
        arguments: [("declined", ProviderRefusal(.declined, "You turned back.")), ("no", ProviderRefusal(.denied))])
    func refused(_ error: String, _ expected: ProviderRefusal) async throws {
        let code = try await fixture.code()
        for _ in 0..<30 {
            let start = try await fixture.begun(code)
            guard
                case .refused(_, let refusal) = try await self.ended(start.token, try Self.answer(("error", error)))
            else { return #expect(Bool(false), "the provider said no") }
            #expect(refusal == expected)
            guard
                case .went(let view) = try await self.ended(start.token, try Self.answer(("code", "ada")))
            else { return #expect(Bool(false), "the login is known") }
            #expect(view.stage(at: Fixture.now) == .answered)
        }
        #expect(domain.passwordGuesses.wrong == 0)
        #expect(
            try await domain.codes.codeStanding(of: code, requestor: Fixture.requestor, by: .box, now: Fixture.now)
                == .open(.waiting, refusal: expected.sentence))
    }

    @Test func `tells trouble at the provider from an answer that proves nothing`() async throws {
        for (parameters, kind) in [([("error", "down")], ProviderError.Kind.unreachable), ([], .unproven)] {
            let start = try await fixture.begun(try await fixture.code())
            let answer = try #require(ProviderCallback(.get, parameters.map { .init($0, $1) }))
            guard case .failed(_, let error) = try await self.ended(start.token, answer)
            else { return #expect(Bool(false), "it is no yes") }
            #expect(error.code == .providerUnavailable && error.providerFault == kind)
        }
    }

    @Test func `has no way back once it was declined`() async throws {
        let start = try await fixture.begun(try await fixture.code())
        _ = try await domain.logins.decline(start.token)
        guard case .went(let view) = try await self.ended(start.token, try Self.answer(("code", "ada")))
        else { return #expect(Bool(false), "the login is known") }
        #expect(view.stage(at: Fixture.now) == .declined)
        #expect(fixture.provider.answers.isEmpty)
    }

    @Test("keeps nothing readable in the store, and opens nothing in another attempt")
    func sealed() async throws {
        let code = try await fixture.code()
        let (one, two) = (try await fixture.begun(code), try await fixture.begun(code))
        guard case .handedOver(let sealed) = one.view.attempt.progress
        else { return #expect(Bool(false), "it was handed over") }
        #expect(!String(decoding: sealed, as: UTF8.self).contains("cable-nova"))
        var moved = two.view.attempt
        moved.progress = one.view.attempt.progress
        #expect(try await fixture.store.update(moved))
        await expectError(.internal) {
            try await domain.logins.answer(two.token, with: try #require(ProviderCallback(.get, [])), from: nil)
        }
    }

    @Test(
        "begins nowhere that a browser cannot be sent to",
        arguments: [
            ProviderHandover.redirect(url: "javascript:alert(1)"), .redirect(url: "https://"),
            .redirect(url: "https://a.example/\r\nSet-Cookie: x=y"), .redirect(url: "https://viewer@a.example/"),
            .redirect(url: "https://a.example/" + String(repeating: "x", count: 8192)),
            .form(ProviderForm(to: "https://a.example;script-src *", [])),
            .form(ProviderForm(to: "https://a.example/", [.init("a", String(repeating: "x", count: 65_536))])),
            .form(ProviderForm(to: "https://a.example/", Array(repeating: .init("a", ""), count: 33))),
        ])
    func addresses(_ handover: ProviderHandover) async throws {
        try await Fixture.with(manner: .elsewhere(handover)) {
            let code = try await fixture.code()
            await expectError(.providerUnavailable) { try await fixture.begun(code) }
        }
    }

    @Test func `takes bounded answers, with every name once`() throws {
        let long = String(repeating: "x", count: ProviderCallback.maximumSize)
        #expect(ProviderCallback(.post, [.init("", long)]) != nil)
        #expect(ProviderCallback(.post, [.init("a", long)]) == nil)
        #expect(ProviderCallback(.post, [.init("a", "1"), .init("a", "2")]) == nil)
        #expect(ProviderCallback(.post, (0..<32).map { .init("\($0)", "") }) != nil)
        #expect(ProviderCallback(.post, (0..<33).map { .init("\($0)", "") }) == nil)
        #expect(throws: ProviderError.self) { try ProviderState([UInt8](repeating: 0, count: 4097)) }
        #expect(try ProviderState([UInt8](repeating: 0, count: 4096)).bytes.count == 4096)
    }
}
