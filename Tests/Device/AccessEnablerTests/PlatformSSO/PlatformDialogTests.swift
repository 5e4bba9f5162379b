import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("The platform's dialog", .box, .stage, .timeLimit(.minutes(5)))
struct PlatformDialogTests {
    @Test(
        "T-140 is not presented for providers that the server keeps out of it",
        arguments: [
            ScriptedProvider.platform("CableNova") { $0.enablesPlatform = false },
            .platform("CableNova") { $0.boarding = nil }, .platform("CableNova") { $0.isInPlatformPicker = false },
            .platform("CableNova") { $0.platformID = nil },
        ])
    func keptOut(provider: ScriptedProvider) async throws {
        let stage = try await PlatformStage { $0.providers = [provider] }.configured()
        _ = await stage.codesUntilPicker()
        #expect(stage.recorder.count("presentTvProviderDialog") == 0)
    }

    @Test func `T-140 is not presented where no provider takes part`() async throws {
        let stage = try await PlatformStage { $0.providers = [ScriptedProvider("OldCable")] }.configured()
        _ = await stage.codesUntilPicker()
        #expect(stage.recorder.count("presentTvProviderDialog") == 0)
    }

    @Test func `T-140 T-141 is not presented where no provider takes part, whatever the filter`() async throws {
        let stage = try await PlatformStage {
            $0.providers = [ScriptedProvider("OldCable"), ScriptedProvider("Elsewhere")]
        }.configured()
        stage.enabler.getAuthentication(filter: .featured(all: ["Elsewhere"], featured: ["Elsewhere"]))
        await stage.recorder.wait(for: "displayProviderDialog")
        #expect(stage.recorder.callbacks.last == Callback("displayProviderDialog", "OldCable,Elsewhere"))
        #expect(stage.recorder.count("presentTvProviderDialog") == 0)
    }

    @Test(arguments: [["SatOne", "CableNova"], ["CableNova", "SatOne"]])
    func `T-142 lists providers in the filter's order`(ids: [String]) async throws {
        let dialog = try await stage.dialog(.featured(all: ids, featured: []))
        #expect(dialog.providers.map(\.id) == ids)
    }

    @Test("T-139 is presented where permission is granted and nobody is signed in, with all that take part, in order")
    func unfiltered() async throws {
        let dialog = try await stage.dialog()
        #expect(dialog.providers.map(\.id) == ["CableNova", "SatOne", "TerraNet"])
        #expect(dialog.featured.isEmpty)
        #expect(stage.recorder.count("presentTvProviderDialog") == 1)
        #expect(stage.recorder.count("displayProviderDialog") == 0)
    }

    @Test func `T-143 leaves out what the filter names without support for platform SSO`() async throws {
        let dialog = try await stage.dialog(
            .featured(all: ["OldCable", "SatOne", "Nobody", "CableNova"], featured: ["OldCable"]))
        #expect(dialog.providers.map(\.id) == ["SatOne", "CableNova"])
        #expect(dialog.featured.isEmpty)
    }

    @Test func `T-144 features nothing that is not among TV_PROVIDERS`() async throws {
        let filter = try #require(
            AccessEnabler.ProviderFilter(dictionary: [
                TV_PROVIDERS: ["CableNova", "TerraNet"], FEATURED_TV_PROVIDERS: ["SatOne", "TerraNet"],
            ]))
        let dialog = try await stage.dialog(filter)
        #expect(dialog.providers.map(\.id) == ["CableNova", "TerraNet"])
        #expect(dialog.featured.map(\.id) == ["TerraNet"])
    }

    @Test func `T-145 takes the array form of the filter`() async throws {
        let dialog = try await stage.dialog(.list(["TerraNet", "CableNova"]))
        #expect(dialog.providers.map(\.id) == ["TerraNet", "CableNova"])
        #expect(dialog.featured.isEmpty)
    }

    @Test func `is left out, without a code, where the filter leaves nothing to list`() async throws {
        stage.enabler.getAuthentication(filter: .list(["OldCable"]))
        await stage.recorder.wait(for: "displayProviderDialog")
        #expect(stage.recorder.dialogs.isEmpty)
        #expect(PlatformStage.reasons.isDisjoint(with: stage.recorder.codes))
    }

    @Test func `does not keep the box's account from counting, whatever the filter`() async throws {
        stage.account.signIn(provider: PlatformStage.platformID("SatOne"))
        #expect(await stage.enabler.authenticate(filter: .list(["OldCable"])) == .authenticated(mvpdID: "SatOne"))
    }

    @Test func `T-146 is dismissed with the object that was presented`() async throws {
        let dialog = try await stage.dialog()
        dialog.cancel()
        await stage.recorder.wait(for: "dismissTvProviderDialog")
        #expect(stage.recorder.dismissed.count == 1)
        #expect(stage.recorder.dismissed.first === dialog)
    }

    @Test func `is not presented again by a second call, which joins the first`() async throws {
        let dialog = try await stage.dialog()
        stage.enabler.getAuthentication()
        await stage.application.settle()
        dialog.choose("CableNova")
        await stage.recorder.wait(for: "setAuthenticationStatus")
        await stage.application.settle()
        #expect(stage.recorder.count("presentTvProviderDialog") == 1)
        #expect(stage.recorder.count("setAuthenticationStatus") == 1)
    }

    enum Ending: String, CaseIterable, CustomTestStringConvertible {
        case supported, listedOnly, elsewhere, other, cancel, selection, noSelection, unknownSelection, logout
        var testDescription: String { self.rawValue }
    }

    @Test("T-147 is dismissed before the flow's next callback", arguments: Ending.allCases)
    func dismissedFirst(ending: Ending) async throws {
        let dialog = try await stage.dialog()
        let known = stage.recorder.everything.count
        switch ending {
        case .supported: dialog.choose("CableNova")
        case .listedOnly: dialog.choose("TerraNet")
        case .elsewhere: dialog.choose("Elsewhere")
        case .other: dialog.chooseOther()
        case .cancel: dialog.cancel()
        case .selection: stage.enabler.setSelectedProvider("OldCable")
        case .noSelection: stage.enabler.setSelectedProvider(nil)
        case .unknownSelection: stage.enabler.setSelectedProvider("Nobody")
        case .logout: stage.enabler.logout()
        }
        switch ending {
        case .supported, .noSelection, .unknownSelection, .logout:
            await stage.recorder.wait(for: "setAuthenticationStatus")
        case .listedOnly, .selection: await stage.recorder.wait(for: "REGCODE")
        case .elsewhere, .other, .cancel: await stage.recorder.wait(for: "displayProviderDialog")
        }
        let after = stage.recorder.everything.dropFirst(known)
        #expect(after.first == Callback("dismissTvProviderDialog"), "\(after)")
        #expect(stage.recorder.count("dismissTvProviderDialog") == 1)
        #expect(after.count > 1)
    }
}
