import Clientless
import Entitlement
import Testing

@Suite("The account of a box", .timeLimit(.minutes(5)))
struct BoxAccountTests {
    private static let later = Fixture.now + .seconds(60)

    /// The fixture's catalogue, where `takers` take the accounts of boxes from the provider.
    private static func catalogue(
        boarded: Bool = true, separate: Bool = false, enabled: Bool = true, agreed: Bool = true,
        takers: Set<RequestorID> = [Fixture.sibling]
    ) -> Catalogue {
        let catalogue = Fixture.catalogue
        let boarding = PlatformBoarding(
            isEnabled: boarded, status: .supported, isInPlatformPicker: true, mappingID: "cable-nova",
            issuerMetadata: agreed ? nil : "<EntityDescriptor/>", takesBoxAccounts: agreed)
        let requestors = catalogue.requestors.map { requestor in
            var changed = requestor
            changed.integrations = requestor.integrations.map { integration in
                var changed = integration
                guard integration.mvpd == Fixture.provider else { return changed }
                changed.authPerAggregator = separate
                if takers.contains(requestor.id) {
                    changed.platform = boarding
                    changed.isEnabled = enabled
                }
                return changed
            }
            return changed
        }
        return Catalogue(requestors: requestors, mvpds: catalogue.mvpds)
    }

    private func with(
        _ catalogue: Catalogue = BoxAccountTests.catalogue(), manner: ScriptedProvider.Manner = .helpful,
        _ body: (Fixture, AuthNRecord) async throws -> Void
    ) async throws {
        try await Fixture.with(manner: manner) { fixture in
            Self.replace(fixture, catalogue)
            let source = try await fixture.domain.signIns.signIn(
                fixture.device("box"), requestor: Fixture.requestor, mvpd: Fixture.provider,
                login: ScriptedProvider.login(of: "ada"), origin: .regular, now: Fixture.now)
            try await body(fixture, source)
        }
    }

    private static func replace(_ fixture: Fixture, _ catalogue: Catalogue) {
        fixture.domain.replace(ConfiguredCatalogue(catalogue, answeredBy: fixture.provider))
    }

