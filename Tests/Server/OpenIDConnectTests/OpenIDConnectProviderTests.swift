import ClaimsMapping
import Clientless
import HTTPClient
import Providers
import TestSupport
import Testing

@testable import Entitlement
@testable import OpenIDConnect

@Suite("A TV provider with OpenID Connect")
struct OpenIDConnectProviderTests {
    private let pair: SigningPair
    private let provider: FakeProvider
    private let clock = TestClock()
    private static let requestor = RequestorID("NORTHSPORT")!
    private static let channels = [Resource("NS-MAIN")!, Resource("NS-KIDS")!]

    init() throws {
        self.pair = try SigningPair.ec("1")
        self.provider = try FakeProvider(
            keys: [self.pair], changing: [("revocation_endpoint", "https://idp.example/revoke")])
        self.provider.answer("/revoke", with: .object([]))
    }

    private func television(
        _ lineUp: LineUpSource = .said(["channels"]),
        _ change: (inout OpenIDConnectProvider.Rules) -> Void = { _ in }
    ) throws -> OpenIDConnectProvider {
        let mapping = try MetadataMapping([try MappingRule(key: "zip", source: .path(["zip"]), shape: .list)])
        var rules = OpenIDConnectProvider.Rules(lineUp: lineUp, mapping: mapping)
        change(&rules)
        return OpenIDConnectProvider(self.provider.client(clock: self.clock), rules)
    }

    private func context(_ reference: String = "reference-1", isPassive: Bool = false) -> ProviderLoginContext {
        ProviderLoginContext(
            mvpd: MVPDID("CableNova")!, requestor: Self.requestor, callback: "https://tv.example/sp/login/CableNova",
            reference: reference, isPassive: isPassive)
    }

    private func claims(_ changes: [(String, JSONValue?)] = []) -> JSONValue {
        let now = self.clock.now.seconds
        return JSONValue.make([
            ("iss", "https://idp.example"), ("sub", "viewer-1"), ("aud", "latchkey"), ("exp", .integer(now + 300)),
            ("iat", .integer(now)), ("sid", "s1"), ("channels", .array(["NS-MAIN"])), ("zip", "10115"),
        ]).with(changes)
    }

    private func answerTokens(_ changes: [(String, JSONValue?)]) {
        self.provider.answer(
            "/token",
            with: JSONValue.make([
                ("access_token", "access-1"), ("token_type", "Bearer"), ("expires_in", 60),
                ("refresh_token", "refresh-1"),
            ]).with(changes))
    }

    private func callback(_ parameters: [(String, String)]) -> ProviderResponse {
        .callback(ProviderCallback(.get, parameters.map { .init($0.0, $0.1) })!)
    }

    private func address(_ start: ProviderStart) throws -> String {
        guard case .redirect(let url) = start.handover else { throw ProviderError(detail: "no redirect") }
        return url
    }

    private func verdict(
        _ television: OpenIDConnectProvider, signedBy pair: SigningPair? = nil,
        changing changes: [(String, JSONValue?)] = []
    ) async throws -> ProviderVerdict {
        let start = try await television.begin(self.context(), now: self.clock.now)
        let nonce = try #require(query(of: try self.address(start))["nonce"])
        let token = try (pair ?? self.pair).token(self.claims([("nonce", .string(nonce))] + changes))
        self.answerTokens([("id_token", .string(token))])
        return try await television.complete(
            self.context(), with: self.callback([("code", "c"), ("state", "reference-1")]), state: start.state,
            now: self.clock.now)
    }

    private func login(_ television: OpenIDConnectProvider) async throws -> ProviderLogin {
        guard case .accepted(let login) = try await self.verdict(television)
        else { throw ProviderError(detail: "not accepted") }
        return login
    }

    private func decide(
        _ television: OpenIDConnectProvider, _ session: ProviderSession
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        try await television.decide(Self.channels, requestor: Self.requestor, session: session, now: self.clock.now)
    }

    private func permits(_ decisions: [Decision]) -> [Bool] {
        decisions.map { if case .deny = $0 { false } else { true } }
    }

