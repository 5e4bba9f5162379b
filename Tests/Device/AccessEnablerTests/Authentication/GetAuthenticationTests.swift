import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("getAuthentication", .box, .timeLimit(.minutes(5)))
struct GetAuthenticationTests {
    /// A box whose token of CableNova ran out.
    private static func expired(
        _ service: ScriptedService, _ box: TestBox, _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        service.set { $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000" }
        let application = try await box.signedIn(service, change)
        box.clock.advance(by: .seconds(7200))
        #expect(await application.enabler.authenticationStatus() == nobody)
        return application
    }

    @Test("T-080 getAuthentication of an authenticated user reports status 1 without a picker", .signedIn)
    func authenticated() async throws {
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
        await application.settle()
        #expect(application.outcomes == [.authenticated, .authenticated])
        #expect(application.recorder.count("displayProviderDialog") == 0)
        #expect(application.recorder.statuses("REGCODE").count == 1)
    }

    @Test("T-081 getAuthentication with forceAuthn starts the flow for an authenticated user", .signedIn)
    func forced() async throws {
        application.enabler.getAuthentication(true, withData: nil)
        await application.recorder.wait(for: "REGCODE", count: 2)
        #expect(application.outcomes == [.authenticated])
        service.confirm()
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
        #expect(application.outcomes == [.authenticated, .authenticated])
    }

    @Test(.signedIn) func `T-082 Cancelling a forced flow leaves the earlier token valid`() async throws {
        let before = try box.image()
        await application.enabler.selectProvider("SatOne")
        application.enabler.getAuthentication(true, withData: nil)
        await application.recorder.wait(for: "REGCODE", count: 2)
        await application.enabler.selectProvider(nil)
        #expect(application.outcomes.last == .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR))
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(try box.image().requestors == before.requestors)
    }

    @Test("T-083 T-084 An unauthenticated user without a remembered provider gets displayProviderDialog with all MVPDs")
    func pickerLists() async throws {
        let service = try ScriptedService {
            $0.providers = [.init("C"), .platform("A"), .pass("B"), .init("D") { $0.isPerRequestor = true }]
        }
        let application = try await box.application(service)
        await application.showPicker()
        #expect(application.recorder.callbacks == [.configured, Callback("displayProviderDialog", "C,A,B,D")])
    }

    @Test func `T-085 With a cached MVPD and canAuthenticate true no picker is shown`() async throws {
        let application = try await Self.expired(service, box)
        let branch = try box.image()[requestor: TestBox.requestor]
        #expect(branch.currentMvpd == "CableNova" && branch.canAuthenticate)
        service.set { $0.holds = false }
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "REGCODE", count: 2)
        #expect(application.recorder.count("displayProviderDialog") == 0)
        #expect(service.last("/reggie/")?.form["mvpd"] == "CableNova")
        // The end of the library in the pause after a question about the code is no failed attempt.
        await box.clock.isSlept(for: .seconds(5))
        await application.enabler.shutDown()
        await application.enabler.lastPolling?.value()
        #expect(try box.image()[requestor: TestBox.requestor] == branch)
    }