    private func profile(_ fixture: Fixture, by source: AuthNRecord) async throws -> String {
        let request = try #require(
            fixture.domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider))
        return try await fixture.domain.signIns.boxAccountProfile(for: request, by: source, now: Fixture.now)
    }

    private func signIn(
        _ fixture: Fixture, _ profile: String, device: String = "box", requestor: RequestorID = Fixture.sibling,
        now: Timestamp = BoxAccountTests.later
    ) async throws -> AuthNRecord {
        try await fixture.domain.signIns.platformSignIn(
            fixture.device(device), requestor: requestor, mvpd: Fixture.provider, samlResponse: profile, now: now)
    }

    @Test("signs another requestor in, for as long as that one's sign-ins live", arguments: [false, true])
    func exchange(separate: Bool) async throws {
        try await self.with(Self.catalogue(separate: separate)) { fixture, source in
            let record = try await self.signIn(fixture, self.profile(fixture, by: source))
            #expect(record.origin == .platform && record.requestor == Fixture.sibling && record.isExclusive)
            #expect(record.userID == source.userID && record.expires == Self.later + .seconds(7 * 24 * 3600))
            let metadata = try await fixture.domain.metadata.userMetadata(
                of: record, requestor: Fixture.sibling, now: Self.later)
            #expect(metadata?.values.first { $0.key == "tokenSource" }?.value == .text("Apple"))
            let channel = try #require(Resource("ada TV"))
            _ = try await fixture.domain.decisions.authorize(
                channel, by: record, requestor: Fixture.sibling, now: Self.later)
            // Neither the new sign-in nor its end touches the account.
            #expect(try await fixture.domain.operations.record(source.id) == source)
            _ = try await fixture.domain.signIns.logout(record, now: Self.later)
            #expect(await fixture.toldSessions().isEmpty)
            #expect(try await fixture.domain.operations.record(source.id) == source)
        }
    }

    @Test("by a viewer's home signs no application in for longer than itself")
    func home() async throws {
        try await self.with { fixture, _ in
            let source = try await fixture.domain.signIns.signIn(
                fixture.device("box"), requestor: Fixture.requestor, mvpd: Fixture.provider,
                login: ProviderLogin(
                    upstreamUserID: "ada", session: ProviderSession(account: "ada"),
                    metadata: ["hba_status": .text("true")]),
                origin: .regular, until: Fixture.now + .seconds(3600), now: Fixture.now)
            #expect(try await self.signIn(fixture, self.profile(fixture, by: source)).expires == source.expires)
        }
    }

    @Test("is good once for a profile, on this device, for that requestor, and for two minutes")
    func misuse() async throws {
        try await self.with { fixture, source in
            let profile = try await self.profile(fixture, by: source)
            await expectError(.platformRefused) { try await self.signIn(fixture, profile, device: "other") }
            await expectError(.unknownProvider) {
                try await self.signIn(fixture, profile, requestor: Fixture.requestor)
            }
            let end = Fixture.now + .seconds(120)
            await expectError(.platformRefused) { try await self.signIn(fixture, profile, now: end) }
            for text in ["", ".", profile + "A", String(profile.dropFirst()), String(repeating: "A", count: 5000)] {
                await expectError(.platformRefused) { try await self.signIn(fixture, text) }
            }
            _ = try await self.signIn(fixture, profile, now: end - .milliseconds(1))
            await expectError(.platformRefused) { try await self.signIn(fixture, profile) }
        }
    }

    @Test("is good for the requestor alone that it was made out to")
    func audience() async throws {
        try await self.with(Self.catalogue(takers: [Fixture.sibling, Fixture.requestor])) { fixture, source in
            let profile = try await self.profile(fixture, by: source)
            await expectError(.platformRefused) {
                try await self.signIn(fixture, profile, requestor: Fixture.requestor)
            }
            _ = try await self.signIn(fixture, profile)
        }
    }

    @Test("gives no profile for an account that is exchanged itself, is no viewer's, or is another provider's")
    func source() async throws {
        try await self.with { fixture, source in
            let own = try await self.signIn(fixture, self.profile(fixture, by: source))
            await expectError(.platformRefused) { try await self.profile(fixture, by: own) }
            for (mvpd, origin) in [(Fixture.otherProvider, AuthNOrigin.regular), (Fixture.provider, .degraded)] {
                let record = try await fixture.domain.signIns.signIn(
                    fixture.device("second"), requestor: Fixture.requestor, mvpd: mvpd,
                    login: ScriptedProvider.login(of: "ada"), origin: origin, now: Fixture.now)
                do {
                    _ = try await self.profile(fixture, by: record)
                    Issue.record("a profile for \(mvpd), \(origin)")
                } catch {}
            }
        }
    }

    @Test("signs nobody in once it is signed out")
    func sourceGone() async throws {
        try await self.with { fixture, source in
            let profile = try await self.profile(fixture, by: source)
            _ = try await fixture.domain.signIns.logout(source, now: Self.later)
            await expectError(.platformRefused) { try await self.signIn(fixture, profile) }
        }
    }

    @Test("signs nobody in once its time is over")
    func sourceOver() async throws {
        try await self.with { fixture, _ in
            let source = try await fixture.domain.signIns.signIn(
                fixture.device("box"), requestor: Fixture.requestor, mvpd: Fixture.provider,
                login: ScriptedProvider.login(of: "ada"), origin: .regular, until: Self.later, now: Fixture.now)
            let profile = try await self.profile(fixture, by: source)
            await expectError(.platformRefused) { try await self.signIn(fixture, profile, now: Self.later) }
            _ = try await self.signIn(fixture, profile, now: Self.later - .milliseconds(1))
        }
    }

    @Test("is not exchanged where the integration is off, single sign-on is, or the login is bypassed")
    func conditions() async throws {
        let others: [(Catalogue, EntitlementError.Code)] = [
            (Self.catalogue(boarded: false), .unknownProvider), (Self.catalogue(enabled: false), .unknownProvider),
            (Fixture.catalogue, .unknownProvider),
            // Where an issuer's word is taken, the profile is read as one, and is none.
            (Self.catalogue(agreed: false), .platformRefused),
        ]
        for (catalogue, refusal) in others {
            try await self.with { fixture, source in
                let request = try #require(
                    fixture.domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider))
                let profile = try await self.profile(fixture, by: source)
                Self.replace(fixture, catalogue)
                #expect(
                    fixture.domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider) == nil)
                await expectError(.unknownProvider) {
                    try await fixture.domain.signIns.boxAccountProfile(for: request, by: source, now: Fixture.now)
                }
                await expectError(refusal) { try await self.signIn(fixture, profile) }
            }
        }
        try await self.with { fixture, source in
            let profile = try await self.profile(fixture, by: source)
            try await fixture.addRule(.authnAll, requestor: Fixture.sibling)
            await expectError(.platformRefused) { try await self.profile(fixture, by: source) }
            await expectError(.platformRefused) { try await self.signIn(fixture, profile) }
        }
    }

    @Test("ends when the provider no longer has its viewer")
    func refused() async throws {
        try await self.with(manner: .forgetting) { fixture, source in
            await expectError(.authenticationRevoked) { try await self.profile(fixture, by: source) }
            let kept = try await fixture.domain.operations.record(source.id)
            #expect(kept == nil)
        }
    }

    @Test("answers no question but this server's")
    func requests() async throws {
        try await self.with { fixture, source in
            let good = try #require(
                fixture.domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider))
            let odd = [[], [0xFF], good + [10], Array(good.dropLast(12)), Array(repeating: 65, count: 600)]
            for request in odd {
                await expectError(.platformRefused) {
                    try await fixture.domain.signIns.boxAccountProfile(for: request, by: source, now: Fixture.now)
                }
            }
        }
    }
}
