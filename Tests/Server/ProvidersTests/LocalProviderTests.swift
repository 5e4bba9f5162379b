import Clientless
import Cryptography
import StoreFixtures
import Stores
import TestSupport
import Testing

@testable import Entitlement
@testable import Providers

@Suite("A local provider")
struct LocalProviderTests {
    private let folder: TemporaryFolder
    private let store: any EmbeddedStore
    private let provider: LocalProvider
    private let login = ProviderLoginContext(
        mvpd: Fixture.cableNova, requestor: Fixture.northSport, callback: "", reference: "")

    /// The provider has the account `anna`, whose password is `open sesame`, on a real store.
    init() async throws {
        self.folder = try TemporaryFolder()
        self.store = try await SQLiteStore.open(self.folder.file("store.sqlite"))
        self.provider = LocalProvider(mvpd: Fixture.cableNova, accounts: self.store)
        let hash = try PasswordHash.make(Secret("open sesame"))
        try await self.store.save(
            Account(
                mvpd: Fixture.cableNova, id: "7a", name: "anna", passwordHash: hash.text, lineUp: ["North Sport HD"]))
    }

    private func complete(
        _ account: String, _ password: String, at provider: LocalProvider? = nil
    ) async throws(ProviderError) -> ProviderVerdict {
        try await (provider ?? self.provider).complete(
            self.login, with: .password(account: account, password: Secret(password)), state: .empty,
            now: Fixture.now)
    }

    private func decide(
        _ resources: [String], session: ProviderSession = ProviderSession(account: "anna")
    ) async throws(ProviderError) -> [Decision] {
        try await self.provider.decide(
            resources.map(Fixture.resource), requestor: Fixture.northSport, session: session, now: Fixture.now
        ).value
    }

    private func setLineUp(_ lineUp: [String]) async throws {
        var account = try #require(try await self.store.account("anna", of: Fixture.cableNova))
        account.lineUp = lineUp
        #expect(try await self.store.replace(account, audit: nil))
    }

    @Test func `signs in on the server's own page`() async throws {
        #expect(try await provider.begin(self.login, now: Timestamp(seconds: 0)).handover == .signInPage)
    }

    @Test("knows an account by its ID, its name and a session, for viewers who come without the password")
    func ownAccount() async throws {
        #expect(provider.keepsAccounts)
        let login = ProviderLogin(upstreamUserID: "7a", session: ProviderSession(account: "id 7a"))
        let account = OwnAccount(id: "7a", name: "anna", login: login)
        for reference in [
            AccountReference.id("7a"), .name("Anna"), .session(login.session),
            .session(ProviderSession(account: "anna")),
        ] {
            let found = try await provider.ownAccount(reference)
            #expect(found?.id == account.id && found?.name == account.name, "\(reference)")
            #expect(found?.login == account.login && found?.passwordMark.isEmpty == false, "\(reference)")
        }
        for reference in [
            AccountReference.id("anna"), .name("7a"), .name("an na"), .session(ProviderSession(account: "id 7b")),
        ] {
            #expect(try await provider.ownAccount(reference) == nil, "\(reference)")
        }
    }

    @Test("accepts the right password, however the name is capitalised", arguments: ["anna", "ANNA", "Anna"])
    func accepted(name: String) async throws {
        let verdict = try await self.complete(name, "open sesame")
        let login = ProviderLogin(upstreamUserID: "7a", session: ProviderSession(account: "id 7a"))
        #expect(verdict == .accepted(login))
    }