    @Test(.signedIn) func `T-086 With a cached MVPD and canAuthenticate false the picker is shown`() async throws {
        // The server takes the sign-in back: its provider stays known, and is not used by itself, nor is the former.
        try await application.signIn(service, provider: "SatOne", force: true)
        service.revoke()
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await application.enabler.authorize("r") }
        try await application.roundTrip()
        let branch = try box.image()[requestor: TestBox.requestor]
        #expect(branch.currentMvpd == "SatOne" && !branch.canAuthenticate && branch.mvpds.isEmpty)
        await application.showPicker()
    }

    @Test(.configured) func `T-087 With an MVPD pre-selected by setSelectedProvider no picker is shown`() async throws {
        application.enabler.setSelectedProvider("SatOne")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "REGCODE")
        #expect(application.recorder.count("displayProviderDialog") == 0)
        #expect(service.last("/reggie/")?.form["mvpd"] == "SatOne")
    }

    @Test(.signedIn) func `T-088 After an explicit logout the picker is shown`() async throws {
        application.enabler.logout()
        await application.showPicker()
    }

    @Test func `T-089 After a failed attempt the picker is shown, and the end of the sign-in is known`() async throws {
        let application = try await Self.expired(service, box)
        service.answer("/reggie/", with: .response(500))
        #expect(await application.enabler.authenticate() == .notAuthenticated(code: GENERIC_AUTHENTICATION_ERROR))
        #expect(application.recorder.count("displayProviderDialog") == 0)
        #expect(await application.enabler.signInEnding(of: TestBox.requestor) == .expired)
        await application.showPicker()
    }

    @Test func `T-090 A cached MVPD that left the list does not suppress the picker`() async throws {
        let application = try await Self.expired(service, box)
        service.set { $0.providers = [.init("SatOne")] }
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(try box.image()[requestor: TestBox.requestor].currentMvpd == "CableNova")
        await application.showPicker()
        #expect(application.recorder.callbacks.last == Callback("displayProviderDialog", "SatOne"))
    }

    @Test func `T-091 With reusesRememberedProvider false the picker is shown despite a cached MVPD`() async throws {
        let application = try await Self.expired(service, box) { $0.reusesRememberedProvider = false }
        #expect(try box.image()[requestor: TestBox.requestor].canAuthenticate)
        await application.showPicker()
    }

    @Test("T-110 T-111 Two calls in one flow show one picker, and end with one setAuthenticationStatus", .configured)
    func joinedEnd() async throws {
        application.enabler.getAuthentication()
        async let outcome = application.enabler.authenticate()
        await application.settle()
        #expect(application.recorder.count("displayProviderDialog") == 1)
        await application.choose()
        application.enabler.getAuthentication()
        await application.settle()
        service.confirm()
        #expect(await outcome == .authenticated(mvpdID: "CableNova"))
        await application.settle()
        #expect(application.outcomes == [.authenticated])
    }

    @Test("T-112 data of getAuthentication reaches the backend", arguments: [false, true])
    func data(inBrowser: Bool) async throws {
        let application = try await box.application(service) { if inBrowser { $0.interaction = .userAgent } }
        application.enabler.setSelectedProvider("CableNova")
        application.enabler.getAuthentication(false, withData: ["email": "a b&c", "tier": "\"2\""])
        await application.recorder.wait(for: inBrowser ? "navigateToUrl" : "REGCODE")
        let data = #"{"email":"a b&c","tier":"\"2\""}"#
        #expect(service.last("/reggie/")?.form["generic_data"] == data)
        if inBrowser {
            let url = try #require(application.recorder.callbacks.last?.arguments.first)
            #expect(query(of: url)["generic_data"] == data)
        }
    }

    @Test func `T-113 An empty MVPD list reports PROVIDER_NOT_AVAILABLE_ERROR`() async throws {
        let application = try await box.application(service.set { $0.providers = [] })
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.callbacks.last == .notAuthenticated(PROVIDER_NOT_AVAILABLE_ERROR))
        #expect(application.recorder.count("displayProviderDialog") == 0)
    }

    @Test func `A login for an authorization that fails at once is reported once`() async throws {
        let application = try await box.application(service.set { $0.providers = [] })
        application.enabler.getAuthorization("r")
        await application.recorder.wait(for: "tokenRequestFailed")
        await application.settle()
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_AVAILABLE_ERROR)])
        #expect(
            application.recorder.callbacks.contains(
                Callback("tokenRequestFailed", "r", USER_NOT_AUTHENTICATED_ERROR, "")))
    }

    @Test func `What is asked while a login is being ended is answered after that end`() async throws {
        let store = SpiedStore()
        let application = try await box.application(service) { $0.tokenStore = store }
        await application.showPicker()
        store.hold(.before)
        service.answer("/reggie/", with: .response(500))
        application.enabler.setSelectedProvider("CableNova")
        _ = await store.held.next()
        application.enabler.getAuthentication()
        store.release()
        await application.recorder.wait(for: "displayProviderDialog", count: 2)
        let expected = [
            "setRequestorComplete", "displayProviderDialog", "setAuthenticationStatus", "displayProviderDialog",
        ]
        #expect(application.recorder.callbacks.map(\.name) == expected)
    }
}
