import AccessEnabler
import TestSupport
import Testing

@Suite("The configuration phase with a platform", .box, .timeLimit(.minutes(5)))
struct SilentSignOnTests {
    @Test(arguments: [AccessEnabler.PlatformAccess.granted, .denied, .notDetermined])
    func `T-171 never prompts for permission`(access: AccessEnabler.PlatformAccess) async throws {
        let stage = try await PlatformStage(access: access, provider: "CableNova").configured()
        #expect(!stage.platform.prompts.isEmpty)
        #expect(!stage.platform.prompts.contains(true))
        #expect(stage.account.prompts == 0)
        #expect(!stage.platform.queries.contains { $0.isInterruptionAllowed })
    }

    @Test func `T-172 is followed by a checkAuthentication that never prompts for permission either`() async throws {
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
        "T-173 T-174 T-175 T-176 succeeds all the same, and reports what stood against an exchange",
        arguments: [
            (AccessEnabler.PlatformAccess.denied, "VSA403"), (.restricted, "VSA403"), (.notDetermined, "VSA404"),
            (.granted, "APPL"),
        ])
    func succeeds(access: AccessEnabler.PlatformAccess, code: String) async throws {
        let stage = try PlatformStage(access: access)
        if code == "APPL" { stage.account.fail(with: PlatformStage.failure) }
        stage.enabler.setRequestor(TestBox.requestor)
        await stage.recorder.wait(for: "setRequestorComplete")
        #expect(stage.recorder.codes == [code] && stage.recorder.callbacks == [.configured])
        if code == "APPL" {
            #expect(stage.recorder.statuses == [["errorId": "APPL", "level": "error", "details": "socket closed"]])
        }
    }

    @Test("T-177 T-178 leaves the viewer authenticated where all seven conditions hold, with no other callback, once")
    func authenticated() async throws {
        let stage = try await PlatformStage(provider: "CableNova").configured()
        #expect(stage.exchanges == 1 && stage.recorder.everything == [.configured])
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        try await stage.configured()
        #expect(stage.exchanges == 1)
    }

    @Test(
        "T-179 T-180 T-181 T-182 T-183 T-184 exchanges nothing where one of the conditions does not hold",
        arguments: [
            "no account", "no identifier", "no integration", #""singleSignOn":false"#, "not enabled",
            #""degradation":"authn-all""#, #""degradation":"authz-all""#, #""degradation":"authz-none""#, "no profile",
            "only listed",
        ])
    func noExchange(obstacle: String) async throws {
        let provider = ["no account": nil, "only listed": "TerraNet"][obstacle, default: "CableNova"]
        let stage = try PlatformStage(
            provider: provider, hidesProvider: obstacle == "no identifier",
            behaviour: { behaviour in
                switch obstacle {
                case "no integration": behaviour.providers.removeFirst()
                case "not enabled": behaviour.providers[0].enablesPlatform = false
                case let metadata where metadata.hasPrefix("\""): behaviour.providers[0].metadata = metadata
                default: break
                }
            }, profile: { obstacle == "no profile" ? nil : $0 })
        try await stage.configured()
        #expect(!stage.platform.queries.isEmpty && stage.exchanges == 0)
        #expect(await stage.enabler.authenticationStatus() == nobody)
    }

    @Test func `reports APPL with details where the account's keeper fails at the profile`() async throws {
        let stage = try await PlatformStage(provider: "CableNova", profileFailure: PlatformStage.failure).configured()
        #expect(stage.recorder.statuses == [["errorId": "APPL", "level": "error", "details": "socket closed"]])
        #expect(stage.recorder.callbacks == [.configured])
    }

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

    @Test("T-185 does not wait for an exchange that takes longer than the limit, and keeps what it brings")
    func late() async throws {
        let gate = Gate()
        let stage = try await self.slow(gate)
        #expect(stage.recorder.callbacks == [.configured])
        #expect(await stage.enabler.authenticationStatus() == nobody)
        await self.finish(stage, gate)
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test("leaves the provider in use that a viewer signed in at while the exchange was being kept")
    func lateAfterLogin() async throws {
        let (gate, store) = (Gate(), SpiedStore())
        let stage = try await self.slow(gate) { $0.tokenStore = store }
        store.hold(.before)
        gate.open()
        _ = await store.held.next()
        try await stage.application.signIn(stage.service, provider: "SatOne")
        store.release()
        while try await testVault(store).image().mvpds() != ["CableNova", "SatOne"] { await Task.yield() }
        #expect(await stage.enabler.selectedProvider()?.id == "SatOne")
    }

    @Test func `keeps nothing that an exchange brings after a logout`() async throws {
        let gate = Gate()
        let stage = try await self.slow(gate)
        _ = await stage.enabler.signOut()
        await self.finish(stage, gate)
        #expect(await stage.enabler.authenticationStatus() == nobody)
    }

    @Test("T-192 obtains a new token where the old one has expired and the account has not", arguments: [false, true])
    func oldExpired(isOfLogin: Bool) async throws {
        let stage = try await PlatformStage(provider: "CableNova") {
            $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000"
        }.configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        if isOfLogin { try await stage.application.signIn(stage.service, provider: "SatOne", force: true) }
        stage.box.clock.advance(by: .seconds(7200))
        #expect(await stage.enabler.authenticationStatus() == nobody)
        stage.service.set { $0.tokenExpires = "2033/05/18 03:33:19 GMT +0000" }
        try await stage.configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(try stage.exchanges == 2 && stage.box.image().mvpds() == ["CableNova"])
    }

    @Test("exchanges nothing where token and account have both expired, and shows the dialog when asked")
    func bothExpired() async throws {
        let stage = try await PlatformStage(provider: "CableNova", expires: .seconds(3600)) {
            $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000"
        }.configured()
        stage.box.clock.advance(by: .seconds(7200))
        try await stage.configured()
        #expect(stage.exchanges == 1)
        #expect(await stage.enabler.authenticationStatus() == nobody)
        _ = try await stage.dialog()
    }

    @Test(.stage(provider: "CableNova"), arguments: [false, true])
    func `removes the account's token once the box is signed out or the permission gone`(isOut: Bool) async throws {
        if isOut { stage.account.signOut() } else { stage.account.setAccess(.denied) }
        try await stage.configured()
        stage.account.setAccess(.granted)
        if isOut { stage.account.signIn(provider: PlatformStage.platformID("Elsewhere")) }
        #expect(await stage.enabler.authenticationStatus() == nobody)
        #expect(stage.service.count(of: "/adobe-services/logout") == 1)
    }

    @Test(.stage(provider: "CableNova")) func `follows the box's account to another provider`() async throws {
        stage.account.signIn(provider: PlatformStage.platformID("SatOne"))
        try await stage.configured()
        #expect(await stage.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
        #expect(stage.service.count(of: "/adobe-services/logout") == 1)
    }
}
