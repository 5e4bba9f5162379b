import Clientless
import Cryptography
import HTTPClient
import TestSupport
import Testing

@testable import OpenIDConnect

@Suite("Tokens, userinfo and logout")
struct TokenTests {
    private let pair: SigningPair
    private let provider: FakeProvider
    private static let userInfo: (String, JSONValue?) = ("userinfo_endpoint", "https://idp.example/userinfo")
    private static let home = JSONValue.make([("region", "BE")])

    init() throws {
        self.pair = try SigningPair.ec("1")
        self.provider = try FakeProvider(keys: [self.pair], changing: [Self.userInfo])
        self.provider.answer(
            "/userinfo",
            with: .make([("sub", "viewer-1"), ("zip", "10115"), ("iss", "ignored"), ("home", Self.home)]))
    }

    private func claims(_ changes: [(String, JSONValue?)] = []) -> JSONValue {
        let now = TestClock.start.seconds
        return JSONValue.make([
            ("iss", "https://idp.example"), ("sub", "viewer-1"), ("aud", "latchkey"), ("exp", .integer(now + 300)),
            ("iat", .integer(now)),
        ]).with(changes)
    }

    private func answer(_ members: [(String, JSONValue?)]) {
        self.provider.answer(
            "/token", with: JSONValue.make([("access_token", "access-2"), ("token_type", "Bearer")]).with(members))
    }

    private func tokens(refreshToken: String? = "refresh-1", idToken: String = "id-1") -> ProviderTokens {
        ProviderTokens(
            issuer: self.provider.issuer, subject: "viewer-1", sessionID: "session-1", accessExpires: nil,
            accessToken: "access-1", refreshToken: refreshToken, idToken: idToken)
    }

    @Test("are renewed: the new refresh token takes the old one's place, and the viewer stays the same")
    func refresh() async throws {
        let client = self.provider.client()
        self.answer([("refresh_token", "refresh-2"), ("expires_in", 60)])
        let former = JSONValue.make([("region", "HH"), ("room", "2")])
        let first = try self.pair.token(self.claims([("channels", "NS-MAIN"), ("home", former)]))
        #expect(try await client.refresh(self.tokens()).claims["channels"] == nil, "it is not known")
        let renewed = try await client.refresh(self.tokens(idToken: first))
        #expect(renewed.tokens.refreshToken == "refresh-2" && renewed.tokens.accessToken == "access-2")
        #expect(renewed.tokens.sessionID == "session-1" && renewed.tokens.idToken == first)
        #expect(renewed.tokens.accessExpires == TestClock.start + .seconds(60))
        #expect(renewed.claims["zip"] == "10115" && renewed.claims["channels"] == "NS-MAIN" && renewed.idToken == nil)
        #expect(renewed.claims["home"] == Self.home, "nothing of the former claim stays")
        let form = try #require(self.provider.requests("/token").last).form
        #expect(form == ["grant_type": "refresh_token", "refresh_token": "refresh-1", "client_id": "latchkey"])
        #expect(self.provider.requests("/userinfo").last?.headers["Authorization"] == "Bearer access-2")

        self.answer([("id_token", .string(try self.pair.token(self.claims([("home", .object([]))]))))])
        let kept = try await client.refresh(renewed.tokens)
        #expect(kept.claims["home"] == Self.home, "each of two new claims may have a part")
        #expect(kept.tokens.refreshToken == "refresh-2", "none was given")
        #expect(kept.claims["iss"] == "https://idp.example", "what is signed comes first")

        self.answer([("id_token", .string(try self.pair.token(self.claims([("sub", "viewer-2")]))))])
        let other = await fault { () throws(OpenIDConnectFault) in try await client.refresh(self.tokens()) }
        #expect(other == OpenIDConnectFault(.refresh, .token(.changedViewer)))

        self.provider.answer("/token", with: .make([("error", "invalid_grant")]), status: 400)
        let ended = await fault { () throws(OpenIDConnectFault) in try await client.refresh(self.tokens()) }
        #expect(ended?.trouble == .ended)
        let without = await fault { () throws(OpenIDConnectFault) in
            try await client.refresh(self.tokens(refreshToken: nil))
        }
        #expect(without?.trouble == .ended)
    }

