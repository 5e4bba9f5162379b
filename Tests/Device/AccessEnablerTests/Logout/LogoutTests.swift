import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("logout", .signedIn, .timeLimit(.minutes(5)))
struct LogoutTests {
    private let path = "/adobe-services/logout"

    @Test func `T-243 The store is empty before the logout request is sent`() async throws {
        _ = try await application.enabler.authorize("r")
        #expect(try box.image().authentications.count == 1)
        let sightings = Notes<Bool>()
        service.watch(self.path) { [box] request in
            let tokens = try? box.image()
            // The request itself still names the session.
            sightings.add(
                tokens?.requestors.isEmpty == true
                    && request.form["authentication_token"]?.contains("simpleAuthenticationToken") == true)
        }
        _ = await application.enabler.signOut()
        #expect(sightings.all == [true])
    }

    @Test func `T-244 Tokens of all requestors and MVPDs are gone`() async throws {
        _ = try await application.enabler.authorize("r")
        let other = try await box.application(service, requestor: "SOUTHSPORT")
        try await other.signIn(service, provider: "SatOne", force: true)
        let before = try box.image()
        #expect(before.mvpds("NORTHSPORT") == ["CableNova"] && before.mvpds("SOUTHSPORT") == ["SatOne"])
        #expect(before.requestors.count == 2 && before.authorizations.count == 1)
        _ = await application.enabler.signOut()
        let after = try box.image()
        #expect(after.authentications.isEmpty && after.authorizations.isEmpty && after.requestors.isEmpty)
        #expect(try !box.storedText.contains("simpleAuth"))
        #expect(await other.enabler.authenticationStatus() != .authenticated(mvpdID: "SatOne"))
    }

    private func afterLogout(_ change: (inout ScriptedService.Behaviour) -> Void = { _ in }) async throws -> Recorder {
        let service = try ScriptedService(change)
        // A library that opens a page here is not to wait for its end.
        let application = try await TestBox().signedIn(service) { $0.logoutNavigationTimeout = .zero }
        application.enabler.logout()
        await application.settle()
        await application.enabler.shutDown()
        return application.recorder
    }

    @Test(.box) func `T-245 T-246 Status 0 with USER_NOT_AUTHENTICATED_ERROR is reported`() async throws {
        #expect(
            try await self.afterLogout().callbacks.filter { $0.name == "setAuthenticationStatus" }
                == [.authenticated, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR)])
    }

    @Test(.box) func `T-247 2S: no navigation callback is made`() async throws {
        let recorder = try await self.afterLogout { $0.logoutURL = "https://tve.example.net/logout" }
        #expect(recorder.count("setAuthenticationStatus") == 2)
        #expect(!recorder.callbacks.contains { $0.name.hasPrefix("navigateToUrl") })
    }

    @Test(arguments: [nil, 500, 401, 403, 410, 429] as [Int?])
    func `T-252 A failing server call still reports status 0`(status: Int?) async throws {
        service.answer(self.path, with: status.map { .response($0) } ?? .close, times: 20)
        let outcome = await application.enabler.signOut()
        #expect(!outcome.requiresSystemSignOut && service.count(of: self.path) > 0)
        #expect(
            application.recorder.callbacks.filter { $0.name == "setAuthenticationStatus" } == [
                .authenticated, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR),
            ])
        #expect(try box.image().authentications.isEmpty)
    }

    @Test(.box) func `T-254 After a regular login logout reports no VSA203`() async throws {
        let service = try ScriptedService { $0.providers = [.platform("CableNova"), .platform("SatOne", "PICKER")] }
        let platform = AccessEnabler.MemoryPlatformSSO { _, _ in nil }
        // The platform is there, but nobody is signed in with it.
        let application = try await box.signedIn(service, provider: "SatOne") { $0.platformSSO = platform }
        let outcome = await application.enabler.signOut()
        #expect(!outcome.requiresSystemSignOut && application.recorder.statuses("VSA203").isEmpty)
    }

    @Test(.configured) func `T-256 logout without authentication makes no server call`() async throws {
        let before = service.requests.count
        _ = await application.enabler.signOut()
        #expect(service.requests.count == before)
        #expect(application.recorder.callbacks.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test("T-257 T-258 The client credentials survive a logout, and getSelectedProvider delivers nil after it")
    func credentials() async throws {
        application.enabler.getSelectedProvider()
        application.enabler.logout()
        application.enabler.getSelectedProvider()
        await application.settle()
        #expect(
            application.recorder.callbacks.filter { $0.name == "selectedProvider" }.prefix(2) == [
                Callback("selectedProvider", "CableNova"), Callback("selectedProvider", "nil"),
            ])
        #expect(try box.storedText.contains("secret-"))
        await application.enabler.shutDown()
        // The next run of the application signs in with the registration of the first.
        _ = try await box.signedIn(service)
        #expect(service.count(of: "/o/client/register") == 1)
    }

    @Test(.configured) func `A logout while a login runs stops it, and makes no callback but its own`() async throws {
        await application.enabler.selectProvider("CableNova")
        async let outcome = application.enabler.authenticate()
        await application.recorder.wait(for: "REGCODE")
        application.enabler.logout()
        #expect(await outcome == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
        await application.settle()
        #expect(
            application.recorder.callbacks.prefix(2) == [
                .configured, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR),
            ])
        #expect(application.recorder.count("setAuthenticationStatus") == 1)
    }
}

@Suite("logout after a sign-in with the box's account", .box, .timeLimit(.minutes(5)))
struct PlatformLogoutTests {
    private func signedIn(_ service: ScriptedService, _ box: TestBox) async throws -> TestApplication {
        service.set { $0.providers = [.platform("CableNova")] }
        let platform = AccessEnabler.MemoryPlatformSSO(provider: "platform-CableNova") { _, _ in "PHNhbWwvPg==" }
        let application = try await box.application(service) { $0.platformSSO = platform }
        try #require(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        return application
    }

    @Test func `T-253 T-255 reports VSA203, and the next setRequestor authenticates the user again`() async throws {
        let application = try await self.signedIn(service, box)
        #expect(application.recorder.statuses("VSA203").isEmpty)
        #expect(await application.enabler.signOut().requiresSystemSignOut)
        #expect(application.recorder.statuses("VSA203") == [["errorId": "VSA203", "level": "info"]])
        #expect(await application.enabler.authenticationStatus() == nobody)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(service.count(of: "/adobe-services/platform") == 2)
    }

    @Test func `A logout whose store cannot be written says so, and ends the sign-in at the server`() async throws {
        let store = SpiedStore()
        let application = try await box.signedIn(service) { $0.tokenStore = store }
        store.refuse()
        let outcome = await application.enabler.signOut()
        #expect(!outcome.areTokensCleared && service.count(of: "/adobe-services/logout") == 1)
        #expect(application.recorder.codes.last == "500")
        #expect(application.outcomes.last == .notAuthenticated(AccessEnablerError.internalAuthentication))
    }
}
