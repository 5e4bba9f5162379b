import Clientless
import Synchronization
import Testing

@testable import Entitlement

/// Knows a viewer by their home, or asks them on its pages.
private final class HomelyProvider: Provider {
    var isRemote: Bool { true }

    private let contexts = Mutex<[ProviderLoginContext]>([])

    var begun: [Bool] { self.contexts.withLock { $0.map(\.isPassive) } }

    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        let count = self.contexts.withLock { contexts in
            contexts.append(login)
            return contexts.count
        }
        let url = "https://a.example/\(login.isPassive ? "silent" : "pages")"
        return (.redirect(url: url), try ProviderState(Array("state \(count)".utf8)))
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        let last = self.contexts.withLock { $0.count }
        guard case .callback(let answer) = response, state.bytes == Array("state \(last)".utf8)
        else { throw ProviderError(.unproven, detail: "of another login") }
        guard let account = answer["code"] else { return .refused(ProviderRefusal(.needsViewer)) }
        return .accepted(ProviderLogin(upstreamUserID: account, session: ProviderSession(account: account)))
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> { ProviderAnswer(resources.map { _ in .permit }) }

    func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> {
        ProviderAnswer(.accepted(ProviderLogin(upstreamUserID: session.account, session: session)))
    }
}

@Suite("A viewer at home", .fixture, .timeLimit(.minutes(5)))
struct HomeTests {
    /// 192.0.2.0/24.
    private static let home = NetworkPrefix(.v4(0xC000_0200), length: 24)!
    private static let atHome = Guesser(.v4(0xC000_0207))
    private static let away = Guesser(.v4(0xC633_6407))

    private let provider = HomelyProvider()

    init() { self.lookForHomes(in: [Self.home]) }

    private func lookForHomes(in networks: [NetworkPrefix]) {
        let rules = HomeRules(networks: networks, lifetime: .seconds(3600))
        let mvpds = Fixture.catalogue.mvpds.map { mvpd in
            [Fixture.provider, Fixture.perRequestorProvider].contains(mvpd.id)
                ? MVPD(id: mvpd.id, displayName: mvpd.displayName, home: rules) : mvpd
        }
        var providers = domain.configured.providers
        providers[Fixture.provider] = self.provider
        providers[Fixture.perRequestorProvider] = self.provider
        domain.replace(
            ConfiguredCatalogue(
                Catalogue(requestors: Fixture.catalogue.requestors, mvpds: mvpds), providers: providers))
    }

    private func begun(from guesser: Guesser, at mvpd: MVPDID = Fixture.provider) async throws -> LoginStart {
        try await domain.logins.begin(
            Fixture.request(try await fixture.code(), mvpd: mvpd), by: guesser, now: Fixture.now)
    }

    private func answered(_ token: String, _ name: String, _ value: String) async throws -> LoginView {
        let answer = try #require(ProviderCallback(.get, [.init(name, value)]))
        let outcome = try await domain.logins.answer(
            token, browser: Fixture.browser, with: answer, from: nil, by: Self.atHome, now: Fixture.now)
        guard case .went(let view) = outcome else { throw Unexpected(outcome: "\(outcome)") }
        return view
    }

    private struct Unexpected: Error { let outcome: String }

    private func confirmed(_ token: String) async throws -> AuthNRecord {
        _ = try await domain.logins.confirm(token, browser: Fixture.browser, by: Self.atHome, now: Fixture.now)
        return try await fixture.record()
    }

    @Test("is signed in without a question, for a time of its own, and requestors are told")
    func signedIn() async throws {
        let start = try await self.begun(from: Self.atHome)
        #expect(provider.begun == [true])
        let view = try await self.answered(start.token, "code", "ada")
        #expect(view.stage(at: Fixture.now) == .confirm, "the box is asked about all the same")
        let record = try await self.confirmed(start.token)
        #expect(record.expires == Fixture.now + .seconds(3600))
        #expect(try domain.signIns.keptSession(of: record).metadata["hba_status"] == .text("true"))
    }

    @Test("shows no home again by a sign-in that comes of the first, which ends with it")
    func renewed() async throws {
        let start = try await self.begun(from: Self.atHome, at: Fixture.perRequestorProvider)
        _ = try await self.answered(start.token, "code", "ada")
        let record = try await self.confirmed(start.token)
        let second = try await domain.signIns.passiveSignIn(
            by: record, requestor: Fixture.sibling, mvpd: Fixture.perRequestorProvider,
            now: Fixture.now + .seconds(60))
        #expect(second.id != record.id && second.expires == record.expires)
        #expect(try domain.signIns.keptSession(of: second).metadata["hba_status"] == .text("true"))
    }

    @Test func `whom the provider does not know there is asked on its pages, by another request`() async throws {
        let start = try await self.begun(from: Self.atHome)
        let view = try await self.answered(start.token, "error", "login_required")
        #expect(view.stage(at: Fixture.now) == .handedOver && provider.begun == [true, false])
        #expect(try domain.logins.handover(of: view) == .redirect(url: "https://a.example/pages"))
        #expect(try await self.answered(start.token, "code", "ada").stage(at: Fixture.now) == .confirm)
        let record = try await self.confirmed(start.token)
        #expect(record.expires == Fixture.now + .seconds(30 * 24 * 3600))
        #expect(try domain.signIns.keptSession(of: record).metadata["hba_status"] == .text("false"))
    }

    @Test("is looked for where the operator says: in networks, or anywhere")
    func networks() async throws {
        let start = try await self.begun(from: Self.away)
        #expect(provider.begun == [false])
        let answer = try #require(ProviderCallback(.get, [.init("error", "login_required")]))
        let outcome = try await domain.logins.answer(
            start.token, browser: Fixture.browser, with: answer, from: Fixture.provider, by: Self.away,
            now: Fixture.now)
        guard case .refused(_, let refusal) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(refusal.kind == .needsViewer && provider.begun == [false], "a viewer who was asked is not asked again")
        self.lookForHomes(in: [])
        _ = try await self.begun(from: Self.away)
        #expect(provider.begun == [false, true])
        let wide = try #require(NetworkPrefix(.v6(high: 0x2001_0DB8_0000_0000), length: 32))
        #expect(wide.contains(.v6(high: 0x2001_0DB8_1234_5678)) && !wide.contains(.v6(high: 0x2001_0DB9_0000_0000)))
        #expect(!wide.contains(.local) && !Self.home.contains(.v6(high: 0xC000_0207_0000_0000)))
        #expect(NetworkPrefix(.v4(0), length: 0)?.contains(.v4(.max)) == true)
        #expect(NetworkPrefix(.v4(0), length: 33) == nil && NetworkPrefix(.local, length: 0) == nil)
    }
}