    @Test func `show nothing of themselves, and survive being kept`() throws {
        let tokens = self.tokens()
        for text in ["\(tokens)", String(reflecting: tokens), "\([tokens])"] { #expect(!text.contains("-1")) }
        var dumped = ""
        dump(tokens, to: &dumped)
        #expect(!dumped.contains("access-1"))
    }

    @Test(
        arguments: [
            ([("token_type", "mac")], "token_type"), ([("token_type", nil)], "token_type"),
            ([("access_token", nil)], "access_token"), ([("access_token", "a b")], "access_token"),
            ([("access_token", "a\r\nX-Y: z")], "access_token"), ([("access_token", 7)], "access_token"),
            ([("refresh_token", "")], "refresh_token"), ([("expires_in", -1)], "expires_in"),
            ([("expires_in", "soon")], "expires_in"), ([("id_token", .array([]))], "id_token"),
            ([("access_token", .string(String(repeating: "a", count: 16_385)))], "access_token"),
        ] as [([(String, JSONValue?)], String)])
    func `are refused where the answer is not as agreed`(changes: [(String, JSONValue?)], field: String) async throws {
        self.answer(changes)
        let client = self.provider.client()
        let found = await fault { () throws(OpenIDConnectFault) in try await client.refresh(self.tokens()) }
        #expect(found == OpenIDConnectFault(.refresh, .field(field)))
    }

    @Test func `prove the client as it was registered`() async throws {
        self.answer([])
        func request(_ authentication: ClientAuthentication) async throws -> HTTPClient.Request {
            let registration = OpenIDConnectClient.Settings(
                issuer: self.provider.issuer, clientID: "client:1/é", authentication: authentication)
            _ = try await self.provider.client(registration).refresh(self.tokens())
            return try #require(self.provider.requests("/token").last)
        }
        // RFC 6749 2.3.1: encoded as a form's values before they are joined.
        let basic = try await request(.secretBasic(Secret("a:b+c d%")))
        let credentials = "client%3A1%2F%C3%A9:a%3Ab%2Bc%20d%25"
        #expect(basic.headers["Authorization"] == "Basic \(Base64.encode(credentials.utf8))")
        #expect(basic.form["client_id"] == nil && basic.form["client_secret"] == nil)
        let post = try await request(.secretPost(Secret("a:b+c d%")))
        #expect(post.form["client_id"] == "client:1/é" && post.form["client_secret"] == "a:b+c d%")
        #expect(post.headers["Authorization"] == nil)
        for pair in [try SigningPair.ec(nil), try SigningPair.rsa(nil)] {
            let key: ClientKey.Key =
                switch pair.key {
                case .rsa(let key): .rsa(key)
                case .ec(let key): .ec(key)
                }
            let form = try await request(.privateKey(ClientKey(key, id: "key-1"))).form
            #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            let token = try SignedToken(form["client_assertion"] ?? "", algorithms: [.rs256, .es256])
            #expect(token.keyID == "key-1")
            let published = try pair.publicKey().with([("kid", "key-1")])
            let keys = try #require(KeySet(JSONValue.make([("keys", .array([published]))]).bytes))
            let claims = try token.claims(verifiedBy: keys)
            let now = TestClock.start.seconds
            #expect(claims["iss"] == "client:1/é" && claims["sub"] == "client:1/é")
            #expect(claims["aud"] == "https://idp.example/token" && claims["exp"] == .integer(now + 60))
            #expect(claims["iat"] == .integer(now) && claims["jti"]?.string?.utf8.count == 32)
        }
    }

    @Test func `come with userinfo of the same viewer, plain or signed`() async throws {
        let plain = self.provider.client()
        #expect(try await plain.userInfo(self.tokens())["zip"] == "10115")
        func cause(_ client: OpenIDConnectClient) async -> OpenIDConnectFault.Cause? {
            await fault { () throws(OpenIDConnectFault) in try await client.userInfo(self.tokens()) }?.cause
        }
        for (document, expected) in [
            (JSONValue.make([("sub", "viewer-2")]), OpenIDConnectFault.Cause.token(.changedViewer)),
            (.make([("zip", "1")]), .token(.subject)), (.array([]), .unreadable),
        ] {
            self.provider.answer("/userinfo", with: document)
            #expect(await cause(plain) == expected)
        }
        self.provider.publish(
            metadata: FakeProvider.metadata([
                Self.userInfo, ("userinfo_signing_alg_values_supported", .array(["ES256"])),
            ]))
        let announced = self.provider.client()
        func sign(_ changes: [(String, JSONValue?)], by pair: SigningPair) throws {
            let token = try pair.token(self.claims(changes))
            self.provider.answer("/userinfo") { _ in
                HTTPClient.Response(
                    status: 200, headers: ["content-type": "application/JWT; charset=utf-8"], body: Array(token.utf8))
            }
        }
        try sign([("zip", "20095")], by: self.pair)
        #expect(try await announced.userInfo(self.tokens())["zip"] == "20095")
        #expect(await cause(plain) == .token(.algorithm), "signed in a way that the provider did not announce")
        try sign([("aud", "other")], by: self.pair)
        #expect(await cause(announced) == .token(.audience))
        try sign([("iss", "https://evil.example")], by: self.pair)
        #expect(await cause(announced) == .token(.issuer))
        try sign([("sub", "viewer-2")], by: self.pair)
        #expect(await cause(announced) == .token(.changedViewer))
        try sign([], by: SigningPair.ec("1"))
        #expect(await cause(announced) == .token(.signature))
        self.provider.answer("/userinfo", with: .make([("error", "invalid_token")]), status: 401)
        #expect(await cause(announced) == .refused(.invalidToken))
        #expect(OpenIDConnectFault(.userInfo, .status(401)).trouble == .ended)
        #expect(OpenIDConnectFault(.refresh, .status(400)).trouble == .ended)
        #expect(OpenIDConnectFault(.token, .status(400)).trouble == .misconfigured)
    }

    @Test func `end at the provider by the browser`() async throws {
        var registration = OpenIDConnectClient.Settings(
            issuer: self.provider.issuer, clientID: "latchkey", authentication: .none)
        func address() async throws -> String? {
            let client = self.provider.client(registration)
            _ = try await client.metadata()
            return client.logoutAddress(self.tokens())
        }
        #expect(try await address() == "https://idp.example/logout?client_id=latchkey&id_token_hint=id-1")
        registration.logoutRedirectAddress = "https://tv.example/bye"
        let full = try await address()
        #expect(
            query(of: full ?? "") == [
                "client_id": "latchkey", "id_token_hint": "id-1", "post_logout_redirect_uri": "https://tv.example/bye",
            ])
        self.provider.publish(metadata: FakeProvider.metadata([("end_session_endpoint", nil)]))
        #expect(try await address() == nil)
    }

