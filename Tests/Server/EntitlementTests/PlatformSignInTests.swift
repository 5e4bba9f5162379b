import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("A sign-in by the platform's account", .fixture, .timeLimit(.minutes(5)))
struct PlatformSignInTests {
    private func signIn(
        _ response: String, encoded: Bool = true, mvpd: MVPDID = Fixture.boarded, now: Timestamp = Fixture.now
    ) async throws -> AuthNRecord {
        try await domain.signIns.platformSignIn(
            fixture.device("box"), requestor: Fixture.requestor, mvpd: mvpd,
            samlResponse: encoded ? Base64.encode(response.utf8) : response, now: now)
    }

    @Test func `replaces what the device had, and says in the metadata where it is from`() async throws {
        try await fixture.signedIn()
        let later = Fixture.now + .seconds(1)
        let record = try await self.signIn("a1 of ada", now: later)
        #expect(record.origin == .platform && record.mvpd == Fixture.boarded)
        #expect(try await fixture.record(now: later) == record)
        #expect(try await domain.operations.records(of: DeviceID("box")!) == [record])
        let metadata = try await domain.metadata.userMetadata(of: record, now: later)
        #expect(metadata?.values.first { $0.key == "tokenSource" }?.value == .text("Apple"))
    }

    @Test func `ends when the session at the issuer does, and no later than is configured`() async throws {
        #expect(try await self.signIn("a1 of ada for 3600").expires == Fixture.now + .seconds(3600))
        let long = try await self.signIn("a2 of ada for 9000000")
        #expect(long.expires == Fixture.now + .seconds(30 * 24 * 3600))
    }

    @Test("takes an assertion once, on every node")
    func replay() async throws {
        _ = try await self.signIn("a1 of ada")
        await expectError(.platformRefused) { try await self.signIn("a1 of ada") }
        let other = try Fixture.domain(on: fixture.store)
        await expectError(.platformRefused) {
            try await other.signIns.platformSignIn(
                fixture.device("other"), requestor: Fixture.requestor, mvpd: Fixture.boarded,
                samlResponse: Base64.encode("a1 of ada".utf8), now: Fixture.now + .seconds(400))
        }
        _ = try await self.signIn("a2 of ada")
    }

    @Test func `refuses what is no assertion, no Base64, or too long`() async throws {
        for response in ["", "nonsense", " of ada"] {
            await expectError(.platformRefused) { try await self.signIn(response) }
        }
        let texts = ["%%%", String(repeating: "A", count: 200_000), String(repeating: "A", count: 180_000)]
        for text in texts {
            await expectError(.platformRefused) { try await self.signIn(text, encoded: false) }
        }
        #expect(try await domain.signIns.deviceStanding(of: fixture.device("box")) == .never)
    }

    @Test("is for providers that take part in full", arguments: [Fixture.provider, Fixture.picked])
    func notBoarded(_ mvpd: MVPDID) async throws {
        await expectError(.unknownProvider) { try await self.signIn("a1 of ada", mvpd: mvpd) }
    }

    @Test func `is of the account that the provider knows, and ends with it`() async throws {
        let account = Account(mvpd: Fixture.boarded, id: "upstream-ada", name: "ada", passwordHash: "*", lineUp: ["*"])
        #expect(try await fixture.store.insert(account, audit: nil))
        _ = try await self.signIn("a1 of Ada")
        let ended = try await domain.operations.removeAccount(
            "ada", of: Fixture.boarded, actor: "op", now: Fixture.now + .seconds(1))
        #expect(ended == 1)
    }

    @Test func `is refused when the provider has no such account, and uses up no assertion`() async throws {
        for _ in 0..<2 { await expectError(.platformRefused) { try await self.signIn("a1 of nobody") } }
        _ = try await self.signIn("a1 of ada")
    }
}
