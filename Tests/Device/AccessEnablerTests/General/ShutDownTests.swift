import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

enum AwaitedCall: String, CaseIterable, Sendable {
    case configure, authenticationStatus, authenticate, selectProvider, completeNavigation, authorize,
        authorizeAfterLogin,
        preauthorizedResources, preauthorize, preauthorizeWithCallback, selectedProvider, metadata, signOut

    func make(_ enabler: AccessEnabler) async {
        switch self {
        case .configure: try? await enabler.configure(requestorID: TestBox.requestor)
        case .authenticationStatus: _ = await enabler.authenticationStatus()
        case .authenticate: _ = await enabler.authenticate()
        case .selectProvider: await enabler.selectProvider("CableNova")
        case .completeNavigation: _ = await enabler.completeNavigation(AccessEnabler.RedirectURL.adobePass)
        case .authorize: _ = try? await enabler.authorize("r")
        case .authorizeAfterLogin: _ = try? await enabler.authorize("r", authenticateIfNeeded: true)
        case .preauthorizedResources: _ = await enabler.preauthorizedResources(among: ["r"])
        case .preauthorize: _ = await enabler.preauthorize(PreauthorizeRequest(resources: ["r"]))
        case .preauthorizeWithCallback:
            let answers = Signal<Void>()
            enabler.preauthorize(
                PreauthorizeRequest(resources: ["r"]),
                didCompleteWith: AccessEnablerCallback(
                    onResponse: { _ in answers.send(()) }, onFailure: { _ in answers.send(()) }))
            _ = await answers.next()
        case .selectedProvider: _ = await enabler.selectedProvider()
        case .metadata: _ = await enabler.metadata(.deviceID)
        case .signOut: _ = await enabler.signOut()
        }
    }
}

@Suite("shutDown answers", .box, .timeLimit(.minutes(5)))
struct ShutDownTests {
    @Test("a call that is made after it", .configured, arguments: AwaitedCall.allCases)
    func after(call: AwaitedCall) async throws {
        await application.enabler.shutDown()
        await call.make(application.enabler)
    }

    @Test("a call that waits for a configuration", arguments: AwaitedCall.allCases)
    func keptBack(call: AwaitedCall) async throws {
        let (application, held) = try await box.configuring(service)
        async let answered: Void = call.make(application.enabler)
        await application.taken()
        await application.enabler.shutDown()
        await answered
        held.open()
    }

    @Test(
        "a call whose server does not answer", .signedIn,
        arguments: [
            (AwaitedCall.authorize, "/adobe-services/authorize"),
            (.preauthorizedResources, "/adobe-services/preauthorize"),
            (.preauthorize, "/adobe-services/preauthorize"),
            (.preauthorizeWithCallback, "/adobe-services/preauthorize"),
            (.signOut, "/adobe-services/logout"), (.configure, "/api/v1/config/"),
        ])
    func atServer(call: AwaitedCall, path: String) async throws {
        let held = service.hold(path)
        async let answered: Void = call.make(application.enabler)
        await held.reached()
        await application.enabler.shutDown()
        await answered
        held.open()
    }

    @Test(
        "who awaits a login, at the picker, at a code and in its pause, and at a page",
        arguments: [AwaitedCall.authenticate, .authorizeAfterLogin],
        ["displayProviderDialog", "REGCODE", "pause", "navigateToUrl"])
    func inLogin(call: AwaitedCall, until stage: String) async throws {
        service.set { $0.holds = stage != "pause" }
        let application = try await box.application(service) {
            if stage == "navigateToUrl" { $0.interaction = .userAgent }
        }
        if stage != "displayProviderDialog" { await application.enabler.selectProvider("CableNova") }
        async let answered: Void = call.make(application.enabler)
        if stage == "pause" {
            await box.clock.isSlept(for: .seconds(5))
        } else {
            await application.recorder.wait(for: stage)
        }
        await application.enabler.shutDown()
        await answered
    }