    @Test("refuses a wrong password and an unknown name with the same sentence")
    func refused() async throws {
        for (name, password) in [
            ("anna", "Open sesame"), ("anna", "open sesame "), ("anna", ""), ("anna", "open\u{0}sesame"),
            ("bert", "open sesame"), ("anna ", "open sesame"), ("", "open sesame"), ("bert", "unknown"),
            ("anna", String(repeating: "x", count: 100_000)), (String(repeating: "x", count: 100_000), "x"),
        ] {
            let verdict = try await self.complete(name, password)
            #expect(
                verdict == .refused(ProviderRefusal(.wrongCredentials, LocalProvider.refusal)), "\(name.prefix(8))")
        }
    }

    @Test func `checks an unknown name against a hash that costs the same, and lets nobody in with it`() async throws {
        let fresh = try PasswordHash.make(Secret("x"))
        let setting = { (hash: PasswordHash) in hash.text.split(separator: "$").prefix(2).joined(separator: "$") }
        #expect(setting(.standIn) == setting(fresh))
        #expect(PasswordHash.standIn.text.utf8.count == fresh.text.utf8.count)
        // The password of nobody is known to whoever reads this.
        #expect(try PasswordHash.standIn.verify(Secret("unknown")))
        let verdict = try await self.complete("bert", "unknown")
        #expect(verdict == .refused(ProviderRefusal(.wrongCredentials, LocalProvider.refusal)))
        try await store.save(Account(mvpd: Fixture.cableNova, name: "carl", passwordHash: "broken", lineUp: ["*"]))
        let broken = try await self.complete("carl", "unknown")
        #expect(broken == .refused(ProviderRefusal(.wrongCredentials, LocalProvider.refusal)))
    }

    @Test func `knows its own accounts only`() async throws {
        let other = LocalProvider(mvpd: Fixture.skyPeak, accounts: store)
        let verdict = try await self.complete("anna", "open sesame", at: other)
        #expect(verdict == .refused(ProviderRefusal(.wrongCredentials, LocalProvider.refusal)))
    }

    @Test func `permits what is in the line-up, in the order asked`() async throws {
        let decisions = try await self.decide(["South News", "North Sport HD", "north sport hd"])
        #expect(
            decisions == [
                .deny(reason: "South News is not part of your package."), .permit,
                .deny(reason: "north sport hd is not part of your package."),
            ])
    }

    @Test func `judges an MRSS fragment by its channel title`() async throws {
        let fragment = { (title: String) in
            """
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>\(title)</title>\
            <item><title>Cup Final</title></item></channel></rss>
            """
        }
        let decisions = try await self.decide(
            [fragment("North Sport HD"), fragment("<![CDATA[ North Sport HD ]]>"), fragment("X"), "<rss>"])
        #expect(decisions[0...1] == [.permit, .permit])
        #expect(decisions[2] == .deny(reason: "X is not part of your package."))
        #expect(decisions[3] == .deny(reason: "This is not a channel."))
    }

    @Test func `permits everything to a line-up with a star, and nothing to an empty one`() async throws {
        try await self.setLineUp(["*"])
        #expect(try await self.decide(["A", "*"]) == [.permit, .permit])
        try await self.setLineUp([])
        let none = ["A", "*"].map { Decision.deny(reason: "\($0) is not part of your package.") }
        #expect(try await self.decide(["A", "*"]) == none)
    }

    @Test func `does not repeat to viewers what is no name`() async throws {
        let decisions = try await self.decide([String(repeating: "a", count: 81), "a\u{7}b", "a\u{202E}b"])
        #expect(decisions == Array(repeating: .deny(reason: "This channel is not part of your package."), count: 3))
    }

    @Test func `denies all to an account that is gone, and follows a changed line-up`() async throws {
        try await self.setLineUp(["B"])
        let changed = try await self.decide(["North Sport HD", "B"])
        #expect(changed == [.deny(reason: "North Sport HD is not part of your package."), .permit])
        _ = try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil)
        #expect(try await self.decide(["B", "C"]) == Array(repeating: .deny(reason: nil), count: 2))
    }

    @Test func `knows a viewer by the account's ID: a new account of the same name inherits nothing`() async throws {
        guard case .accepted(let login) = try await self.complete("anna", "open sesame")
        else { return #expect(Bool(false), "not signed in") }
        #expect(try await self.decide(["North Sport HD"], session: login.session) == [.permit])
        _ = try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil)
        let again = Account(mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: ["*"])
        #expect(try await store.insert(again, audit: nil))
        #expect(try await self.decide(["North Sport HD"], session: login.session) == [.deny(reason: nil)])
    }

    @Test func `reads an account once, however many resources it is asked about`() async throws {
        let before = store.statistics.reads
        _ = try await self.decide((0..<50).map { "Channel \($0)" })
        #expect(store.statistics.reads == before + 1)
    }

    @Test func `vouches again for an account that exists, and for no other`() async throws {
        func renew() async throws -> ProviderVerdict? {
            try await provider.renew(
                ProviderSession(account: "anna"), requestor: RequestorID("NORTHSPORT")!, now: Timestamp(seconds: 0)
            ).value
        }
        guard case .accepted(let login) = try await renew() else { return #expect(Bool(false), "not vouched for") }
        #expect(login.upstreamUserID == "7a" && login.session.account == "id 7a")
        _ = try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil)
        #expect(try await renew() == .refused(reason: nil))
    }

    @Test func `says so when it cannot ask its store`() async throws {
        await store.close()
        await #expect(throws: ProviderError.self) { _ = try await self.complete("anna", "open sesame") }
        await #expect(throws: ProviderError.self) { _ = try await self.decide(["A"]) }
    }

    @Test func `recognises who a platform vouches for by name, and keeps the account's ID`() async throws {
        func recognise(_ name: String) async throws -> ProviderVerdict {
            try await provider.recognise(
                ProviderLogin(
                    upstreamUserID: name, session: ProviderSession(account: name),
                    metadata: ["zip": .list(["12345"])]))
        }
        let login = ProviderLogin(
            upstreamUserID: "7a", session: ProviderSession(account: "id 7a"), metadata: ["zip": .list(["12345"])])
        #expect(try await recognise("Anna") == .accepted(login))
        // An issuer that names an ID would choose whose account it is.
        for name in ["id 7a", "7a", "bert", ""] {
            #expect(try await recognise(name) == .refused(reason: nil), "\(name)")
        }
        _ = try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil)
        #expect(try await recognise("anna") == .refused(reason: nil))
    }
}

@Suite("The name of an account")
struct AccountNameTests {
    @Test(arguments: [
        ("anna", "anna"), ("ANNA", "anna"), ("Anna.Smith+tv@Example.NET", "anna.smith+tv@example.net"),
        ("Ünal", "Ünal"), ("ЖЕНЯ", "ЖЕНЯ"), ("[\\]^_{|}~", "[\\]^_{|}~"), ("@Z", "@z"),
        (String(repeating: "A", count: 64), String(repeating: "a", count: 64)),
    ])
    func `has one form, lower case for ASCII`(text: String, form: String) {
        #expect(AccountName.canonical(text).map { Array($0.utf8) } == Array(form.utf8))
        #expect(AccountName.canonical(form).map { Array($0.utf8) } == Array(form.utf8))
    }

    @Test(
        "is refused when it is empty, long, or has white space or control characters",
        arguments: [
            "", " ", "anna ", " anna", "an na", "anna\n", "an\tna", "\u{0}", "anna\u{7F}", "an\u{A0}na", "an\u{2003}na",
            "an\u{85}na", String(repeating: "a", count: 65), String(repeating: "é", count: 33),
        ])
    func refused(text: String) { #expect(AccountName.canonical(text) == nil) }
}
