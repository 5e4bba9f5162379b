import Clientless
import Cryptography
import Entitlement
import HTTPServer
import TestSupport
import Testing

/// Keeps one account, `ada` with the password `right`, in the server's store.
struct KeepingProvider: Provider {
    let account = Account(mvpd: ScreenFixture.harbor, name: "ada", passwordHash: "$y$", lineUp: ["*"])

    /// Called for what the password is now.
    var passwordMark: @Sendable () -> [UInt8] = { [] }

    private var login: ProviderLogin {
        ProviderLogin(upstreamUserID: self.account.id, session: ProviderSession(account: self.account.id))
    }

    var isRemote: Bool { false }

    var keepsAccounts: Bool { true }

    func ownAccount(_ reference: AccountReference) async throws(ProviderError) -> OwnAccount? {
        let isMeant =
            switch reference {
            case .id(let id): id == self.account.id
            case .name(let name): name == self.account.name
            case .session(let session): session.account == self.account.id
            }
        return isMeant
            ? OwnAccount(
                id: self.account.id, name: self.account.name, login: self.login, passwordMark: self.passwordMark())
            : nil
    }

    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        (.signInPage, .empty)
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        guard case .password(let account, let password) = response, account == self.account.name,
            password.withBytes({ $0 == Array("right".utf8) })
        else { return .refused(ProviderRefusal(.wrongCredentials)) }
        return .accepted(self.login)
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        ProviderAnswer(resources.map { _ in .permit })
    }
}

@Suite("Passkeys on the pages", .fixture(.init(isSecure: true, harbor: KeepingProvider())))
struct PasskeyPageTests {
    private static let provider = ScreenFixture.harbor.text
    private static let use = "/activate/sign-in/passkey"
    private static let list = "/activate/sign-in/passkeys"
    private static let make = "/activate/done/passkey"

    private let browser = Browser(fixture)

    init() async throws {
        let provider = try #require(fixture.domain.configured.providers[ScreenFixture.harbor] as? KeepingProvider)
        #expect(try await fixture.store.insert(provider.account, audit: nil))
    }

    private func authenticator() throws -> TestAuthenticator {
        try TestAuthenticator(at: "https://tve.example.net", party: "tve.example.net")
    }

    /// What the form of a page asks the browser.
    private func data(_ name: String, on page: ShownPage) -> String? {
        guard let form = page.text.firstRange(of: "data-passkey=") else { return nil }
        let rest = page.text[form.lowerBound...].prefix { $0 != ">" }
        guard let start = rest.firstRange(of: "data-\(name)=\"") else { return nil }
        return String(rest[start.upperBound...].prefix { $0 != "\"" })
    }

    /// The bytes of what the form of a page asks the browser.
    private func bytes(_ name: String, on page: ShownPage) throws -> [UInt8] {
        let text = try #require(self.data(name, on: page))
        return try #require(Base64.decodeURL(text))
    }

    /// From a code to the last page, with the password.
    private func walkToEnd(_ browser: Browser, _ fixture: ScreenFixture) async throws {
        try await browser.walkToSignIn(try await fixture.code().text, mvpd: Self.provider)
        try await browser.signIn()
        try await browser.decide("confirm")
    }

    /// Sends a new passkey from the last page.
    @discardableResult
    private func make(_ browser: Browser, _ authenticator: TestAuthenticator) async throws -> ShownPage {
        let said = authenticator.registration(try self.bytes("challenge", on: browser.page))
        return try await browser.submit(
            Self.make,
            [
                ("client_data", Base64.encodeURL(said.clientData)),
                ("attestation", Base64.encodeURL(said.attestation)),
            ])
    }

    /// Signs in with a passkey on the sign-in page.
    @discardableResult
    private func use(_ browser: Browser, _ authenticator: TestAuthenticator) async throws -> ShownPage {
        let said = try authenticator.assertion(try self.bytes("challenge", on: browser.page))
        return try await browser.submit(
            Self.use,
            [
                ("credential", Base64.encodeURL(authenticator.credential)),
                ("client_data", Base64.encodeURL(said.clientData)),
                ("authenticator_data", Base64.encodeURL(said.authenticatorData)),
                ("signature", Base64.encodeURL(said.signature)),
                ("user_handle", Base64.encodeURL(authenticator.handle)),
            ])
    }

    @Test func `are offered once the box is signed in, and sign the next box in`() async throws {
        var authenticator = try self.authenticator()
        try await self.walkToEnd(browser, fixture)
        #expect(try await Xmllint.accepts(browser.page.text))
        #expect(self.data("party", on: browser.page) == "tve.example.net")
        #expect(self.data("origin", on: browser.page) == "https://tve.example.net")
        #expect(self.data("account", on: browser.page) == "ada")
        authenticator.handle = try self.bytes("handle", on: browser.page)
        try await self.make(browser, authenticator)
        browser.page.expect(200, shows: "Your passkey is added.")
        #expect(browser.page.form(Self.make) == nil)

        fixture.advance(by: .seconds(60))
        try await browser.submit("/boxes/over")
        let code = try await fixture.code()
        try await browser.walkToSignIn(code.text, mvpd: Self.provider)
        #expect(try await Xmllint.accepts(browser.page.text))
        try await self.use(browser, authenticator)
        #expect(browser.page.form("/activate/confirm") != nil, "\(browser.page.heading ?? "")")
        try await browser.decide("confirm")
        #expect(try await fixture.isSignedIn(code))
        #expect(browser.page.form(Self.make) == nil, "who came with a passkey is offered none")
    }

