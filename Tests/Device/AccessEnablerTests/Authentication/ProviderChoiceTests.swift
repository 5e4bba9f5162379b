import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("setSelectedProvider", .configured, .timeLimit(.minutes(5)))
struct ProviderChoiceTests {
    @Test("T-092 setSelectedProvider(id) sends TRACKING_GET_SELECTED_PROVIDER with the ID at index 0")
    func tracked() async throws {
        await application.enabler.selectProvider("SatOne")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "REGCODE")
        await application.choose("CableNova")
        #expect(application.recorder.tracked(TRACKING_GET_SELECTED_PROVIDER).map(\.first) == ["SatOne", "CableNova"])
    }

    @Test func `T-102 setSelectedProvider(nil) at the picker ends what waits for the sign-in`() async throws {
        async let outcome = application.enabler.authenticate()
        await application.recorder.wait(for: "displayProviderDialog")
        application.enabler.setSelectedProvider(nil)
        #expect(await outcome == .notAuthenticated(code: PROVIDER_NOT_SELECTED_ERROR))
    }

    @Test(
        "T-102 T-103 T-105 setSelectedProvider(nil) reports N005, status 0 and no mvpdSelection event",
        arguments: [false, true])
    func code(inFlow: Bool) async throws {
        if inFlow { await application.showPicker() }
        await application.enabler.selectProvider(nil)
        #expect(application.recorder.statuses("N005") == [["errorId": "N005", "level": "info"]])
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        #expect(application.recorder.tracked(TRACKING_GET_SELECTED_PROVIDER).isEmpty)
    }

    @Test(.box) func `T-104 setSelectedProvider(nil) leaves tokens of other requestors in the store`() async throws {
        let service = try ScriptedService {
            $0.providers = [.init("CableNova"), .init("SatOne") { $0.metadata = #""singleSignOn":false"# }]
        }
        let other = try await box.signedIn(service, provider: "SatOne", requestor: "SOUTHSPORT")
        let before = try box.image().requestors["SOUTHSPORT"]
        let application = try await box.application(service)
        await application.showPicker()
        await application.enabler.selectProvider(nil)
        #expect(try before != nil && box.image().requestors["SOUTHSPORT"] == before)
        #expect(await other.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
    }

    @Test(
        "T-107 setSelectedProvider with an unknown ID reports PROVIDER_NOT_AVAILABLE_ERROR", arguments: [false, true])
    func unknown(inFlow: Bool) async throws {
        if inFlow { await application.showPicker() }
        await application.enabler.selectProvider("Nobody")
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_AVAILABLE_ERROR)])
        #expect(application.recorder.tracked(TRACKING_GET_SELECTED_PROVIDER).isEmpty)
        // The flow is reset: the next one begins with a picker.
        await application.showPicker()
    }

    @Test("T-108 setSelectedProvider(id) of a normal MVPD outside a flow neither navigates nor requests a code", .box)
    func remembered() async throws {
        for interaction in [AccessEnabler.Configuration.Interaction.secondScreen, .userAgent] {
            let service = try ScriptedService()
            let application = try await TestBox().application(service) { $0.interaction = interaction }
            await application.enabler.selectProvider("CableNova")
            try await application.roundTrip()
            #expect(application.recorder.count("navigateToUrl") == 0 && application.outcomes.isEmpty)
            #expect(application.recorder.statuses.isEmpty && service.count(of: "/reggie/") == 0)
            await application.enabler.shutDown()
        }
    }

    @Test("T-109 Changing the provider during a login discards the result of the first attempt", .box)
    func changed() async throws {
        let transport = SpiedTransport()
        let application = try await box.application(service) {
            $0.interaction = .userAgent
            $0.transport = transport
        }
        _ = try await application.openPage("CableNova")
        transport.hold(sessionPath)
        service.confirm(provider: "CableNova")
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        // The token of the first attempt is on the box when another provider is chosen.
        _ = await transport.held.next()
        _ = try await application.navigate("SatOne")
        transport.release()
        try await application.roundTrip()
        #expect(application.outcomes.isEmpty)
        #expect(try box.image().requestors[TestBox.requestor] == nil)
        service.confirm(provider: "SatOne")
        #expect(
            await application.enabler.completeNavigation(ADOBEPASS_REDIRECT_URL) == .authenticated(mvpdID: "SatOne"))
        #expect(application.outcomes == [.authenticated])
        #expect(try box.image().requestors[TestBox.requestor]?.mvpds.keys.sorted() == ["SatOne"])
    }

    @Test("T-119 T-120 getSelectedProvider delivers nil without a provider, and the MVPD used after a login")
    func used() async throws {
        application.enabler.getSelectedProvider()
        await application.recorder.wait(for: "selectedProvider")
        #expect(application.recorder.callbacks.last == Callback("selectedProvider", "nil"))
        #expect(await application.enabler.selectedProvider() == nil)
        try await application.signIn(service, provider: "SatOne")
        application.enabler.getSelectedProvider()
        await application.settle()
        #expect(application.recorder.callbacks.last { $0.name == "selectedProvider" }?.arguments == ["SatOne"])
        let provider = await application.enabler.selectedProvider()
        #expect(provider?.id == "SatOne" && provider?.displayName == "Sat One")
        #expect(provider?.logoURL == "https://cdn.example.net/SatOne.png")
    }

    @Test(
        "A login that is cancelled while its token is being kept leaves nothing of it", .box,
        arguments: SpiedStore.Moment.allCases)
    func cancelledWhileKept(moment: SpiedStore.Moment) async throws {
        let store = SpiedStore()
        let application = try await box.showingCode(service) { $0.tokenStore = store }
        store.hold(moment)
        service.confirm()
        _ = await store.held.next()
        await application.enabler.selectProvider(nil)
        #expect(await application.enabler.authenticationStatus() == nobody)
        store.release()
        try await application.roundTrip()
        #expect(await application.enabler.authenticationStatus() == nobody)
        #expect(application.outcomes.first == .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR))
        #expect(!application.outcomes.contains(.authenticated))
    }

    @Test("A login that is asked for while another is taken back comes after it, and both are answered", .box)
    func askedForMeanwhile() async throws {
        let store = SpiedStore()
        let application = try await box.showingCode(service) { $0.tokenStore = store }
        store.hold(.after)
        service.confirm()
        _ = await store.held.next()
        store.hold(.before)
        let back = Task { await application.enabler.selectProvider(nil) }
        _ = await store.held.next()
        let second = Task { await application.enabler.authenticate() }
        for _ in 0..<100 { await Task.yield() }
        store.release()
        await back.value
        await application.recorder.wait(for: "displayProviderDialog", count: 2)
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        await application.enabler.selectProvider("SatOne")
        await application.recorder.wait(for: "REGCODE", count: 2)
        service.confirm(provider: "SatOne")
        #expect(await second.value == .authenticated(mvpdID: "SatOne"))
    }

    @Test(
        "A sign-in is in force again when its successor is dropped while being kept", .box,
        arguments: SpiedStore.Moment.allCases)
    func droppedSuccessor(moment: SpiedStore.Moment) async throws {
        let store = SpiedStore()
        let application = try await box.signedIn(service) { $0.tokenStore = store }
        await application.enabler.selectProvider("SatOne")
        application.enabler.getAuthentication(true, withData: nil)
        await application.recorder.wait(for: "REGCODE", count: 2)
        store.hold(moment)
        service.confirm(provider: "SatOne")
        _ = await store.held.next()
        await application.enabler.selectProvider(nil)
        store.release()
        try await application.roundTrip()
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }
}
