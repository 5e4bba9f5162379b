import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("An authorization while nobody is signed in", .configured, .timeLimit(.minutes(5)))
struct UnauthenticatedAuthorizationTests {
    @Test(
        "T-195 T-196 T-197 T-198 checkAuthorization reports status 0, then its failure with that code, and shows no picker"
    )
    func order() async throws {
        application.enabler.checkAuthorization("r")
        await application.settle()
        #expect(service.count(of: "/adobe-services/") == 0)
        #expect(USER_NOT_AUTHENTICATED_ERROR == "User Not Authenticated Error")
        #expect(
            application.recorder.callbacks.prefix(3) == [
                .configured, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR),
                Callback("tokenRequestFailed", "r", USER_NOT_AUTHENTICATED_ERROR, ""),
            ])
        #expect(application.recorder.count("tokenRequestFailed") == 1 && application.recorder.count("setToken") == 0)
        #expect(
            application.recorder.count("displayProviderDialog") == 0 && application.recorder.statuses("REGCODE").isEmpty
        )
    }

    @Test func `T-199 T-200 getAuthorization shows the picker, and goes on to setToken after the login`() async throws {
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

    @Test func `T-201 getAuthorization with a cancelled login calls tokenRequestFailed`() async throws {
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