    @Test func `end by a logout token that is one, and by no other`() async throws {
        let client = self.provider.client()
        let now = TestClock.start.seconds
        let events = JSONValue.object([.init("http://schemas.openid.net/event/backchannel-logout", .object([]))])
        func found(
            _ changes: [(String, JSONValue?)], type: String? = "logout+jwt"
        ) async throws -> (LogoutNotice?, TokenFault?) {
            let claims = self.claims([("events", events), ("jti", "id-1"), ("sid", "session-1")] + changes)
            let type: [JSONValue.Member] = type.map { [.init("typ", .string($0))] } ?? []
            let token = try self.pair.token(claims, header: [.init("alg", "ES256"), .init("kid", "1")] + type)
            do throws(OpenIDConnectFault) {
                return (try await client.backChannelLogout(token), nil)
            } catch {
                guard case .token(let fault) = error.cause else { return (nil, nil) }
                return (nil, fault)
            }
        }
        let good = try await found([])
        #expect(
            good.0
                == LogoutNotice(
                    issuer: self.provider.issuer, subject: "viewer-1", sessionID: "session-1", tokenID: "id-1",
                    acceptableUntil: TestClock.start + .seconds(600)))
        #expect(try await found([("sub", nil)]).0?.sessionID == "session-1")
        #expect(try await found([("sid", nil)], type: nil).0?.subject == "viewer-1")
        #expect(try await found([("exp", nil)]).0?.acceptableUntil == TestClock.start + .seconds(3_900))
        let bad: [([(String, JSONValue?)], TokenFault)] = [
            ([("events", nil)], .events), ([("events", .object([]))], .events), ([("nonce", "x")], .nonce),
            ([("jti", nil)], .tokenID), ([("sub", nil), ("sid", nil)], .session), ([("aud", "other")], .audience),
            ([("iss", "https://evil.example")], .issuer), ([("exp", .integer(now - 300))], .expired),
            ([("iat", nil)], .issuedAt), ([("iat", .integer(now + 301))], .issuedAt),
            ([("iat", .integer(now - 3_901)), ("exp", .integer(now + 9_999))], .expired),
        ]
        for (changes, fault) in bad { #expect(try await found(changes).1 == fault, "\(changes)") }
        #expect(try await found([], type: "at+jwt").1 == .type)
    }

    @Test func `end by the provider's page, for the session that it names`() throws {
        let client = self.provider.client()
        let issuer = "https://idp.example"
        #expect(try client.frontChannelLogout(issuer: issuer, session: "session-1").sessionID == "session-1")
        #expect(throws: OpenIDConnectFault(.frontChannelLogout, .mixUp)) {
            try client.frontChannelLogout(issuer: "https://evil.example", session: "session-1")
        }
        for session in ["", String(repeating: "s", count: 256)] {
            #expect(throws: OpenIDConnectFault(.frontChannelLogout, .field("sid"))) {
                try client.frontChannelLogout(issuer: issuer, session: session)
            }
        }
    }
}
