import Clientless
import Entitlement
import Testing

@testable import Stores

@Suite("A provider's notice that a viewer signed out there", .fixture(manner: .rotating), .timeLimit(.minutes(5)))
struct ProviderNoticeTests {
    private func take(
        _ notice: ProviderNotice, _ domain: Entitlements, from mvpd: MVPDID = Fixture.provider,
        now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> Int {
        try await domain.operations.take(notice, from: mvpd, now: now).ended
    }

    private func expectUnproven(_ notice: ProviderNotice, _ domain: Entitlements, now: Timestamp = Fixture.now) async {
        let error = await expectError(.providerUnavailable) { try await self.take(notice, domain, now: now) }
        #expect(error?.providerFault == .unproven)
    }

    @Test("counts once, on whatever node; what the viewer began since then stays")
    func once() async throws {
        try await fixture.signedIn()
        let other = try Fixture.domain(on: fixture.store, provider: fixture.provider)
        #expect(try await self.take(.backChannel(token: "sid-ada n1"), fixture.domain) == 1)
        try await fixture.signedIn()
        for domain in [fixture.domain, other] {
            await self.expectUnproven(.backChannel(token: "sid-ada n1"), domain)
        }
        #expect(try await self.take(.backChannel(token: "sid-ada n2"), other) == 1)
    }

    @Test func `counts again where the store failed before all had ended`() async throws {
        for device in ["box", "attic"] { try await fixture.signedIn(device: device) }
        let file = try #require(fixture.store as? SQLiteStore)
        _ = try await file.write([]) {
            (connection) throws(SQLiteFailure) in
            try connection.run(
                """
                CREATE TRIGGER half BEFORE DELETE ON authentications
                    WHEN (SELECT count(*) FROM authentications) = 1
                    BEGIN SELECT RAISE (ABORT, 'no'); END
                """)
        }
        let notice = ProviderNotice.backChannel(token: "sid-ada n1")
        await expectError(.storeUnavailable) { try await self.take(notice, domain) }
        _ = try await file.write([]) {
            (connection) throws(SQLiteFailure) in
            try connection.run("DROP TRIGGER half")
        }
        let later = Fixture.now + .seconds(1)
        #expect(try await self.take(notice, domain, now: later) == 1)
        // Then it is spent.
        try await fixture.signedIn(now: later)
        for second in 1...3 {
            await self.expectUnproven(notice, domain, now: later + .seconds(second))
        }
    }

    @Test("ends nothing when it is forged, or of a provider that sends none, and shuts no provider")
    func refused() async throws {
        try await fixture.signedIn()
        for _ in 0..<20 {
            await self.expectUnproven(.backChannel(token: "forged"), domain)
        }
        await expectError(.unknownProvider) {
            try await self.take(.backChannel(token: "sid-ada n1"), domain, from: MVPDID("Nowhere")!)
        }
        #expect(domain.providerHealth.all[Fixture.provider]?.isShut != true)
        #expect(try await self.take(.frontChannel(issuer: "x", session: "sid-ada"), domain) == 1)
        try await Fixture.with {
            await expectError(.unknownProvider) {
                try await self.take(.backChannel(token: "sid-ada n1"), domain)
            }
        }
    }
}
