import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("An authorization while nobody is signed in", .box, .timeLimit(.minutes(5)))
struct UnauthenticatedAuthorizationTests {
    private func afterCheck() async throws -> Recorder {
        let application = try await box.application(service)
        application.enabler.checkAuthorization("r")
        await application.settle()
        #expect(service.count(of: "/adobe-services/") == 0)
        await application.enabler.shutDown()
        return application.recorder
    }

    @Test("T-195 checkAuthorization without authentication calls tokenRequestFailed")
    func failure() async throws {
        let recorder = try await self.afterCheck()
        #expect(recorder.count("tokenRequestFailed") == 1 && recorder.count("setToken") == 0)
    }

    @Test("T-196 checkAuthorization without authentication shows no picker")
    func noPicker() async throws {
        let recorder = try await self.afterCheck()
        #expect(recorder.count("displayProviderDialog") == 0 && recorder.statuses("REGCODE").isEmpty)
    }

    @Test("T-197 checkAuthorization without authentication uses code USER_NOT_AUTHENTICATED_ERROR")
    func code() async throws {
        let failures = try await self.afterCheck().callbacks.filter { $0.name == "tokenRequestFailed" }
        #expect(failures.map { $0.arguments.prefix(2) } == [["r", USER_NOT_AUTHENTICATED_ERROR]])
        #expect(USER_NOT_AUTHENTICATED_ERROR == "User Not Authenticated Error")
    }

    @Test("T-198 checkAuthorization without authentication calls setAuthenticationStatus with status 0 first")
    func order() async throws {
        let callbacks = try await self.afterCheck().callbacks
        #expect(
            callbacks.prefix(3) == [
                .configured, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR),
                Callback("tokenRequestFailed", "r", USER_NOT_AUTHENTICATED_ERROR, ""),
            ])
    }

    @Test("T-199 getAuthorization without authentication shows the picker")
    func picker() async throws {
        let application = try await box.application(service)
        application.enabler.getAuthorization("r")
        await application.recorder.wait(for: "displayProviderDialog")
        #expect(application.recorder.callbacks == [.configured, Callback("displayProviderDialog", "CableNova,SatOne")])
    }

    @Test("T-200 getAuthorization goes on to setToken after the login")
    func goesOn() async throws {
        let application = try await box.application(service)
        application.enabler.getAuthorization("r")
        await application.recorder.wait(for: "displayProviderDialog")
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "REGCODE")
        service.confirm()
        await application.recorder.wait(for: "setToken")
        #expect(
            application.recorder.callbacks.map(\.name) == [
                "setRequestorComplete", "displayProviderDialog", "setAuthenticationStatus", "setToken",
            ])
        #expect(application.recorder.callbacks.last?.arguments.last == "r")
    }

    @Test("T-201 getAuthorization with a cancelled login calls tokenRequestFailed")
    func cancelled() async throws {
        let application = try await box.application(service)
        application.enabler.getAuthorization("r")
        await application.recorder.wait(for: "displayProviderDialog")
        application.enabler.setSelectedProvider(nil)
        await application.recorder.wait(for: "tokenRequestFailed")
        #expect(
            application.recorder.callbacks.dropFirst(2).prefix(2) == [
                .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR),
                Callback("tokenRequestFailed", "r", USER_NOT_AUTHENTICATED_ERROR, ""),
            ])
    }

    @Test("An awaited authorization that signs in first ends with the token, or with the failure of the login")
    func awaited() async throws {
        let application = try await box.application(service)
        async let cancelled = application.failure(of: "r", authenticateIfNeeded: true)
        await application.recorder.wait(for: "displayProviderDialog")
        application.enabler.setSelectedProvider(nil)
        let failure = await cancelled
        #expect(failure?.code == USER_NOT_AUTHENTICATED_ERROR && failure?.resource == "r")
        await application.enabler.selectProvider("CableNova")
        async let token = application.enabler.authorize("r", authenticateIfNeeded: true)
        await application.recorder.wait(for: "REGCODE")
        service.confirm()
        #expect(try await token.resource == "r")
    }
}
