import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("A choice in the platform's dialog", .box, .stage, .timeLimit(.minutes(5)))
struct PlatformChoiceTests {
    /// What was reported from the choice to `callback`.
    private func codes(
        _ stage: PlatformStage, until callback: String, _ choose: (TvProviderDialogRequest) -> Void
    ) async throws -> [String] {
        let dialog = try await stage.dialog()
        let known = stage.recorder.codes.count
        choose(dialog)
        await stage.recorder.wait(for: callback)
        return Array(stage.recorder.codes.dropFirst(known))
    }

    @Test("T-148 T-149 of a supported provider ends with status 1, and reports no code for a second screen")
    func supported() async throws {
        #expect(try await self.codes(stage, until: "setAuthenticationStatus") { $0.choose("SatOne") } == [])
        #expect(stage.recorder.callbacks.last == .authenticated)
        #expect(await stage.enabler.selectedProvider()?.id == "SatOne")
        #expect(stage.exchanges == 1 && stage.service.count(of: "/reggie/v1/") == 0)
    }

    @Test("T-150 T-152 T-153 of a listed provider reports its code alone, shows no picker, and is tracked")
    func listed() async throws {
        #expect(try await self.codes(stage, until: "REGCODE") { $0.choose("TerraNet") } == ["REGCODE"])
        #expect(stage.recorder.statuses("REGCODE").first?["mvpd"] == "TerraNet")
        #expect(stage.recorder.tracked(TRACKING_GET_SELECTED_PROVIDER).first?.first == "TerraNet")
        stage.service.confirm(provider: "TerraNet")
        await stage.recorder.wait(for: "setAuthenticationStatus")
        #expect(stage.recorder.callbacks.last == .authenticated)
        #expect(stage.recorder.count("displayProviderDialog") == 0)
    }

    @Test("T-151 T-153 of a listed provider navigates where the box has a browser, and reports no code")
    func listedWithBrowser() async throws {
        let stage = try await PlatformStage(configuring: { $0.interaction = .userAgent }).configured()
        #expect(try await self.codes(stage, until: "navigateToUrl") { $0.choose("TerraNet") } == [])
        let navigation = try #require(stage.recorder.callbacks.last)
        #expect(navigation.arguments.first?.contains("TerraNet") == true, "\(navigation)")
    }

    @Test(
        "T-154 T-155 T-156 T-157 T-158 T-159 of none that can be used reports its code, then shows the picker",
        arguments: ["N003", "N004", "N005"])
    func picker(code: String) async throws {
        let codes = try await self.codes(stage, until: "displayProviderDialog") { dialog in
            switch code {
            case "N003": dialog.chooseOther()
            // The requestor does not support it.
            case "N004": dialog.choose("Elsewhere")
            default: dialog.cancel()
            }
        }
        #expect(codes == [code])
        let all = stage.recorder.everything
        let reported = try #require(all.firstIndex(of: Callback("status", code)))
        let shown = try #require(
            all.firstIndex(of: Callback("displayProviderDialog", "CableNova,SatOne,TerraNet,OldCable")))
        #expect(reported < shown)
        #expect(stage.recorder.count("setAuthenticationStatus") == 0)
        stage.enabler.setSelectedProvider("OldCable")
        await stage.recorder.wait(for: "REGCODE")
    }

    @Test func `T-156 of a provider whose single sign-on is disabled reports N004`() async throws {
        let stage = try await PlatformStage {
            $0.providers[0].metadata = #""singleSignOn":false"#
        }.configured()
        let codes = try await self.codes(stage, until: "displayProviderDialog") { $0.choose("CableNova") }
        #expect(codes == ["N004"])
    }

    @Test func `T-160 to cancel reports PROVIDER_NOT_SELECTED_ERROR where that ends the flow`() async throws {
        let stage = try await PlatformStage(configuring: { $0.platformPickerCancelPolicy = .abort }).configured()
        _ = try await self.codes(stage, until: "setAuthenticationStatus") { $0.cancel() }
        #expect(stage.recorder.callbacks.last == .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR))
        #expect(stage.recorder.count("displayProviderDialog") == 0)
    }

    @Test("of a provider that left the requestor's list while the dialog was up is refused, and the picker follows")
    func leftTheList() async throws {
        let dialog = try await stage.dialog()
        stage.service.set { $0.providers.removeAll { $0.id == "CableNova" } }
        try await stage.configured()
        dialog.choose("CableNova")
        await stage.recorder.wait(for: "displayProviderDialog")
        #expect(stage.recorder.codes == ["N500"] && stage.exchanges == 0)
    }

    @Test func `counts once: what comes after the first answer changes nothing`() async throws {
        let codes = try await self.codes(stage, until: "displayProviderDialog") { dialog in
            dialog.chooseOther()
            dialog.choose("CableNova")
            dialog.cancel()
        }
        #expect(codes == ["N003"])
        #expect(stage.recorder.dialogs.last?.page == .finished)
    }

    @Test("T-109 Changing the provider while a platform token is being kept leaves nothing of it to the next attempt")
    func changedWhileStoring() async throws {
        let store = SpiedStore()
        let stage = try await PlatformStage(configuring: { $0.tokenStore = store }).configured()
        let dialog = try await stage.dialog()
        let held = stage.service.hold(PlatformStage.exchange)
        dialog.choose("CableNova")
        await held.reached()
        store.hold(.before)
        held.open()
        _ = await store.held.next()
        stage.enabler.setSelectedProvider("OldCable")
        await stage.recorder.wait(for: "REGCODE")
        store.release()
        stage.service.confirm(provider: "OldCable")
        await stage.recorder.wait(for: "setAuthenticationStatus")
        // A sign-in of the regular kind, whatever the first attempt was.
        let origin = try await stage.enabler.vault.image()[requestor: TestBox.requestor, mvpd: "OldCable"].authn?.origin
        #expect(origin == .regular)
        _ = await stage.enabler.signOut()
        #expect(!stage.recorder.codes.contains("VSA203"))
    }
}
