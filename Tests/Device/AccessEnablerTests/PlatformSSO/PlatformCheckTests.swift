import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("checkAuthentication with a token from the platform", .box, .timeLimit(.minutes(5)))
struct PlatformCheckTests {
    /// A stage whose application is signed in by the box's account.
    private func signedIn(
        expires: Duration? = nil, _ behaviour: @Sendable (inout ScriptedService.Behaviour) -> Void = { _ in }
    ) async throws -> PlatformStage {
        let stage = try await PlatformStage(provider: "CableNova", expires: expires, behaviour: behaviour).configured()
        try #require(await stage.check().outcome == .authenticated(mvpdID: "CableNova"))
        return stage
    }

    @Test(
        "T-186 T-187 T-188 T-189 reports status 0, and why, once the permission is gone or the account's keeper fails",
        arguments: ["VSA403", "VSA404", "APPL_ERROR"])
    func lost(code: String) async throws {
        let stage = try await self.signedIn()
        switch code {
        case "VSA403": stage.account.setAccess(.denied)
        case "VSA404": stage.account.setAccess(.notDetermined)
        default: stage.account.fail(with: PlatformStage.failure)
        }
        let check = await stage.check()
        #expect(check.codes == [code] && check.outcome == nobody)
        #expect(stage.recorder.callbacks.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
        #expect(stage.recorder.statuses("APPL_ERROR").allSatisfy { $0["details"] == "socket closed" })
    }

    @Test("T-190 reports status 0 where single sign-on is disabled for the provider", arguments: [true, false])
    func noSingleSignOn(isByMetadata: Bool) async throws {
        let stage = try await self.signedIn()
        stage.service.set { behaviour in
            if isByMetadata {
                behaviour.providers[0].metadata = #""singleSignOn":false"#
            } else {
                behaviour.providers[0].enablesPlatform = false
            }
        }
        try await stage.configured()
        let check = await stage.check()
        #expect(check.outcome == nobody)
        #expect(check.codes == ["N000"])
    }

    @Test func `T-191 reports status 1 for a token of a regular login although permission is denied`() async throws {
        let stage = try await PlatformStage(access: .denied).configured()
        try await stage.application.signIn(stage.service, provider: "CableNova")
        let check = await stage.check()
        #expect(check.outcome == .authenticated(mvpdID: "CableNova"))
        #expect(check.codes == [])
    }

    @Test func `T-193 reports status 1 where the account has expired and the token has not`() async throws {
        let stage = try await self.signedIn(expires: .seconds(3600))
        stage.box.clock.advance(by: .seconds(7200))
        #expect(await stage.check().outcome == .authenticated(mvpdID: "CableNova"))
        try await stage.configured()
        #expect(await stage.check().outcome == .authenticated(mvpdID: "CableNova"))
    }

    @Test func `reports status 0 once the keeper told that the box is signed out`() async throws {
        let stage = try await self.signedIn()
        stage.account.signOut()
        // The keeper's report travels beside the calls.
        while await stage.check().outcome != nobody { await Task.yield() }
        #expect(stage.recorder.codes.last == "N000")
    }

    @Test func `reports VSA403 without a token, too, where the box is known to be signed in`() async throws {
        let stage = try await PlatformStage(provider: "CableNova", profile: { _ in nil }).configured()
        #expect(await stage.check().codes == ["N000"])
        stage.account.setAccess(.denied)
        #expect(await stage.check().codes == ["VSA403"])
    }

    @Test("T-194 tokenSource delivers the origin that the server stored", arguments: ["Apple", "Box account"])
    func origin(source: String) async throws {
        let stage = try await self.signedIn { $0.userMetadata = #"{"updated":1,"data":{"tokenSource":"\#(source)"}}"# }
        #expect(await stage.enabler.metadata(.user(name: "tokenSource")).value == .string(source))
    }
}
