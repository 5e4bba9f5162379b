import Clientless
import Cryptography
import TestSupport
import Testing

@testable import Entitlement

@Suite("A provider that is silent", .timeLimit(.minutes(5)))
struct ProviderHealthTests {
    /// Answers when the test says so.
    private final class HangingProvider: Provider {
        var isRemote: Bool { true }

        let latch = Latch()
        let asked: AsyncStream<Void>
        private let bell: AsyncStream<Void>.Continuation

        init() { (self.asked, self.bell) = AsyncStream.makeStream(of: Void.self) }

        func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
            self.bell.yield()
            await self.latch.wait()
            return (.redirect(url: "https://slow.example/"), .empty)
        }

        func complete(
            _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
        ) async throws(ProviderError) -> ProviderVerdict { .refused(reason: nil) }

        func decide(
            _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
        ) async throws(ProviderError) -> ProviderAnswer<[Decision]> { ProviderAnswer(resources.map { _ in .permit }) }
    }

    private static func makePatient(_ limits: inout Entitlements.Limits) {
        limits.providerTime = .seconds(3600)
        limits.issuance = nil
    }

    private func other(_ provider: any Provider) throws -> Entitlements {
        var limits = Entitlements.Limits()
        Self.makePatient(&limits)
        var providers = domain.configured.providers
        providers[Fixture.otherProvider] = provider
        return Entitlements(
            ConfiguredCatalogue(Fixture.catalogue, providers: providers), store: fixture.store,
            keys: try ServerKeys(masterSecret: Fixture.masterSecret),
            documents: try TokenDocumentSigner(signingWith: Fixture.signingKey.get()),
            uptime: { [uptime = fixture.uptime] in uptime.now }, limits: limits)
    }

    @Test(
        "holds no login at another one, whatever hangs there, and no connection to the store",
        .fixture(limits: Self.makePatient))
    func isolation() async throws {
        let silent = HangingProvider()
        let domain = try self.other(silent)
        var codes: [RegistrationCodeText] = []
        for number in 0..<8 { codes.append(try await fixture.code(for: "box \(number)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for code in codes {
                group.addTask {
                    let start = try await domain.logins.begin(Fixture.request(code, mvpd: Fixture.otherProvider))
                    guard case .redirect = start.handover else { return #expect(Bool(false), "no hand-over") }
                }
            }
            var count = 0
            for await _ in silent.asked {
                count += 1
                if count == codes.count { break }
            }
            // All of them hang, by our own hand: a login elsewhere goes through from end to end.
            #expect(domain.providerHealth.all[Fixture.otherProvider]?.underWay == codes.count)
            let code = try await fixture.code(for: "box")
            let start = try await domain.logins.begin(Fixture.request(code))
            _ = try await domain.logins.complete(
                start.token, response: .password(account: "ada", password: Secret("right")))
            _ = try await domain.logins.confirm(start.token)
            #expect(try await fixture.record().mvpd == Fixture.provider)
            silent.latch.open()
            try await group.waitForAll()
        }
        #expect(domain.providerHealth.all[Fixture.otherProvider]?.underWay == 0)
        #expect(domain.providerHealth.all[Fixture.otherProvider]?.outcomes == [.answered: codes.count])
    }

    @Test func `has the time that its entry gives it, and others the usual one`() {
        let slow = MVPD(id: Fixture.otherProvider, displayName: "Slow", answerTime: .seconds(60))
        let catalogue = Catalogue(requestors: [], mvpds: [slow])
        let access = ProviderAccess(
            part: .signIns, catalogue: LiveCatalogue(ConfiguredCatalogue(withoutProviders: catalogue)),
            time: .seconds(10), health: ProviderHealth(ProviderHealth.Settings()), uptime: { .zero }, report: { _ in })
        #expect(access.time(of: slow.id) == .seconds(60))
        #expect(access.time(of: Fixture.provider) == .seconds(10))
    }

    @Test(.fixture(manner: .silent)) func `fares as before when a caller gives its question up`() async throws {
        try await fixture.signedIn()
        let (record, health) = (try await fixture.record(), domain.providerHealth)
        let before = health.all[Fixture.provider]?.outcomes
        let question = Task {
            try await domain.decisions.preauthorize([Resource("ada TV")!], by: record)
        }
        while health.all[Fixture.provider]?.underWay != 1 { await Task.yield() }
        question.cancel()
        _ = await question.result
        #expect(health.all[Fixture.provider]?.underWay == 0)
        #expect(health.all[Fixture.provider]?.outcomes == before)
    }

    @Test("is shut after some questions, tried again by one, and open when that is answered")
    func shut() {
        var settings = ProviderHealth.Settings()
        settings.patience = 3
        settings.pause = .seconds(5)
        settings.longestPause = .seconds(8)
        let health = ProviderHealth(settings)
        let mvpd = Fixture.provider
        func ask(_ outcome: ProviderOutcome, at now: Duration) -> Bool {
            guard health.admit(mvpd, isRemote: true, at: now) else { return false }
            _ = health.settle(mvpd, outcome, after: .seconds(1), at: now)
            return true
        }
        #expect(ask(.late, at: .zero) && ask(.unproven, at: .zero))
        for _ in 0..<3 { #expect(ask(.unreachable, at: .zero)) }
        #expect(!ask(.answered, at: .seconds(4)))
        #expect(health.all[mvpd]?.isShut == true)
        // One tries it; the others are told at once. Every trial in vain doubles the pause, up to a bound.
        #expect(health.admit(mvpd, isRemote: true, at: .seconds(5)))
        #expect(!ask(.answered, at: .seconds(5)))
        #expect(health.settle(mvpd, .late, after: .seconds(1), at: .seconds(5)) == .shut(.seconds(8)))
        #expect(!ask(.answered, at: .seconds(12)))
        #expect(ask(.late, at: .seconds(13)) && !ask(.answered, at: .seconds(20)))
        #expect(health.admit(mvpd, isRemote: true, at: .seconds(21)))
        #expect(health.settle(mvpd, .answered, after: .seconds(1), at: .seconds(21)) == .opened)
        #expect(ask(.answered, at: .seconds(21)) && ask(.answered, at: .seconds(21)))
        #expect(health.all[mvpd]?.outcomes[.shed] == 4)
        health.forget(allBut: [])
        #expect(health.all.isEmpty)
    }

    @Test func `is asked a bounded number of questions at once; one of our own is not shut`() {
        var settings = ProviderHealth.Settings()
        settings.atOnce = 2
        settings.patience = 1
        let health = ProviderHealth(settings)
        #expect((0..<3).map { _ in health.admit(Fixture.provider, isRemote: true, at: .zero) } == [true, true, false])
        for _ in 0..<9 { #expect(health.admit(Fixture.otherProvider, isRemote: false, at: .zero)) }
    }

    @Test(
        .fixture(manner: .elsewhere(.redirect(url: "https://a.example/")), limits: { $0.providerHealth.patience = 2 }))
    func `is shut for boxes too: they hear at once that the network failed`() async throws {
        let code = try await fixture.code()
        for _ in 0..<2 {
            let start = try await fixture.begun(code)
            let answer = try #require(ProviderCallback(.get, [.init("error", "down")]))
            _ = try await domain.logins.answer(start.token, with: answer, from: nil)
        }
        await expectError(.providerUnavailable) { try await fixture.begun(code) }
        fixture.uptime.advance(by: .seconds(5))
        let start = try await fixture.begun(code)
        let answer = try #require(ProviderCallback(.get, [.init("code", "ada")]))
        _ = try await domain.logins.answer(start.token, with: answer, from: nil)
        #expect(domain.providerHealth.all[Fixture.provider]?.isShut == false)
    }

    @Test(.fixture(manner: .elsewhere(.redirect(url: "https://cable-nova.example/"))))
    func `is no matter for a new provider that comes while logins at others go on`() async throws {
        let away = ScriptedProvider(.elsewhere(.redirect(url: "https://cable-nova.example/")))
        let start = try await fixture.begun(try await fixture.code())
        var providers = domain.configured.providers
        let added = MVPDID("NewNova")!
        for id in providers.keys { providers[id] = away }
        providers[added] = away
        let catalogue = Catalogue(
            requestors: Fixture.catalogue.requestors.map {
                var requestor = $0
                requestor.integrations.append(Integration(mvpd: added))
                return requestor
            }, mvpds: Fixture.catalogue.mvpds + [MVPD(id: added, displayName: "New Nova")])
        domain.replace(ConfiguredCatalogue(catalogue, providers: providers))
        let answer = try #require(ProviderCallback(.get, [.init("code", "ada")]))
        guard
            case .went(let view) = try await domain.logins.answer(start.token, with: answer)
        else { return #expect(Bool(false), "the login went on") }
        #expect(view.stage(at: Fixture.now) == .confirm)
        let second = try await fixture.begun(try await fixture.code(for: "new box"), mvpd: added)
        guard case .redirect = second.handover else { return #expect(Bool(false), "no hand-over") }
    }
}
