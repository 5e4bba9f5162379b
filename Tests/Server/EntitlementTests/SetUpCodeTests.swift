import Clientless
import Entitlement
import Synchronization
import TestSupport
import Testing

@testable import Stores

@Suite("The exchange of set-up codes", .fixture, .timeLimit(.minutes(5)))
struct SetUpCodeTests {
    private static let stranger = Guesser(.v4(0xCB00_7107))

    private func issued() async throws -> IssuedSetUpCode {
        try await domain.setUpCodes.issue(for: Fixture.requestor, actor: "operator", now: Fixture.now)
    }

    private static func redeem(
        _ code: SetUpCodeText, nonce: String? = nil, _ domain: Entitlements, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> SetUpCredential {
        try await domain.setUpCodes.redeem(code, nonce: nonce, by: guesser, now: now) {
            "statement of \($0.softwareID)"
        }
    }

    private func refusal(
        _ code: SetUpCodeText, by guesser: Guesser = stranger, now: Timestamp = Fixture.now
    ) async -> EntitlementError.Code? {
        await thrown { () async throws(EntitlementError) in
            try await Self.redeem(code, domain, by: guesser, now: now)
        }?.code
    }

    @Test("gives the same answer again for a minute to the box that lost it, and to no other caller")
    func again() async throws {
        let code = try await self.issued()
        @Sendable func key(_ nonce: String?) async throws -> String? {
            let given = try? await Self.redeem(code.text, nonce: nonce, domain, by: Self.stranger, now: Fixture.now)
            guard case .keyPair(let pair)? = given else { return nil }
            return pair.record.publicKey
        }
        // The box may ask again while the first exchange is still under way.
        let atOnce = try await concurrently(4) { _ in try await key("one") }
        let first = try #require(atOnce[0])
        #expect(try await atOnce + [key("one")] == Array(repeating: first, count: 5))
        #expect(try await key("two") == nil)
        #expect(try await key(nil) == nil)
        #expect(try await domain.credentials.keyPairs().count == 1)
        fixture.uptime.advance(by: .seconds(60))
        #expect(try await key("one") == nil)
    }

    @Test func `gives the key also where this node cannot read it again at once`() async throws {
        let code = try await self.issued()
        let file = try #require(fixture.store as? SQLiteStore)
        _ = try await file.write([]) {
            (connection) throws(SQLiteFailure) in
            try connection.run(
                """
                CREATE TRIGGER spoil AFTER INSERT ON key_pair_requestors WHEN NEW.requestor <> '' BEGIN
                    INSERT INTO key_pair_requestors VALUES (NEW.public_key, NEW.place + 1, ''); END
                """)
        }
        guard case .keyPair = try await Self.redeem(code.text, domain, by: Self.stranger, now: Fixture.now)
        else { return #expect(Bool(false), "no key pair") }
    }

    @Test("gives one key pair of one requestor, once, and tells the audit log without the code")
    func once() async throws {
        let code = try await self.issued()
        let given = try await Self.redeem(code.text, domain, by: Self.stranger, now: Fixture.now)
        guard case .keyPair(let pair) = given else { return #expect(Bool(false), "\(given)") }
        #expect(pair.record.requestors == [Fixture.requestor] && !pair.record.isServerToServer)
        #expect(domain.credentials.key(pair.record.publicKey)?.isActive(at: Fixture.now) == true)
        #expect(await self.refusal(code.text) == .codeUnknown)
        #expect(try await domain.credentials.keyPairs().count == 1)
        let entries = try await domain.operations.auditEntries(limit: 9)
        #expect(Set(entries.map(\.action)) == ["set-up-code.create", "set-up-code.use", "key-pair.create"])
        let told = entries.map { "\($0.actor) \($0.subject)" }.joined()
        #expect(!told.contains(code.text.text) && !told.contains(code.text.grouped))
        #expect(entries.filter { $0.actor == code.record.auditName }.count == 2)
    }

    @Test("gives a software statement of the application it is for, once, and none of one that is revoked")
    func statement() async throws {
        let credentials = domain.credentials
        let application = try await credentials.registerApplication(
            name: "Player", version: "1", requestors: [Fixture.sibling, Fixture.requestor], redirectTargets: [],
            scopes: [.clientV1], isServerToServer: false, actor: "operator", now: Fixture.now)
        func code() async throws -> SetUpCodeText {
            try await domain.setUpCodes.issue(
                for: Fixture.requestor, application: application, actor: "operator", now: Fixture.now
            ).text
        }
        let (first, second) = (try await code(), try await code())
        // What cannot be signed leaves the code as good as it was.
        await #expect(throws: EntitlementError.self) {
            _ = try await domain.setUpCodes.redeem(first, by: Self.stranger, now: Fixture.now) {
                (_) throws(EntitlementError) in throw EntitlementError(.internal, detail: "no key")
            }
        }
        let given = try await Self.redeem(first, domain, by: Self.stranger, now: Fixture.now)
        guard case .softwareStatement(let text, let requestor) = given else { return #expect(Bool(false), "\(given)") }
        #expect(text == "statement of \(application.softwareID)" && requestor == Fixture.requestor)
        #expect(await self.refusal(first) == .codeUnknown)
        _ = try await credentials.revokeApplication(application.softwareID, actor: "operator", now: Fixture.now)
        #expect(await self.refusal(second) == .codeUnknown)
        #expect(try await credentials.keyPairs().isEmpty)
    }

    @Test func `that was used or taken back is ended again in an older store`() async throws {
        let endings = Mutex<[Ending]>([])
        let domain = try Fixture.domain(
            on: fixture.store, onEnding: { ending in endings.withLock { $0.append(ending) } })
        let application = try await domain.credentials.registerApplication(
            name: "Player", version: "1", requestors: [Fixture.requestor], redirectTargets: [], scopes: [.clientV1],
            isServerToServer: false, actor: "operator", now: Fixture.now)
        let codes = [
            try await self.issued(), try await self.issued(),
            try await domain.setUpCodes.issue(
                for: Fixture.requestor, application: application, actor: "operator", now: Fixture.now),
        ]
        #expect(try await domain.setUpCodes.revoke(codes[0].record.name, actor: "operator", now: Fixture.now))
        for code in codes.dropFirst() {
            _ = try await Self.redeem(code.text, domain, by: Self.stranger, now: Fixture.now)
        }
        let entry = AuditEntry(time: Fixture.now, actor: "test", action: "set-up-code.create", subject: "test")
        for code in codes { try await fixture.store.insert(code.record, now: Fixture.now, audit: entry) }
        let told = endings.withLock { $0 }
        let ended = try await Endings(fixture.store).endAgain(told, actor: "restore", now: Fixture.now)
        #expect(ended.map(\.count) == [1, 1, 1])
        #expect(try await domain.setUpCodes.all(now: Fixture.now).isEmpty)
    }

    @Test("is won by one of those who race for it, on however many nodes")
    func race() async throws {
        let other = try Fixture.domain(on: fixture.store)
        let code = try await self.issued()
        let won = try await concurrently(4) { number in
            let guesser = Guesser(.v4(0xCB00_7100 + UInt32(number)))
            return try? await Self.redeem(
                code.text, number.isMultiple(of: 2) ? domain : other, by: guesser, now: Fixture.now)
        }
        #expect(won.count { $0 != nil } == 1)
        #expect(try await domain.credentials.keyPairs().count == 1)
    }

    @Test("ends with the code's time")
    func expired() async throws {
        let code = try await self.issued()
        #expect(code.record.expires == Fixture.now + SetUpCodes.usualLifetime)
        #expect(await self.refusal(code.text, now: code.record.expires) == .codeUnknown)
        let other = try await self.issued()
        #expect(await self.refusal(other.text, now: other.record.expires - .milliseconds(1)) == nil)
    }

    @Test("closes for an address that guesses, and for no other; pairing goes on there")
    func guessing() async throws {
        var generator = SystemRandomNumberGenerator()
        var refusals: [EntitlementError.Code?] = []
        for _ in 0..<25 { refusals.append(await self.refusal(.random(using: &generator))) }
        #expect(refusals.prefix(20).allSatisfy { $0 == .codeUnknown })
        #expect(refusals.suffix(5).allSatisfy { $0 == .tooManyAttempts })
        let code = try await self.issued()
        // A right one is not looked at either, and is as good as before.
        #expect(await self.refusal(code.text) == .tooManyAttempts)
        let registration = try await fixture.code()
        _ = try await domain.codes.lookUp(registration, of: nil, for: .following, by: Self.stranger, now: Fixture.now)
        #expect(await self.refusal(code.text, by: Guesser(.v4(0x0A00_0001))) == nil)
    }

    @Test func `leaves the code as good as before when the store keeps nothing`() async throws {
        let code = try await self.issued()
        await fixture.store.close()
        #expect(await self.refusal(code.text) == .storeUnavailable)
    }
}
