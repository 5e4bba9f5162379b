import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("After a failed configuration phase", .box, .timeLimit(.minutes(5)))
struct FailedPhaseTests {
    /// The callbacks of what is called while a phase is held that then fails.
    private func queued(_ call: (AccessEnabler) -> Void) async throws -> (TestApplication, [Callback]) {
        service.answer("/api/v1/config/", with: .response(503))
        let (application, held) = try await box.configuring(service)
        call(application.enabler)
        await application.taken()
        #expect(application.recorder.everything == [])
        held.open()
        await application.settle()
        try #require(application.recorder.callbacks.first == .notConfigured)
        return (application, application.recorder.callbacks.dropFirst().dropLast())
    }

    private func failed() async throws -> TestApplication {
        let (application, callbacks) = try await self.queued { _ in }
        try #require(callbacks == [])
        return application
    }

    @Test func `T-068 T-069 T-070 every queued call fails in its own way`() async throws {
        let (application, callbacks) = try await self.queued { enabler in
            enabler.checkAuthentication()
            enabler.getAuthorization("r")
            enabler.checkAuthorization("s")
            enabler.checkPreauthorizedResources(["r"])
            enabler.getAuthentication()
            enabler.setSelectedProvider("CableNova")
            enabler.setSelectedProvider(nil)
            enabler.getMetadata([METADATA_OPCODE_KEY: .opcode(METADATA_DEVICE_ID)])
            enabler.getSelectedProvider()
            enabler.logout()
        }
        let expected: [[String]] = [
            ["setAuthenticationStatus", "0", "Generic Authentication Error"],
            ["tokenRequestFailed", "r", GENERIC_AUTHORIZATION_ERROR],
            ["tokenRequestFailed", "s", GENERIC_AUTHORIZATION_ERROR], ["preauthorizedResources", ""],
            ["setAuthenticationStatus", "0", GENERIC_AUTHENTICATION_ERROR],
            ["setAuthenticationStatus", "0", GENERIC_AUTHENTICATION_ERROR],
            ["setAuthenticationStatus", "0", PROVIDER_NOT_SELECTED_ERROR], ["setMetadataStatus", "2"],
            ["selectedProvider", "nil"], ["setAuthenticationStatus", "0", USER_NOT_AUTHENTICATED_ERROR],
        ]
        #expect(callbacks.map { Array(([$0.name] + $0.arguments).prefix(3)) } == expected)
        #expect(application.recorder.metadata.map { $0.value == nil && !$0.encrypted } == [true])
    }

    @Test func `a queued logout still clears the store`() async throws {
        _ = try await box.signedIn(service)
        _ = try await self.queued { $0.logout() }
        #expect(try !box.folder.read("state/store.json").contains("simpleAuthenticationToken"))
    }

    @Test("T-010 T-071 a new checkAuthentication fails without waiting, and sends TRACKING_AUTHENTICATION")
    func failsAtOnce() async throws {
        _ = try await box.signedIn(service)
        let application = try await self.failed()
        let requests = service.requests.count
        #expect(
            await application.enabler.authenticationStatus() == .notAuthenticated(code: GENERIC_AUTHENTICATION_ERROR))
        #expect(application.recorder.callbacks.last == .notAuthenticated(GENERIC_AUTHENTICATION_ERROR))
        #expect(service.requests.count == requests)
        #expect(application.recorder.tracked(TRACKING_AUTHENTICATION).map(\.first) == ["false"])
    }

    @Test func `T-072 a successful setRequestor makes checkAuthentication work again`() async throws {
        _ = try await box.signedIn(service)
        let application = try await self.failed()
        application.enabler.setRequestor(TestBox.requestor)
        application.enabler.checkAuthentication()
        await application.settle()
        #expect(application.recorder.callbacks.suffix(3).prefix(2) == [.configured, .authenticated])
    }

    @Test func `T-073 preauthorize without configuration calls onFailure with requestor_not_configured`() async throws {
        let fresh = try box.start(service)
        let application = try await self.failed()
        for enabler in [fresh.enabler, application.enabler] {
            let answer = await withCheckedContinuation { continuation in
                enabler.preauthorize(
                    PreauthorizeRequest(resources: ["r"]),
                    didCompleteWith: AccessEnablerCallback(
                        onResponse: { continuation.resume(returning: (isFailure: false, response: $0)) },
                        onFailure: { continuation.resume(returning: (isFailure: true, response: $0)) }))
            }
            #expect(answer.isFailure && answer.response.status?.code == "requestor_not_configured")
            #expect(answer.response.decisions == [])
        }
    }
}
