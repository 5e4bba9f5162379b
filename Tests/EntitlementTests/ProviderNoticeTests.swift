import Clientless
import Entitlement
import Testing

private typealias Fixture = PairingFixture

@Suite("A provider's notice that a viewer signed out there", .timeLimit(.minutes(5)))
struct ProviderNoticeTests {
    private static let now = Fixture.start

    private func take(
        _ notice: ProviderNotice, _ domain: Entitlements, from mvpd: MVPDID = Fixture.provider,
        now: Timestamp = Self.now
    ) async throws(EntitlementError) -> Int {
        try await domain.operations.take(notice, from: mvpd, now: Self.now).ended
    }

    @Test("counts once, on whatever node; what the viewer began since then stays")
    func once() async throws {
        try await Fixture.with(manner: .rotating) { fixture in
            try await fixture.signedIn()
            let other = try Fixture.domain(on: fixture.store, provider: fixture.provider)
            #expect(try await self.take(.backChannel(token: "sid-ada n1"), fixture.domain) == 1)
            try await fixture.signedIn()
            for domain in [fixture.domain, other] {
                await #expect {
                    try await self.take(.backChannel(token: "sid-ada n1"), domain)
                } throws: {
                    ($0 as? EntitlementError)?.providerFault == .unproven
                }
            }
            #expect(try await self.take(.backChannel(token: "sid-ada n2"), other) == 1)
        }
    }

    @Test("ends nothing when it is forged, or of a provider that sends none, and shuts no provider")
    func refused() async throws {
        try await Fixture.with(manner: .rotating) { fixture in
            try await fixture.signedIn()
            for _ in 0..<20 {
                await #expect {
                    try await self.take(.backChannel(token: "forged"), fixture.domain)
                } throws: {
                    ($0 as? EntitlementError)?.providerFault == .unproven
                }
            }
            await #expect {
                try await self.take(.backChannel(token: "sid-ada n1"), fixture.domain, from: MVPDID("Nowhere")!)
            } throws: {
                ($0 as? EntitlementError)?.code == .unknownProvider
            }
            #expect(fixture.domain.providerHealth.all[Fixture.provider]?.isShut != true)
            #expect(try await self.take(.frontChannel(issuer: "x", session: "sid-ada"), fixture.domain) == 1)
        }
        try await Fixture.with { fixture -> Void in
            await #expect {
                try await self.take(.backChannel(token: "sid-ada n1"), fixture.domain)
            } throws: {
                ($0 as? EntitlementError)?.code == .unknownProvider
            }
        }
    }
}