    @Test func `who awaits the platform's dialog`() async throws {
        let stage = try await PlatformStage().configured()
        async let outcome = stage.enabler.authenticate()
        await stage.recorder.wait(for: "presentTvProviderDialog")
        await stage.end()
        #expect(await outcome == .notAuthenticated(code: GENERIC_AUTHENTICATION_ERROR))
    }

    @Test func `who awaits a logout in the browser`() async throws {
        service.set { $0.logoutURL = "https://tv.example/logout" }
        let application = try await box.inBrowser(service)
        _ = try await application.openPage()
        service.confirm()
        _ = await application.enabler.completeNavigation(AccessEnabler.RedirectURL.adobePass)
        async let outcome = application.enabler.signOut()
        await box.clock.isSlept(for: .seconds(30))
        await application.enabler.shutDown()
        #expect(await outcome.areTokensCleared == false)
    }

    @Test func `a call that waits for an account whose keeper hangs`() async throws {
        let platform = PlatformSpy(AccessEnabler.MemoryPlatformSSO { _, _ in nil })
        service.set { $0.providers = [.platform("CableNova")] }
        let application = try await box.application(service) { $0.platformSSO = platform }
        platform.hang()
        async let outcome = application.enabler.authenticate()
        await application.taken()
        await application.enabler.shutDown()
        #expect(await outcome == .notAuthenticated(code: GENERIC_AUTHENTICATION_ERROR))
        platform.end()
    }

    @Test(
        "nothing keeps an object alive that an application let go of while a code is on show", arguments: [false, true])
    func deallocation(givesBackMemory: Bool) async throws {
        let (asked, home) = (service, box)
        weak var gone: AccessEnabler?
        // Kept by no fixture.
        gone = try await LentBox.$current.withValue(nil) {
            try await home.polling(asked) { $0.givesBackMemoryWhilePolling = givesBackMemory }.enabler
        }
        // The pause ends; nothing is left that would ask next.
        box.clock.advance(by: .seconds(5))
        while gone != nil { await Task.yield() }
    }
}

@Suite("Cancelling the task that awaits", .box, .timeLimit(.minutes(5)))
struct CancelledCallTests {
    @Test(
        "any call that waits for a configuration answers it",
        arguments: AwaitedCall.allCases.filter {
            // The callback of this one belongs to no task.
            $0 != .preauthorizeWithCallback
        })
    func keptBack(call: AwaitedCall) async throws {
        let (application, held) = try await box.configuring(service)
        let task = Task { await call.make(application.enabler) }
        await application.taken()
        task.cancel()
        await task.value
        held.open()
        await application.enabler.shutDown()
    }

    @Test("an authorization ends the login that was begun for it, and no other", .configured, arguments: [true, false])
    func authorization(begins: Bool) async throws {
        if !begins { await application.showPicker() }
        let task = Task { await application.failure(of: "r", authenticateIfNeeded: true) }
        if begins { await application.recorder.wait(for: "displayProviderDialog") } else { await application.taken() }
        task.cancel()
        #expect(await task.value?.code == GENERIC_AUTHORIZATION_ERROR)
        await application.settle()
        #expect(application.outcomes == (begins ? [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)] : []))
        await application.enabler.shutDown()
    }

    @Test(.signedIn) func `a token that another waits for as well fails the other in nothing`() async throws {
        box.clock.advance(by: .seconds(86_400))
        let held = service.hold("/o/client/token")
        let first = Task { await application.enabler.preauthorize(PreauthorizeRequest(resources: ["a"])) }
        await held.reached()
        let second = Task { await application.enabler.preauthorize(PreauthorizeRequest(resources: ["b"])) }
        await application.taken()
        first.cancel()
        _ = await first.value
        held.open()
        #expect(await second.value.decisions.map(\.id) == ["b"])
        await application.enabler.shutDown()
    }
}
