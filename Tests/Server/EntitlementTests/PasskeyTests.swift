import Clientless
import Cryptography
import Synchronization
import TestSupport
import Testing

@testable import Entitlement

@Suite("A passkey", .fixture, .timeLimit(.minutes(5)))
struct PasskeyTests {
    static let origin = "https://tve.example.net"

    private static func party() throws -> RelyingParty { try #require(RelyingParty(publicURL: self.origin)) }

    private static func authenticator() throws -> TestAuthenticator {
        try TestAuthenticator(at: self.origin, party: "tve.example.net")
    }

    private let account = Account(mvpd: Fixture.provider, name: "ada", passwordHash: "$y$", lineUp: ["*"])

    init() async throws {
        #expect(try await fixture.store.insert(self.account, audit: nil))
        fixture.provider.ownAccounts.withLock { [account] in $0["ada"] = account.id }
    }

    /// A login up to its end, with the password.
    private func done(device: String = "box", now: Timestamp = Fixture.now) async throws
        -> LoginView
    {
        let token = try await self.doneToken(device: device, now: now)
        return try await domain.logins.login(token, now: now)
    }

    private func doneToken(device: String = "box", now: Timestamp = Fixture.now)
        async throws -> String
    {
        let token = try await fixture.acceptedLogin(try await fixture.code(for: device, now: now), now: now)
        _ = try await domain.logins.confirm(token, now: now)
        return token
    }

    private func register(
        _ authenticator: TestAuthenticator, _ challenge: [UInt8], _ token: String, now: Timestamp = Fixture.now
    ) async throws -> Bool {
        let said = authenticator.registration(challenge)
        let registration = try #require(PasskeyRegistration(clientData: said.clientData, attestation: said.attestation))
        return try await domain.passkeys.register(
            token, browser: Fixture.browser, registration, at: try Self.party(), now: now
        ).isKept
    }

    /// A box signed in with the password, and a passkey added after it.
    private func added(device: String = "box", now: Timestamp = Fixture.now) async throws -> TestAuthenticator {
        var authenticator = try Self.authenticator()
        let token = try await self.doneToken(device: device, now: now)
        let view = try await domain.logins.login(token, now: now)
        guard case .offered(let offer) = try await domain.passkeys.standing(of: view, now: now)
        else { throw NotOffered() }
        authenticator.handle = offer.handle
        #expect(try await self.register(authenticator, offer.challenge, token, now: now))
        return authenticator
    }

    private struct NotOffered: Error {}

    private func use(
        _ authenticator: TestAuthenticator, _ challenge: [UInt8], _ token: String,
        browser: Browser = Fixture.browser, now: Timestamp = Fixture.now
    ) async throws -> LoginStep? {
        let said = try authenticator.assertion(challenge)
        let assertion = try #require(
            PasskeyAssertion(
                credential: authenticator.credential, clientData: said.clientData,
                authenticatorData: said.authenticatorData, signature: said.signature, userHandle: authenticator.handle))
        return try await domain.passkeys.signIn(
            token, browser: browser, with: assertion, at: try Self.party(), by: .viewer, now: now)
    }

    private func isRefused(_ step: LoginStep?) -> Bool { if case .refused = step { true } else { false } }