    private func kind<Value>(_ body: () async throws -> Value) async -> ProviderError.Kind? {
        (await thrown(body) as? ProviderError)?.kind
    }

    @Test func `names a line-up that no claim has, and the claims that there are, without their values`() async throws {
        guard case .accepted(let login) = try await self.verdict(try self.television(.said(["chanels"])))
        else { return #expect(Bool(false), "the viewer is in") }
        #expect(login.doubt?.contains("'chanels' is not among") == true && login.doubt?.contains("channels") == true)
        #expect(login.doubt?.contains("10115") == false)
        guard case .accepted(let other) = try await self.verdict(try self.television())
        else { return #expect(Bool(false), "the viewer is in") }
        #expect(other.doubt == nil)
    }

    @Test func `signs a viewer in, and decides by the package that its claims say`() async throws {
        let television = try self.television()
        var context = self.context()
        context.asksAnew = true
        let asked = query(of: try self.address(try await television.begin(context, now: self.clock.now)))
        #expect(asked["state"] == "reference-1" && asked["code_challenge_method"] == "S256")
        #expect(asked["prompt"] == "login" && asked["redirect_uri"] == "https://tv.example/sp/login/CableNova")
        let login = try await self.login(television)
        #expect(login.upstreamUserID == "viewer-1" && login.sessionName == "sid s1" && login.until == nil)
        #expect(login.metadata == ["zip": .list(["10115"])])
        #expect(!login.session.account.contains("access-1"))
        let answer = try await self.decide(television, login.session)
        #expect(self.permits(answer.value) == [true, false] && answer.session == nil)
    }

    @Test func `gives every viewer what the operator fixed`() async throws {
        let television = try self.television(.fixed(["*"]))
        let answer = try await self.decide(television, try await self.login(television).session)
        #expect(self.permits(answer.value) == [true, true])
    }

    @Test func `asks nothing of a viewer in a passive login, and tells the refusals apart`() async throws {
        let television = try self.television()
        let passive = self.context(isPassive: true)
        let start = try await television.begin(passive, now: self.clock.now)
        #expect(query(of: try self.address(start))["prompt"] == "none")
        for (code, kind) in [
            ("login_required", Entitlement.ProviderRefusal.Kind.needsViewer), ("access_denied", .declined),
        ] {
            let verdict = try await television.complete(
                passive, with: self.callback([("error", code), ("state", "reference-1")]), state: start.state,
                now: self.clock.now)
            #expect(verdict == .refused(Entitlement.ProviderRefusal(kind)))
        }
        // By the browser's word alone nothing is the provider's fault: it may be a stranger's.
        for answer in [
            ("error", "server_error"), ("error", "zzz"), ("error", "invalid_scope"),
            ("code", String(repeating: "x", count: 9_000)),
        ] {
            let kind = await self.kind {
                try await television.complete(
                    passive, with: self.callback([answer, ("state", "reference-1")]), state: start.state,
                    now: self.clock.now)
            }
            #expect(kind == .refused)
        }
    }

    @Test("takes no answer of another login or of another provider")
    func foreignState() async throws {
        let television = try self.television()
        let start = try await television.begin(self.context(), now: self.clock.now)
        for answer in [
            [("code", "c"), ("state", "reference-2")], [("code", "c")],
            [("code", "c"), ("state", "reference-1"), ("iss", "https://other.example")],
        ] {
            let kind = await self.kind {
                try await television.complete(
                    self.context(), with: self.callback(answer), state: start.state, now: self.clock.now)
            }
            #expect(kind == .unproven)
        }
        let kind = await self.kind {
            try await television.complete(
                self.context(), with: self.callback([("code", "c"), ("state", "reference-1")]), state: .empty,
                now: self.clock.now)
        }
        #expect(kind == .unproven)
        #expect(self.provider.requests("/token").isEmpty)
    }

    @Test("takes no token of another key, viewer, client or time")
    func forged() async throws {
        let television = try self.television()
        let stranger = try SigningPair.ec("1")
        #expect(await self.kind { try await self.verdict(television, signedBy: stranger) } == .unproven)
        let unknown = try SigningPair.ec("2")
        #expect(await self.kind { try await self.verdict(television, signedBy: unknown) } == .misconfigured)
        for change: (String, JSONValue?) in [
            ("aud", "other"), ("iss", "https://other.example"), ("nonce", "other"), ("exp", 1), ("sub", nil),
        ] {
            #expect(
                await self.kind { try await self.verdict(television, changing: [change]) } == .unproven, "\(change)")
        }
    }

    @Test("asks anew once its token is over: a new package counts, a lost account ends the session")
    func renewal() async throws {
        let television = try self.television()
        let session = try await self.login(television).session
        self.clock.advance(by: .seconds(61))
        let token = try self.pair.token(self.claims([("channels", .array(["NS-KIDS"]))]))
        self.answerTokens([("id_token", .string(token)), ("refresh_token", "refresh-2")])
        let answer = try await self.decide(television, session)
        #expect(self.permits(answer.value) == [false, true])
        #expect(self.provider.requests("/token").last?.form["refresh_token"] == "refresh-1")
        let changed = try #require(answer.session)

        // A renewal that says nothing of the viewer changes nothing of what is known.
        self.clock.advance(by: .seconds(61))
        self.answerTokens([("refresh_token", "refresh-3")])
        let renewed = try await television.renew(changed, requestor: Self.requestor, now: self.clock.now)
        guard case .accepted(let login)? = renewed.value else { return #expect(Bool(false), "not renewed") }
        #expect(self.provider.requests("/token").last?.form["refresh_token"] == "refresh-2")
        #expect(login.metadata == ["zip": .list(["10115"])] && login.sessionName == "sid s1")
        #expect(renewed.session == login.session)
        #expect(self.permits(try await self.decide(television, login.session).value) == [false, true])

        self.clock.advance(by: .seconds(61))
        self.provider.answer("/token", with: .make([("error", "invalid_grant")]), status: 400)
        #expect(await self.kind { try await self.decide(television, login.session) } == .sessionOver)
        self.provider.answer("/token", with: .object([]), status: 503)
        #expect(await self.kind { try await self.decide(television, login.session) } == .unreachable)
    }

    @Test("keeps the new token, and what is known of the viewer, when user info or keys are away at a renewal")
    func renewalWithoutClaims() async throws {
        self.provider.publish(metadata: FakeProvider.metadata([("userinfo_endpoint", "https://idp.example/userinfo")]))
        self.provider.answer("/userinfo", with: .make([("sub", "viewer-1"), ("zip", "10115")]))
        let television = try self.television()
        var session = try await self.login(television).session
        let stranger = try SigningPair.ec("2")
        for (number, isKeyKnown) in [(2, true), (3, false), (4, true)] {
            self.clock.advance(by: .seconds(61))
            self.provider.answer("/userinfo", with: .object([]), status: 503)
            self.provider.answer("/keys") { _ throws(HTTPClientError) in throw HTTPClientError(.timedOut) }
            let channels: [JSONValue] = number == 4 ? ["NS-KIDS"] : []
            let token = try (isKeyKnown ? self.pair : stranger).token(self.claims([("channels", .array(channels))]))
            self.answerTokens([("id_token", .string(token)), ("refresh_token", .string("refresh-\(number)"))])
            let answer = try await self.decide(television, session)
            #expect(self.permits(answer.value) == [true, false])
            #expect(self.provider.requests("/token").last?.form["refresh_token"] == "refresh-\(number - 1)")
            #expect(self.provider.requests("/token").last?.runsToItsEnd == true)
            session = try #require(answer.session)
        }
        // A renewal without an ID token goes by the claims of the last one that came, where user info says no other.
        self.clock.advance(by: .seconds(61))
        self.provider.answer("/userinfo", with: .make([("sub", "viewer-1"), ("zip", "20095")]))
        self.answerTokens([("refresh_token", "refresh-5")])
        let answer = try await self.decide(television, session)
        #expect(self.permits(answer.value) == [false, true] && answer.metadata == ["zip": .list(["20095"])])
    }

    @Test func `ends a sign-in with its token where that is agreed and it cannot be renewed`() async throws {
        let television = try self.television { $0.endsWithToken = true }
        #expect(try await self.login(television).until == nil)
        let start = try await television.begin(self.context(), now: self.clock.now)
        let nonce = try #require(query(of: try self.address(start))["nonce"])
        self.answerTokens([
            ("id_token", .string(try self.pair.token(self.claims([("nonce", .string(nonce)), ("sid", nil)])))),
            ("refresh_token", nil),
        ])
        let verdict = try await television.complete(
            self.context(), with: self.callback([("code", "c"), ("state", "reference-1")]), state: start.state,
            now: self.clock.now)
        guard case .accepted(let login) = verdict else { return #expect(Bool(false), "not accepted") }
        #expect(login.until == self.clock.now + .seconds(60) && login.sessionName == "sub viewer-1")
        #expect(try await television.renew(login.session, requestor: Self.requestor, now: self.clock.now).value == nil)
    }

    @Test func `gives its token back at a logout, and names the page where the browser ends the rest`() async throws {
        let television = try self.television()
        let session = try await self.login(television).session
        let url = try #require(try await television.logoutAddress(of: session))
        #expect(self.provider.requests("/revoke").isEmpty)
        try await television.endSession(session)
        #expect(url.hasPrefix("https://idp.example/logout?client_id=latchkey&id_token_hint="))
        #expect(self.provider.requests("/revoke").map { $0.form["token"] } == ["refresh-1"])
        self.provider.answer("/revoke", with: .object([]), status: 500)
        #expect(await self.kind { try await television.endSession(session) } != nil)
        #expect(try await television.logoutAddress(of: session) == url)
    }

    @Test("hears of logouts: its own notices alone, from a browser only where that is agreed")
    func notices() async throws {
        let television = try self.television()
        func notice(_ changes: [(String, JSONValue?)], by pair: SigningPair? = nil) throws -> ProviderNotice {
            let events = JSONValue.make([("http://schemas.openid.net/event/backchannel-logout", .object([]))])
            let claims = self.claims([("events", events), ("jti", "n1")] + changes)
            return .backChannel(token: try (pair ?? self.pair).token(claims))
        }
        let checked = try await television.check(try notice([]), now: self.clock.now)
        #expect(checked?.endings == [.session("sid s1"), .session("sub viewer-1")] && checked?.once?.id == "n1")
        let whole = try await television.check(try notice([("sid", nil)]), now: self.clock.now)
        #expect(whole?.endings == [.viewer("viewer-1")])
        let stranger = try SigningPair.ec("1")
        for forged in [
            try notice([], by: stranger), try notice([("jti", nil)]), try notice([("aud", "other")]),
            try notice([("events", nil)]), .backChannel(token: "x"),
        ] {
            #expect(await self.kind { try await television.check(forged, now: self.clock.now) } == .unproven)
        }
        let front = ProviderNotice.frontChannel(issuer: "https://idp.example", session: "s1")
        #expect(try await television.check(front, now: self.clock.now) == nil)
        let agreed = try self.television { $0.takesFrontChannelLogout = true }
        #expect(try await agreed.check(front, now: self.clock.now) == CheckedNotice([.session("sid s1")]))
        let other = ProviderNotice.frontChannel(issuer: "https://other.example", session: "s1")
        #expect(await self.kind { try await agreed.check(other, now: self.clock.now) } == .unproven)
    }

    @Test func `knows a viewer of a platform by name, and gives no more than what all have`() async throws {
        let login = ProviderLogin(upstreamUserID: "viewer-1", session: ProviderSession(account: "viewer-1"))
        #expect(try await self.television().recognise(login) == .refused(Entitlement.ProviderRefusal(.needsViewer)))
        let television = try self.television(.fixed(["NS-MAIN"]))
        guard case .accepted(let known) = try await television.recognise(login)
        else { return #expect(Bool(false), "not known") }
        #expect(self.permits(try await self.decide(television, known.session).value) == [true, false])
        try await television.endSession(known.session)
        #expect(try await television.logoutAddress(of: known.session) == nil)
        #expect(await self.kind { try await self.decide(television, login.session) } == .sessionOver)
    }
}
