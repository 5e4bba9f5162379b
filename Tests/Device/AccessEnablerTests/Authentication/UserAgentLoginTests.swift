import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("A login in a browser", .inBrowser, .timeLimit(.minutes(5)))
struct UserAgentLoginTests {
    /// An application that came back from the page, and whose only request for the token is held.
    private func asking() async throws -> (application: TestApplication, transport: SpiedTransport) {
        let transport = SpiedTransport()
        let application = try await box.inBrowser(service) { $0.transport = transport }
        _ = try await application.openPage()
        #expect(service.count(of: sessionPath) == 0)
        service.confirm()
        transport.hold(sessionPath)
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        _ = await transport.held.next()
        return (application, transport)
    }

    @Test func `T-093 UA: choosing a provider calls navigateToUrl once`() async throws {
        let url = try await application.openPage()
        try await application.roundTrip()
        #expect(application.recorder.count("navigateToUrl") == 1)
        #expect(application.recorder.count("navigateToUrl:useSVC:") == 0)
        let query = query(of: url)
        #expect(query["mso_id"] == "CableNova" && query["requestor_id"] == TestBox.requestor)
        #expect(query["redirect_url"] == ADOBEPASS_REDIRECT_URL)
        #expect(application.recorder.statuses("REGCODE").isEmpty)
    }

    @Test func `T-094 UA: the URL belongs to the service provider bound to the MVPD`() async throws {
        let first = try ScriptedService { $0.providers = [.init("CableNova")] }
        let second = try ScriptedService { $0.providers = [.init("SatOne")] }
        let application = try box.start(first) { $0.interaction = .userAgent }
        try await application.enabler.configure(
            requestorID: TestBox.requestor, serviceProviders: [first.url, second.url])
        #expect(try await application.openPage("CableNova").hasPrefix(first.url + "/"))
        #expect(try await application.navigate("SatOne").hasPrefix(second.url + "/"))
    }

    @Test(
        "T-095 T-096 T-097 UA: ADOBEPASS_REDIRECT_URL makes one token request; then status 1 is reported, the token kept"
    )
    func success() async throws {
        let (application, transport) = try await self.asking()
        await application.settle()
        #expect(application.outcomes.isEmpty)
        transport.release()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated])
        let branch = try box.image()[requestor: TestBox.requestor]
        #expect(branch.mvpds["CableNova"]?.authn?.xml.contains("<simpleTokenMsoID>CableNova<") == true)
        #expect(branch.currentMvpd == "CableNova" && branch.canAuthenticate)
        try await application.roundTrip()
        #expect(service.count(of: sessionPath) == 1)
    }

    @Test(
        "T-098 UA: a failing token request reports status 0 with GENERIC_AUTHENTICATION_ERROR",
        arguments: [
            (ScriptedServer.Answer?.none, true), (.response(410), true), (.response(500), false), (.cutOff, false),
        ])
    func failing(answer: ScriptedServer.Answer?, isUnknown: Bool) async throws {
        _ = try await application.openPage()
        // Without an answer out of turn: nobody has signed in.
        if let answer { service.answer(sessionPath, with: answer) }
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        await application.recorder.wait(for: "setAuthenticationStatus")
        try await application.roundTrip()
        #expect(application.outcomes == [.notAuthenticated(GENERIC_AUTHENTICATION_ERROR)])
        #expect(application.recorder.statuses("N130").count == (isUnknown ? 1 : 0))
        #expect(try box.image().requestors[TestBox.requestor] == nil)
    }

    @Test(arguments: [
        "https://ios.app", "adobepass://ios.apple", "adobepass://other.app", "adobepass:ios.app", "",
        "xadobepass://ios.app", "adbe.u-XFX://adobe.com",
    ])
    func `T-099 handleExternalURL with another URL does nothing`(url: String) async throws {
        let application = try await box.inBrowser(service) { $0.customScheme = "adbe.u-XFX" }
        _ = try await application.openPage()
        service.confirm()
        application.enabler.handleExternalURL(url)
        try await application.roundTrip()
        #expect(application.outcomes.isEmpty && service.count(of: sessionPath) == 0)
        // The navigation goes on.
        application.enabler.handleExternalURL("ADOBEPASS://iOS.app?a=b#c")
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated])
    }

    @Test func `T-100 A second handleExternalURL for the same navigation makes no second token request`() async throws {
        let (application, transport) = try await self.asking()
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        try await application.roundTrip()
        transport.release()
        await application.recorder.wait(for: "setAuthenticationStatus")
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        try await application.roundTrip()
        #expect(service.count(of: sessionPath) == 1 && application.outcomes == [.authenticated])
    }

    @Test func `T-101 handleExternalURL without a navigation makes no callback`() async throws {
        let before = application.recorder.everything
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        #expect(
            await application.enabler.completeNavigation(ADOBEPASS_REDIRECT_URL)
                == .notAuthenticated(code: GENERIC_AUTHENTICATION_ERROR))
        #expect(application.recorder.everything == before && service.count(of: sessionPath) == 0)
    }

    @Test("T-106 After setSelectedProvider(nil) during navigation a late handleExternalURL is ignored")
    func lateURL() async throws {
        _ = try await application.openPage()
        service.confirm()
        await application.enabler.selectProvider(nil)
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        try await application.roundTrip()
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        #expect(service.count(of: sessionPath) == 0)
    }

    @Test func `T-118 The deprecated getAuthenticationToken completes a pending login`() async throws {
        _ = try await application.openPage()
        service.confirm()
        (application.enabler as any FormerTokenCall).getAuthenticationToken()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated] && service.count(of: sessionPath) == 1)
    }

    @Test func `The answer to a token request that was sent before a cancel is discarded`() async throws {
        let (application, transport) = try await self.asking()
        await application.enabler.selectProvider(nil)
        transport.release()
        try await application.roundTrip()
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        #expect(try box.image().requestors[TestBox.requestor]?.mvpds.isEmpty ?? true)
    }
}

/// Calls that are deprecated, without the warning.
private protocol FormerTokenCall { func getAuthenticationToken() }

extension AccessEnabler: FormerTokenCall {}
