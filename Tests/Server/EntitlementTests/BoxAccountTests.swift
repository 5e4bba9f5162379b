import Clientless
import Entitlement
import Synchronization
import Testing

@Suite("The account of a box", .fixture, .timeLimit(.minutes(5)))
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

    /// The sign-in of the box's account, in a service with this catalogue.
    private func signedInBox(
        in catalogue: Catalogue = BoxAccountTests.catalogue(), device: String = "box",
        at mvpd: MVPDID = Fixture.provider, login: ProviderLogin = ScriptedProvider.login(of: "ada"),
        origin: AuthNOrigin = .regular, until end: Timestamp? = nil
    ) async throws -> AuthNRecord {
        Self.replace(catalogue)
        return try await domain.signIns.signIn(
            fixture.device(device), requestor: Fixture.requestor, mvpd: mvpd, login: login, origin: origin, until: end,
            now: Fixture.now)
    }

    private static func replace(_ catalogue: Catalogue) {
        domain.replace(ConfiguredCatalogue(catalogue, answeredBy: fixture.provider))
    }

    private func profile(by source: AuthNRecord) async throws -> String {
        let request = try #require(domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider))
        return try await domain.signIns.boxAccountProfile(for: request, by: source, now: Fixture.now)
    }

    private func signIn(
        _ profile: String, device: String = "box", requestor: RequestorID = Fixture.sibling,
        now: Timestamp = BoxAccountTests.later
    ) async throws -> AuthNRecord {
        try await domain.signIns.platformSignIn(
            fixture.device(device), requestor: requestor, mvpd: Fixture.provider, samlResponse: profile, now: now)
    }

    @Test("signs another requestor in, for as long as that one's sign-ins live", arguments: [false, true])
    func exchange(separate: Bool) async throws {
        let source = try await self.signedInBox(in: Self.catalogue(separate: separate))
        let record = try await self.signIn(self.profile(by: source))
        #expect(record.origin == .platform && record.requestor == Fixture.sibling && record.isExclusive)
        #expect(record.userID == source.userID && record.expires == Self.later + .seconds(7 * 24 * 3600))
        func keys() async throws -> [String]? {
            let kept = try #require(try await domain.operations.record(record.id))
            return try await domain.metadata.userMetadata(of: kept, requestor: Fixture.sibling, now: Self.later)?.values
                .map(\.key)
        }
        #expect(try await keys() == ["householdID", "mvpd", "tokenSource", "zip"])
        fixture.provider.latest.withLock { $0 = ["zip": .list(["54321"])] }
        _ = try await domain.decisions.authorize(
            Resource("ada TV")!, by: record, requestor: Fixture.sibling, now: Self.later)
        #expect(try await keys() == ["mvpd", "tokenSource", "zip"])
        // Neither the new sign-in nor its end touches the account.
        let document = try domain.documents.authenticationDocument(of: record, device: DeviceID("box")!)
        _ = try await domain.signIns.logout(record, now: Self.later)
        #expect(await fixture.toldSessions().isEmpty)
        await expectError(.authenticationRevoked) {
            try await domain.documents.authentication(
                presenting: document, device: DeviceID("box"), requestor: nil, isLogout: true, now: Self.later)
        }
        #expect(try await domain.operations.record(source.id) == source)
    }

    @Test func `by a viewer's home signs no application in for longer than itself`() async throws {
        let login = ProviderLogin(
            upstreamUserID: "ada", session: ProviderSession(account: "ada"), metadata: ["hba_status": .text("true")])
        let source = try await self.signedInBox(login: login, until: Fixture.now + .seconds(3600))
        #expect(try await self.signIn(self.profile(by: source)).expires == source.expires)
    }

    @Test("is good once for a profile, on this device, for that requestor, and for two minutes")
    func misuse() async throws {
        let source = try await self.signedInBox()
        let profile = try await self.profile(by: source)
        await expectError(.platformRefused) { try await self.signIn(profile, device: "other") }
        await expectError(.unknownProvider) { try await self.signIn(profile, requestor: Fixture.requestor) }
        let end = Fixture.now + .seconds(120)
        await expectError(.platformRefused) { try await self.signIn(profile, now: end) }
        for text in ["", ".", profile + "A", String(profile.dropFirst()), String(repeating: "A", count: 5000)] {
            await expectError(.platformRefused) { try await self.signIn(text) }
        }
        _ = try await self.signIn(profile, now: end - .milliseconds(1))
        await expectError(.platformRefused) { try await self.signIn(profile) }
    }

    @Test("is good for the requestor alone that it was made out to")
    func audience() async throws {
        let source = try await self.signedInBox(in: Self.catalogue(takers: [Fixture.sibling, Fixture.requestor]))
        let profile = try await self.profile(by: source)
        await expectError(.platformRefused) { try await self.signIn(profile, requestor: Fixture.requestor) }
        let own = try await self.signIn(profile)
        for record in [source, own] { _ = try await domain.signIns.logout(record, now: Self.later) }
        #expect(await fixture.toldSessions() == ["ada"], "the last that rests on the session ends it")
    }

    @Test("gives no profile for an account that is exchanged itself, is no viewer's, or is another provider's")
    func source() async throws {
        let source = try await self.signedInBox()
        let own = try await self.signIn(self.profile(by: source))
        await expectError(.platformRefused) { try await self.profile(by: own) }
        // A skipped login then counts, for the requestor that obtained it.
        try await fixture.addRule(.authnAll)
        for (mvpd, origin) in [(Fixture.otherProvider, AuthNOrigin.regular), (Fixture.provider, .degraded)] {
            let record = try await self.signedInBox(device: "second", at: mvpd, origin: origin)
            let error = await expectError(.platformRefused) { try await self.profile(by: record) }
            #expect(error?.platformFault == .sourceOver, "\(mvpd), \(origin)")
        }
    }

    @Test("signs nobody in once it is signed out")
    func sourceGone() async throws {
        let source = try await self.signedInBox()
        let profile = try await self.profile(by: source)
        _ = try await domain.signIns.logout(source, now: Self.later)
        await expectError(.platformRefused) { try await self.signIn(profile) }
    }

    @Test("signs nobody in once its time is over")
    func sourceOver() async throws {
        let source = try await self.signedInBox(until: Self.later)
        let profile = try await self.profile(by: source)
        await expectError(.platformRefused) { try await self.signIn(profile, now: Self.later) }
        _ = try await self.signIn(profile, now: Self.later - .milliseconds(1))
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
            let source = try await self.signedInBox()
            let request = try #require(
                domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider))
            let profile = try await self.profile(by: source)
            Self.replace(catalogue)
            #expect(domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider) == nil)
            await expectError(.unknownProvider) {
                try await domain.signIns.boxAccountProfile(for: request, by: source, now: Fixture.now)
            }
            await expectError(refusal) { try await self.signIn(profile) }
        }
        let source = try await self.signedInBox()
        let profile = try await self.profile(by: source)
        try await fixture.addRule(.authnAll, requestor: Fixture.sibling)
        await expectError(.platformRefused) { try await self.profile(by: source) }
        await expectError(.platformRefused) { try await self.signIn(profile) }
    }

    @Test(.fixture(manner: .forgetting)) func `ends when the provider no longer has its viewer`() async throws {
        let source = try await self.signedInBox()
        await expectError(.authenticationRevoked) { try await self.profile(by: source) }
        #expect(try await domain.operations.record(source.id) == nil)
    }

    @Test func `answers no question but this server's`() async throws {
        let source = try await self.signedInBox()
        let good = try #require(domain.signIns.profileRequest(requestor: Fixture.sibling, mvpd: Fixture.provider))
        let odd = [[], [0xFF], good + [10], Array(good.dropLast(12)), Array(repeating: 65, count: 600)]
        for request in odd {
            await expectError(.platformRefused) {
                try await domain.signIns.boxAccountProfile(for: request, by: source, now: Fixture.now)
            }
        }
    }
}