    @Test func `is offered after the password, signs in the next box, and is not offered after itself`() async throws {
        let authenticator = try await self.added()
        #expect(authenticator.handle.count == 32)
        let later = Fixture.now + .seconds(60)
        let start = try await fixture.begun(try await fixture.code(for: "other", now: later), now: later)
        let challenge = try #require(domain.passkeys.challenge(for: start.view))
        guard case .went(let view) = try await self.use(authenticator, challenge, start.token, now: later)
        else { return #expect(Bool(false), "the passkey was not taken") }
        #expect(view.stage(at: later) == .confirm)
        let done = try await domain.logins.confirm(start.token, now: later)
        let (first, second) = (try await fixture.record(now: later), try await fixture.record(of: "other", now: later))
        #expect(first.userID == second.userID, "one viewer, however they sign in")
        guard case .notOffered = try await domain.passkeys.standing(of: done, now: later)
        else { return #expect(Bool(false), "another passkey was offered") }
        let kept = try #require(try await fixture.store.passkeys(of: account.id, at: account.mvpd).first)
        #expect(kept.lastUsed == later)
        #expect(kept.publicKey == authenticator.publicKey)
    }

    @Test("is kept once for a form that is sent twice, and only in the browser and login that it was offered to")
    func registration() async throws {
        let token = try await self.doneToken()
        let view = try await domain.logins.login(token)
        guard case .offered(let offer) = try await domain.passkeys.standing(of: view, now: Fixture.now)
        else { return #expect(Bool(false), "none was offered") }
        let authenticator = try Self.authenticator()
        let otherToken = try await self.doneToken(device: "other")
        #expect(try await self.register(authenticator, offer.challenge, otherToken) == false)
        let said = authenticator.registration(offer.challenge)
        let registration = try #require(PasskeyRegistration(clientData: said.clientData, attestation: said.attestation))
        await expectError(.loginUnknown) {
            try await domain.passkeys.register(
                token, browser: Browser(Secret("another browser")), registration, at: try Self.party(),
                now: Fixture.now)
        }
        #expect(try await fixture.store.passkeys(of: account.id, at: account.mvpd).isEmpty)
        #expect(try await self.register(authenticator, offer.challenge, token))
        #expect(try await self.register(authenticator, offer.challenge, token))
        #expect(try await fixture.store.passkeys(of: account.id, at: account.mvpd).count == 1)
        let audit = try await fixture.store.auditEntries(limit: 9).filter { $0.action == "passkey.add" }
        #expect(audit.map(\.actor) == ["viewer"])
    }

    @Test("is not offered before the box is confirmed, nor long after it, nor where accounts are kept elsewhere")
    func notOffered() async throws {
        let token = try await fixture.acceptedLogin(try await fixture.code())
        let view = try await domain.logins.login(token)
        guard case .notOffered = try await domain.passkeys.standing(of: view, now: Fixture.now)
        else { return #expect(Bool(false), "one was offered too early") }
        let left = try await self.done(device: "left")
        let later = Fixture.now + Passkeys.offerTime
        guard case .notOffered = try await domain.passkeys.standing(of: left, now: later)
        else { return #expect(Bool(false), "one was offered to the next person") }
        fixture.provider.ownAccounts.withLock { $0 = [:] }
        let done = try await self.done(device: "other")
        guard case .notOffered = try await domain.passkeys.standing(of: done, now: Fixture.now)
        else { return #expect(Bool(false), "one was offered elsewhere") }
        #expect(domain.passkeys.challenge(for: done) == nil)
    }

    @Test("answers a challenge of its own login and browser, once")
    func challenges() async throws {
        let authenticator = try await self.added()
        let one = try await fixture.begun(try await fixture.code(for: "one"))
        let other = try await fixture.begun(try await fixture.code(for: "other"))
        let challenge = try #require(domain.passkeys.challenge(for: one.view))
        #expect(self.isRefused(try await self.use(authenticator, challenge, other.token)))
        await expectError(.loginUnknown) {
            try await self.use(authenticator, challenge, one.token, browser: Browser(Secret("another browser")))
        }
        #expect(self.isRefused(try await self.use(authenticator, Array(challenge.dropLast()), one.token)))
        // Another node took the same answer a moment ago.
        let key = domain.keys.challenges
        let read = try #require(PasskeyChallenge(challenge, .signIn, of: one.view.attempt, key: key, now: Fixture.now))
        #expect(
            try await fixture.store.takeNonce(
                Base64.encodeURL(read.nonce), publicKey: "passkeys", expires: read.ends, now: Fixture.now))
        guard case nil = try await self.use(authenticator, challenge, one.token)
        else { return #expect(Bool(false), "a challenge was answered twice") }
        #expect(PasskeyChallenge(challenge, .registration, of: one.view.attempt, key: key, now: Fixture.now) == nil)
        #expect(PasskeyChallenge(challenge, .signIn, of: one.view.attempt, key: key, now: read.ends) == nil)
        let fresh = try #require(domain.passkeys.challenge(for: one.view))
        guard case .went = try await self.use(authenticator, fresh, one.token)
        else { return #expect(Bool(false), "the next challenge was not taken") }
    }

    @Test("that is not known, or whose signature is wrong, is refused, and after ten tries no more is looked at")
    func guessing() async throws {
        let authenticator = try await self.added()
        let start = try await fixture.begun(try await fixture.code(for: "other"))
        let challenge = try #require(domain.passkeys.challenge(for: start.view))
        var thief = try Self.authenticator()
        #expect(self.isRefused(try await self.use(thief, challenge, start.token)))
        thief.credential = authenticator.credential
        for _ in 0..<9 { #expect(self.isRefused(try await self.use(thief, challenge, start.token))) }
        await expectError(.tooManyAttempts) {
            try await self.use(authenticator, challenge, start.token)
        }
        #expect(try await fixture.store.passkey(authenticator.credential)?.lastUsed == nil)
    }

    @Test("whose authenticator counts backwards is refused, and an operator can see it")
    func counter() async throws {
        var authenticator = try await self.added()
        for (count, isTaken) in [(5, true), (5, false), (4, false), (0, false), (6, true)] {
            authenticator.signCount = UInt32(count)
            let start = try await fixture.begun(try await fixture.code(for: "box\(count)"))
            let challenge = try #require(domain.passkeys.challenge(for: start.view))
            let step = try await self.use(authenticator, challenge, start.token)
            #expect(self.isRefused(step) != isTaken, "after \(count)")
        }
        #expect(try await fixture.store.passkeys(of: account.id, at: account.mvpd).map(\.signCount) == [6])
        let audit = try await fixture.store.auditEntries(limit: 9).filter { $0.action == "passkey.counted-back" }
        #expect(audit.count == 3)
    }

    @Test("is one of ten at most, and one credential is one account's")
    func bounds() async throws {
        var last = try Self.authenticator()
        for index in 0..<Passkey.maximumPerAccount {
            let now = Fixture.now + .seconds(60 * Int64(index))
            last = try await self.added(device: "box\(index)", now: now)
        }
        let now = Fixture.now + .seconds(3600)
        let done = try await self.done(device: "late", now: now)
        guard case .notOffered = try await domain.passkeys.standing(of: done, now: now)
        else { return #expect(Bool(false), "an eleventh was offered") }
        #expect(try await fixture.store.passkeys(of: account.id, at: account.mvpd).count == 10)
        let other = Passkey(
            credential: last.credential, mvpd: account.mvpd, account: account.id, publicKey: last.publicKey,
            isSyncable: false, signCount: 0, created: now)
        let entry = AuditEntry(time: now, actor: "test", action: "passkey.add", subject: "test")
        #expect(try await fixture.store.insert(other, limit: 100, audit: entry) == false)
    }

    @Test("is listed for its account's name, and a name without any has a made-up one that stays the same")
    func list() async throws {
        let authenticator = try await self.added()
        let start = try await fixture.begun(try await fixture.code(for: "other"))
        func list(_ name: String) async throws -> [[UInt8]] {
            try await domain.passkeys.credentials(listedFor: name, in: start.view)
        }
        #expect(try await list("ada") == [authenticator.credential])
        let unknown = try await list("nobody")
        #expect((1...3).contains(unknown.count))
        // By number and length they are told from no account's.
        var shapes: Set<[Int]> = []
        for number in 0..<200 { shapes.insert(try await list("nobody-\(number)").map(\.count)) }
        #expect(shapes.isSuperset(of: [[16], [20], [32]]) && shapes.contains { $0.count == 2 })
        #expect(shapes.joined().allSatisfy { [16, 20, 32, 48, 64].contains($0) })
        #expect(try await list("nobody") == unknown)
        #expect(try await list("NOBODY") == unknown)
        #expect(try await list("someone") != unknown)
        // Providers tell these two apart, and so does the list.
        #expect(try await list("\u{E4}da") != (try await list("\u{C4}da")))
    }

    @Test("that was removed opens nothing, nor does one whose account is gone")
    func removal() async throws {
        let authenticator = try await self.added()
        let second = try await self.added(device: "second", now: Fixture.now + .seconds(60))
        let passkey = try #require(try await fixture.store.passkey(authenticator.credential))
        let operations = domain.operations
        #expect(try await operations.removePasskey(passkey, of: account, actor: "test", now: Fixture.now))
        #expect(try await operations.removePasskey(passkey, of: account, actor: "test", now: Fixture.now) == false)
        // An older archive has it still, and is told; a passkey that is younger than the removal is not meant.
        let entry = AuditEntry(time: Fixture.now, actor: "test", action: "passkey.add", subject: "test")
        #expect(try await fixture.store.insert(passkey, limit: 10, audit: entry))
        let endings = [
            Ending(.passkey(passkey.credential), at: Fixture.now),
            Ending(.passkey(second.credential), at: Fixture.now),
        ]
        let ended = try await Endings(fixture.store).endAgain(endings, actor: "restore", now: Fixture.now)
        #expect(ended.map(\.count) == [1])
        #expect(try await fixture.store.passkey(passkey.credential) == nil)
        #expect(try await fixture.store.passkey(second.credential) != nil)
        let start = try await fixture.begun(try await fixture.code(for: "other"))
        let challenge = try #require(domain.passkeys.challenge(for: start.view))
        #expect(self.isRefused(try await self.use(authenticator, challenge, start.token)))
        _ = try await operations.removeAccount("ada", of: account.mvpd, actor: "test", now: Fixture.now)
        #expect(try await fixture.store.passkey(second.credential) == nil)
        #expect(self.isRefused(try await self.use(second, challenge, start.token)))
    }
}
