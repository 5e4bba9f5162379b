import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("The configuration phase with a platform", .box, .timeLimit(.minutes(5)))
struct SilentSignOnTests {
    @Test(
        "T-171 never prompts for permission",
        arguments: [AccessEnabler.PlatformAccess.granted, .denied, .notDetermined])
    func neverPrompts(access: AccessEnabler.PlatformAccess) async throws {
        let stage = try await PlatformStage(access: access, provider: "CableNova").configured()
        #expect(!stage.platform.prompts.isEmpty)
        #expect(!stage.platform.prompts.contains(true))
        #expect(stage.account.prompts == 0)
        #expect(!stage.platform.queries.contains { $0.isInterruptionAllowed })
    }

    @Test("T-172 is followed by a checkAuthentication that never prompts for permission either")
    func checkNeverPrompts() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        stage.account.setAccess(.notDetermined)
        let known = stage.platform.prompts.count
        _ = await stage.check()
        let asked = stage.platform.prompts.dropFirst(known)
        #expect(!asked.isEmpty)
        #expect(!asked.contains(true))
        #expect(stage.account.prompts == 0)
    }

    @Test(
        "T-173 reports VSA403 where permission is denied",
        arguments: [AccessEnabler.PlatformAccess.denied, .restricted])
    func denied(access: AccessEnabler.PlatformAccess) async throws {
        let stage = try await PlatformStage(access: access).configured()
        #expect(stage.recorder.codes == ["VSA403"])
    }

    @Test("T-174 reports VSA404 where permission is undetermined")
    func undetermined() async throws {
        let stage = try await PlatformStage(access: .notDetermined).configured()
        #expect(stage.recorder.codes == ["VSA404"])
    }

    @Test("T-175 reports APPL with details where the account's keeper fails")
    func failure() async throws {
        let stage = try PlatformStage()
        stage.account.fail(with: PlatformStage.failure)
        try await stage.configured()
        #expect(stage.recorder.statuses == [["errorId": "APPL", "level": "error", "details": "socket closed"]])
    }

    @Test("T-176 succeeds all the same", arguments: ["VSA403", "VSA404", "APPL"])
    func succeeds(code: String) async throws {
        let access = ["VSA403": AccessEnabler.PlatformAccess.denied, "VSA404": .notDetermined][code] ?? .granted
        let stage = try PlatformStage(access: access)
        if code == "APPL" { stage.account.fail(with: PlatformStage.failure) }
        stage.enabler.setRequestor(TestBox.requestor)
        await stage.recorder.wait(for: "setRequestorComplete")
        #expect(stage.recorder.codes == [code])
        #expect(stage.recorder.callbacks == [.configured])
    }

    @Test("T-177 leaves the viewer authenticated where all seven conditions hold")
    func authenticated() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(stage.exchanges == 1)
    }

    @Test("T-178 makes no callback for the exchange besides setRequestorComplete")
    func quiet() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        #expect(stage.exchanges == 1)
        #expect(stage.recorder.everything == [.configured])
    }

    /// No profile went to the server, and nobody is signed in.
    private func expectNoExchange(_ stage: PlatformStage) async throws {
        try await stage.configured()
        #expect(!stage.platform.queries.isEmpty)
        #expect(stage.exchanges == 0)
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test("T-179 exchanges nothing without an account on the box")
    func noAccount() async throws { try await self.expectNoExchange(try PlatformStage()) }

    @Test("T-180 exchanges nothing where the provider's identifier is kept back")
    func noIdentifier() async throws {
        try await self.expectNoExchange(try PlatformStage(provider: "CableNova", hidesProvider: true))
    }

    @Test("T-181 exchanges nothing where the integration is disabled")
    func noIntegration() async throws {
        try await self.expectNoExchange(
            try PlatformStage(provider: "CableNova") { $0.providers.removeAll { $0.id == "CableNova" } })
    }

    @Test("T-182 exchanges nothing where single sign-on is disabled for the integration", arguments: [true, false])
    func noSingleSignOn(isByMetadata: Bool) async throws {
        try await self.expectNoExchange(
            try PlatformStage(provider: "CableNova") { behaviour in
                if isByMetadata {
                    behaviour.providers[0].metadata = #""singleSignOn":false"#
                } else {
                    behaviour.providers[0].enablesPlatform = false
                }
            })
    }

    @Test("T-183 exchanges nothing while the provider is degraded", arguments: ["authn-all", "authz-all", "authz-none"])
    func degraded(rule: String) async throws {
        try await self.expectNoExchange(
            try PlatformStage(provider: "CableNova") { $0.providers[0].metadata = #""degradation":"\#(rule)""# })
    }

    @Test("T-184 exchanges nothing where the account gives no profile")
    func noProfile() async throws {
        try await self.expectNoExchange(try PlatformStage(provider: "CableNova", profile: { _ in nil }))
    }

    @Test("reports APPL with details where the account's keeper fails at the profile")
    func failureAtProfile() async throws {
        let stage = try await PlatformStage(provider: "CableNova", profileFailure: PlatformStage.failure).configured()
        #expect(stage.recorder.statuses == [["errorId": "APPL", "level": "error", "details": "socket closed"]])
        #expect(stage.recorder.callbacks == [.configured])
    }

    @Test("exchanges nothing where the provider is only listed")
    func listedOnly() async throws { try await self.expectNoExchange(try PlatformStage(provider: "TerraNet")) }

    /// A stage whose exchange is held up for longer than the phase waits.
    private func slow(
        _ gate: Gate, _ configuring: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> PlatformStage {
        let stage = try PlatformStage(provider: "CableNova", configuring: configuring)
        stage.service.hold(PlatformStage.exchange, until: gate)
        stage.enabler.setRequestor(TestBox.requestor)
        while let path = await stage.service.asked.next(), path != PlatformStage.exchange {}
        while let slept = await stage.box.clock.slept.next(), slept != .seconds(10) {}
        #expect(stage.recorder.everything.isEmpty)
        stage.box.clock.advance(by: .seconds(10))
        await stage.recorder.wait(for: "setRequestorComplete")
        return stage
    }

    /// Lets the exchange go, and returns when its result was kept or dropped.
    private func finish(_ stage: PlatformStage, _ gate: Gate) async {
        let known = stage.store.transactions
        gate.open()
        await stage.store.wait(for: known + 1)
    }

    @Test("T-185 does not wait for an exchange that takes longer than the limit")
    func doesNotWait() async throws {
        let gate = Gate()
        let stage = try await self.slow(gate)
        #expect(stage.recorder.callbacks == [.configured])
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
        gate.open()
    }

    @Test("keeps what an exchange brings after the limit")
    func late() async throws {
        let gate = Gate()
        let stage = try await self.slow(gate)
        await self.finish(stage, gate)
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test("leaves the provider in use that a viewer signed in at while the exchange was being kept")
    func lateAfterLogin() async throws {
        let (gate, store) = (Gate(), HeldStore())
        let stage = try await self.slow(gate) { $0.tokenStore = store }
        store.hold(.before)
        gate.open()
        _ = await store.held.next()
        try await stage.application.signIn(stage.service, provider: "SatOne")
        store.release()
        while try await testVault(store).image().mvpds() != ["CableNova", "SatOne"] { await Task.yield() }
        #expect(await stage.enabler.selectedProvider()?.id == "SatOne")
    }

    @Test("keeps nothing that an exchange brings after a logout")
    func lateAfterLogout() async throws {
        let gate = Gate()
        let stage = try await self.slow(gate)
        _ = await stage.enabler.signOut()
        await self.finish(stage, gate)
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test("T-192 obtains a new token where the old one has expired and the account has not")
    func renewed() async throws {
        let stage = try await PlatformStage(provider: "CableNova") {
            $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000"
        }.configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        stage.box.clock.advance(by: .seconds(7200))
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
        stage.service.set { $0.tokenExpires = "2033/05/18 03:33:19 GMT +0000" }
        try await stage.configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(stage.exchanges == 2)
    }

    @Test("exchanges nothing where token and account have both expired, and shows the dialog when asked")
    func bothExpired() async throws {
        let stage = try await PlatformStage(provider: "CableNova", expires: .seconds(3600)) {
            $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000"
        }.configured()
        stage.box.clock.advance(by: .seconds(7200))
        try await stage.configured()
        #expect(stage.exchanges == 1)
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
        _ = try await stage.dialog()
    }

    @Test("exchanges nothing while a token is valid")
    func once() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured().configured()
        #expect(stage.exchanges == 1)
    }

    @Test("removes the account's token once the box is signed out")
    func signedOut() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        stage.account.signOut()
        try await stage.configured()
        stage.account.signIn(provider: PlatformStage.platformID("Elsewhere"))
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test("removes the account's token once the permission is withdrawn")
    func withdrawn() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        stage.account.setAccess(.denied)
        try await stage.configured()
        stage.account.setAccess(.granted)
        #expect(await stage.enabler.authenticationStatus() == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test("follows the box's account to another provider")
    func otherProvider() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        stage.account.signIn(provider: PlatformStage.platformID("SatOne"))
        try await stage.configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
    }
}
