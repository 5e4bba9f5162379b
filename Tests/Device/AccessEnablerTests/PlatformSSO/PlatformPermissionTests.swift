import AccessEnabler
import TestSupport
import Testing

@Suite("A login with a platform", .box, .timeLimit(.minutes(5)))
struct PlatformPermissionTests {
    @Test(
        "T-161 T-162 reports VSA403 and shows the application's picker where permission is denied",
        arguments: [AccessEnabler.PlatformAccess.denied, .restricted])
    func denied(access: AccessEnabler.PlatformAccess) async throws {
        let stage = try await PlatformStage().configured()
        stage.account.setAccess(access)
        #expect(await stage.codesUntilPicker() == ["VSA403"])
        #expect(stage.recorder.statuses("VSA403").first?["level"] == "info")
        #expect(
            stage.recorder.callbacks == [
                .configured, Callback("displayProviderDialog", "CableNova,SatOne,TerraNet,OldCable"),
            ])
    }

    @Test func `T-163 reports VSA404 where permission is undetermined even after the prompt`() async throws {
        let stage = try await PlatformStage(access: .notDetermined, answerToPrompt: .notDetermined).configured()
        #expect(await stage.codesUntilPicker() == ["VSA404"])
        #expect(stage.account.prompts == 1)
    }

    @Test("T-164 reports VSA503 with a message where the account's keeper fails, at the profile too")
    func failure() async throws {
        for isAtProfile in [false, true] {
            let stage = try await PlatformStage(profileFailure: isAtProfile ? PlatformStage.failure : nil).configured()
            if isAtProfile {
                stage.account.signIn(provider: PlatformStage.platformID("CableNova"))
            } else {
                stage.account.fail(with: PlatformStage.failure)
            }
            #expect(await stage.codesUntilPicker() == ["VSA503"])
            #expect(stage.recorder.statuses("VSA503").first?["message"] == "The keeper is away.")
        }
    }

    @Test func `T-164 reports VSA503 with a message where the account gives no profile`() async throws {
        let stage = try await PlatformStage(profile: { _ in nil }).configured()
        stage.account.signIn(provider: PlatformStage.platformID("CableNova"))
        #expect(await stage.codesUntilPicker() == ["VSA503"])
        #expect(stage.recorder.statuses("VSA503").first?["message"]?.isEmpty == false)
    }

    enum Cause: String, CaseIterable, CustomTestStringConvertible {
        case denied, undetermined, failure, other, elsewhere, cancel, account, noProfile
        var testDescription: String { self.rawValue }
    }

    @Test(arguments: Cause.allCases) func `T-165 falls back with exactly one of the codes`(cause: Cause) async throws {
        let stage = try await PlatformStage(
            answerToPrompt: .notDetermined, profile: { cause == .noProfile ? nil : $0 }
        ).configured()
        switch cause {
        case .denied: stage.account.setAccess(.denied)
        case .undetermined: stage.account.setAccess(.notDetermined)
        case .failure: stage.account.fail(with: PlatformStage.failure)
        case .account: stage.account.signIn(provider: PlatformStage.platformID("Elsewhere"))
        case .noProfile: stage.account.signIn(provider: PlatformStage.platformID("CableNova"))
        case .other: try await stage.dialog().chooseOther()
        case .elsewhere: try await stage.dialog().choose("Elsewhere")
        case .cancel: try await stage.dialog().cancel()
        }
        if [.denied, .undetermined, .failure, .account, .noProfile].contains(cause) {
            stage.enabler.getAuthentication()
        }
        await stage.recorder.wait(for: "displayProviderDialog")
        #expect(stage.recorder.codes.count { PlatformStage.reasons.contains($0) } == 1, "\(stage.recorder.codes)")
        #expect(stage.recorder.count("displayProviderDialog") == 1)
    }

    @Test func `T-166 prompts where the permission is undetermined`() async throws {
        let stage = try await PlatformStage(access: .notDetermined).configured()
        #expect(stage.account.prompts == 0)
        _ = try await stage.dialog()
        #expect(stage.account.prompts == 1)
    }

    @Test("T-167 succeeds without a dialog where the box is signed in and nothing stands against it")
    func account() async throws {
        let stage = try await PlatformStage().configured()
        stage.account.signIn(provider: PlatformStage.platformID("CableNova"))
        let known = stage.recorder.callbacks.count
        #expect(await stage.enabler.authenticate() == .authenticated(mvpdID: "CableNova"))
        #expect(Array(stage.recorder.callbacks.dropFirst(known)) == [.authenticated])
        let query = try #require(stage.platform.queries.last)
        #expect(query.verificationToken.map { String(decoding: $0, as: UTF8.self) } == "<AuthnRequest/>")
        #expect(query.attributeNames == ["householdID"])
        let form = try #require(stage.service.last(PlatformStage.exchange)).form
        #expect(form["SAMLResponse"] == "PFJlc3BvbnNlIG9mPSJwbGF0Zm9ybS1DYWJsZU5vdmEiLz4=")
    }

    @Test(
        "hands a profile to the server as Base64, without line breaks and runs of blanks",
        arguments: [
            ("\n <a \t b=\"1\">\r\n  c+d</a> ", "PGEgYj0iMSI+IGMrZDwvYT4="), ("PGEv\nPg==", "PGEvPg=="),
        ])
    func encoding(profile: String, sent: String) async throws {
        let stage = try await PlatformStage(provider: "CableNova", profile: { _ in profile }).configured()
        #expect(stage.service.last(PlatformStage.exchange)?.form["SAMLResponse"] == sent)
    }

    @Test("T-168 reports N004 where the box's provider is not integrated, or has its single sign-on disabled")
    func notIntegrated() async throws {
        for provider in ["Elsewhere", "CableNova"] {
            let stage = try await PlatformStage(provider: provider) {
                $0.providers[0].metadata = #""singleSignOn":false"#
            }.configured()
            #expect(await stage.codesUntilPicker() == ["N004"])
            #expect(stage.recorder.dialogs.isEmpty)
        }
    }

    @Test func `T-169 shows the application's picker where the server refuses the profile`() async throws {
        let stage = try await PlatformStage { $0.allowsPlatform = false }.configured()
        stage.account.signIn(provider: PlatformStage.platformID("CableNova"))
        let codes = await stage.codesUntilPicker()
        #expect(stage.exchanges == 1)
        #expect(stage.recorder.callbacks.last?.name == "displayProviderDialog")
        #expect(codes == ["N500"])
        #expect(stage.recorder.count("setAuthenticationStatus") == 0)
    }

    @Test func `T-170 reports no code of a platform where none is configured`() async throws {
        let application = try await box.application(service.set { $0.providers = PlatformStage.providers })
        _ = await application.enabler.authenticationStatus()
        try await application.signIn(service)
        _ = await application.enabler.authenticationStatus()
        _ = await application.enabler.signOut()
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "displayProviderDialog")
        let codes = application.recorder.codes
        #expect(!codes.isEmpty)
        #expect(!codes.contains { $0.hasPrefix("VSA") || $0.hasPrefix("APPL") }, "\(codes)")
        #expect(application.recorder.dialogs.isEmpty)
    }

    @Test func `uses the provider's bypass while it is degraded, not the account's profile`() async throws {
        let stage = try await PlatformStage(provider: "CableNova") {
            $0.providers[0].metadata = #""degradation":"authn-all""#
        }.configured()
        #expect(await stage.enabler.authenticate() == .authenticated(mvpdID: "CableNova"))
        #expect(stage.exchanges == 0)
        #expect(stage.recorder.codes.contains("N010"))
    }
}
