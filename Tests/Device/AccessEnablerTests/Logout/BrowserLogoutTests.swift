import AccessEnabler
import AccessEnablerConstants
import Lending
import TestSupport
import Testing

@Suite("logout of an application that opens browsers", .signedInInBrowser, .timeLimit(.minutes(5)))
struct BrowserLogoutTests {
    private static let page = "https://tve.example.net/logout?session=1&next=a%20b"
    private static let limit = Duration.seconds(30)

    /// An application in `.userAgent` mode that is signed in, and whose logout has a page.
    fileprivate static func signedIn(_ box: TestBox, _ service: ScriptedService) async throws -> TestApplication {
        service.set { $0.logoutURL = Self.page }
        let application = try await box.inBrowser(service)
        await application.enabler.selectProvider("CableNova")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "navigateToUrl")
        service.confirm()
        let outcome = await application.enabler.completeNavigation(AccessEnabler.RedirectURL.adobePass)
        try #require(outcome == .authenticated(mvpdID: "CableNova"))
        return application
    }

    @Test func `T-248 UA: navigateToUrl is called with the logout endpoint`() async throws {
        application.enabler.logout()
        await application.recorder.wait(for: "navigateToUrl", count: 2)
        #expect(application.recorder.callbacks.last == Callback("navigateToUrl", Self.page))
    }

    @Test(.box) func `UA: a provider that asks for a secure browser signs out in one`() async throws {
        let service = try ScriptedService { behaviour in
            behaviour.providers = [ScriptedProvider("CableNova") { $0.metadata = #""secureBrowserRequired":true"# }]
            behaviour.logoutURL = Self.page
        }
        let application = try await box.application(service) { configuration in
            configuration.interaction = .userAgent
            configuration.customScheme = "tv.example"
        }
        application.enabler.setOptions([AccessEnabler.OptionKey.handleSVC: .bool(true)])
        await application.enabler.selectProvider("CableNova")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "navigateToUrl:useSVC:")
        service.confirm()
        _ = await application.enabler.completeNavigation("tv.example://adobe.com")
        application.enabler.logout()
        await application.recorder.wait(for: "navigateToUrl:useSVC:", count: 2)
        #expect(application.recorder.callbacks.last == Callback("navigateToUrl:useSVC:", Self.page, "true"))
        application.enabler.handleExternalURL("TV.example://adobe.com?x=1")
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
    }

    @Test func `T-249 UA: the navigation request is marked invisible`() async throws {
        let events = application.enabler.events
        application.enabler.logout()
        var request: AccessEnabler.NavigationRequest?
        for await event in events {
            guard case .navigate(let found) = event else { continue }
            request = found
            break
        }
        #expect(request?.purpose == .logout && request?.isVisible == false)
        #expect(request?.completionURLPrefix == AccessEnabler.RedirectURL.adobePass)
    }

    @Test func `T-250 UA: status 0 comes after handleExternalURL`() async throws {
        application.enabler.logout()
        await box.clock.isSlept(for: Self.limit)
        // A URL that is not the end of it changes nothing.
        _ = await application.enabler.completeNavigation("https://tve.example.net/elsewhere")
        #expect(application.outcomes == [.authenticated])
        application.enabler.handleExternalURL(AccessEnabler.RedirectURL.adobePass)
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
        #expect(application.outcomes.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test func `T-251 UA: without handleExternalURL status 0 comes after the time limit`() async throws {
        application.enabler.logout()
        await box.clock.isSlept(for: Self.limit)
        box.clock.advance(by: .seconds(29))
        _ = await application.enabler.completeNavigation("https://tve.example.net/elsewhere")
        #expect(application.outcomes == [.authenticated])
        box.clock.advance(by: .seconds(1))
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
        #expect(application.outcomes.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
        // The end of the navigation comes too late, and is nobody's.
        _ = await application.enabler.completeNavigation(AccessEnabler.RedirectURL.adobePass)
        #expect(application.outcomes.count == 2)
    }

    @Test("9.7 UA: the server is told the provider, and where the browser goes in the end; 2S: no such place")
    func redirect() async throws {
        application.enabler.logout()
        await box.clock.isSlept(for: Self.limit)
        application.enabler.handleExternalURL(AccessEnabler.RedirectURL.adobePass)
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
        await application.enabler.shutDown()
        let second = try await TestBox().signedIn(service)
        _ = await second.enabler.signOut()
        await second.enabler.shutDown()
        let forms = service.requests.filter { $0.path == "/adobe-services/logout" }.map(\.form)
        #expect(forms.map { $0["mso_id"] } == ["CableNova", "CableNova"])
        #expect(forms.map { $0["redirect_url"] } == [AccessEnabler.RedirectURL.adobePass, nil])
    }

    @Test(
        "9.7 UA: where the server names no page nothing is opened, and status 0 does not wait",
        arguments: [
            .response(204), .response(500), .response(401), .cutOff,
            .response(200, body: "<result><logoutUrl>javascript:alert(1)</logoutUrl></result>"),
            .response(200, body: "<result></result>"),
        ] as [ScriptedServer.Answer])
    func noPage(answer: ScriptedServer.Answer) async throws {
        service.answer("/adobe-services/logout", with: answer, times: 20)
        // The clock of the box stands still: a wait for a browser would not end.
        let outcome = await application.enabler.signOut()
        #expect(outcome.areTokensCleared && application.recorder.count("navigateToUrl") == 1)
        #expect(application.outcomes.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
        #expect(service.count(of: "/adobe-services/logout") > 0)
    }
}

extension Trait where Self == Lending<LentBox> {
    fileprivate static var signedInInBrowser: Self {
        .making { try await BrowserLogoutTests.signedIn($0.box, $0.service) }
    }
}