    @Test(arguments: [false, true])
    func `are not offered to who goes on from a sign-in of the day`(isOverOnList: Bool) async throws {
        try await self.walkToEnd(browser, fixture)
        #expect(browser.page.form(Self.make) != nil)
        let done = browser.page.path
        let code = try await fixture.code(device: "next")
        await browser.get("/activate?code=\(code.text)")
        await browser.follow()
        try await browser.decide("confirm")
        #expect(try await fixture.isSignedIn(code))
        #expect(browser.page.form(Self.make) == nil, "no password was asked for")
        // Nor to the next person at a browser that the viewer is done with.
        #expect(await browser.get(done).status == 200 && browser.page.form(Self.make) != nil)
        if isOverOnList { try await browser.walkToBoxes(mvpd: Self.provider) }
        try await browser.submit("/boxes/over")
        #expect(await browser.get(done).status == 403 && browser.page.form(Self.make) == nil)
    }

    @Test("are listed for the account that was typed, and made up for any other")
    func list() async throws {
        let authenticator = try self.authenticator()
        try await self.walkToEnd(browser, fixture)
        try await self.make(browser, authenticator)
        fixture.advance(by: .seconds(60))
        try await browser.submit("/boxes/over")
        try await browser.walkToSignIn(try await fixture.code().text, mvpd: Self.provider)
        let form = try #require(browser.page.form(Self.use)).filter { ["form_token", "attempt"].contains($0.0) }
        let known = await browser.post(Self.list, form + [("account", "ada")])
        #expect(known.status == 200)
        #expect(known.response.headers["Content-Type"]?.hasPrefix("text/plain") == true)
        #expect(known.text == Base64.encodeURL(authenticator.credential))
        let unknown = await browser.post(Self.list, form + [("account", "bert")])
        #expect(unknown.status == 200)
        let madeUp = unknown.text.split(whereSeparator: \.isWhitespace).map {
            Base64.decodeURL(String($0))?.count ?? 0
        }
        #expect(!madeUp.isEmpty && madeUp.allSatisfy { $0 >= 16 })
        #expect(await browser.post(Self.list, form + [("account", "")]).status == 400)
        #expect(await browser.post(Self.list, [("account", "ada")]).status == 403)
    }

    @Test func `that are not known lead back to the password, with a sentence`() async throws {
        let code = try await fixture.code()
        try await browser.walkToSignIn(code.text, mvpd: Self.provider)
        try await self.use(browser, try self.authenticator()).expect(
            403, alert: "This passkey was not accepted. Please sign in with your password.")
        try await browser.signIn()
        try await browser.decide("confirm")
        #expect(try await fixture.isSignedIn(code))
    }

    @Test("that are malformed, forged, or of another login are not taken")
    func forged() async throws {
        try await self.walkToEnd(browser, fixture)
        let page = browser.page
        let form = try #require(page.form(Self.make)).filter { ["form_token", "attempt"].contains($0.0) }
        #expect(await browser.post(Self.make, form).status == 400)
        let long = String(repeating: "A", count: 11_000)
        #expect(await browser.post(Self.make, form + [("client_data", "AAAA"), ("attestation", long)]).status == 400)
        #expect(await browser.post(Self.make, form + [("client_data", "%"), ("attestation", "%")]).status == 400)
        let said = try self.authenticator().registration(SecureRandom.bytes(56))
        let fields = [
            ("client_data", Base64.encodeURL(said.clientData)),
            ("attestation", Base64.encodeURL(said.attestation)),
        ]
        let refused = await browser.post(Self.make, form + fields)
        refused.expect(400, shows: "This passkey could not be kept.")
        #expect(refused.form(Self.make) != nil, "it may be tried again")
        #expect(await browser.post(Self.make, Array(form.dropFirst()) + fields).status == 403)
        let stranger = Browser(fixture)
        await stranger.get("/activate")
        #expect(await stranger.post(Self.make, form + fields).status == 403)
    }

    @Test func `are not spoken of at another provider, whose accounts are not here`() async throws {
        let page = try await browser.walkToSignIn(try await fixture.code().text)
        #expect(page.form(Self.use) == nil && page.form("/activate/sign-in") != nil)
    }

    @Test(.fixture(.init(harbor: KeepingProvider()))) func `are not spoken of on pages in clear`() async throws {
        try await browser.walkToSignIn(try await fixture.code().text, mvpd: Self.provider)
        #expect(browser.page.form(Self.use) == nil)
        try await browser.signIn()
        let page = try await browser.decide("confirm")
        #expect(page.form(Self.make) == nil && !page.text.contains("passkey.js"))
    }
}
