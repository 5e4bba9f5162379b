import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("After a failed configuration phase", .box, .timeLimit(.minutes(5)))
struct FailedPhaseTests {
    /// The callbacks of what is called while a phase is held that then fails.
    private func queued(_ call: (AccessEnabler) -> Void) async throws -> (TestApplication, [Callback]) {
        let held = service.hold("/api/v1/config/")
        service.answer("/api/v1/config/", with: .response(503))
        let application = try box.start(service)
        application.enabler.setRequestor(TestBox.requestor)
        await held.reached()
        call(application.enabler)
        await application.taken()
        #expect(application.recorder.everything == [])
        held.open()
        await application.settle()
        try #require(application.recorder.callbacks.first == .notConfigured)
        return (application, application.recorder.callbacks.dropFirst().dropLast())
    }

    /// An application whose phase failed.
    private func failed() async throws -> TestApplication {
        let (application, callbacks) = try await self.queued { _ in }
        try #require(callbacks == [])
        return application
    }

    @Test("T-068 a queued checkAuthentication reports status 0 with GENERIC_AUTHENTICATION_ERROR")
    func check() async throws {
        let (_, callbacks) = try await self.queued { $0.checkAuthentication() }
        #expect(callbacks == [.notAuthenticated("Generic Authentication Error")])
    }

    @Test("T-069 a queued getAuthorization calls tokenRequestFailed")
    func authorization() async throws {
        let (_, callbacks) = try await self.queued {
            $0.getAuthorization("r")
            $0.checkAuthorization("s")
        }
        #expect(callbacks.map(\.name) == ["tokenRequestFailed", "tokenRequestFailed"])
        #expect(callbacks.map { Array($0.arguments.prefix(2)) } == ["r", "s"].map { [$0, GENERIC_AUTHORIZATION_ERROR] })
    }

    @Test("T-070 a queued checkPreauthorizedResources delivers an empty list")
    func preauthorized() async throws {
        let (_, callbacks) = try await self.queued { $0.checkPreauthorizedResources(["r"]) }
        #expect(callbacks == [Callback("preauthorizedResources", "")])
    }

    @Test("every other queued call fails in its own way")
    func others() async throws {
        let (application, callbacks) = try await self.queued { enabler in
            enabler.getAuthentication()
            enabler.setSelectedProvider("CableNova")
            enabler.setSelectedProvider(nil)
            enabler.getMetadata([METADATA_OPCODE_KEY: .opcode(METADATA_DEVICE_ID)])
            enabler.getSelectedProvider()
            enabler.logout()
        }
        #expect(
            callbacks == [
                .notAuthenticated(GENERIC_AUTHENTICATION_ERROR), .notAuthenticated(GENERIC_AUTHENTICATION_ERROR),
                .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR), Callback("setMetadataStatus", "2"),
                Callback("selectedProvider", "nil"), .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR),
            ])
        #expect(application.recorder.metadata.map { $0.value == nil && !$0.encrypted } == [true])
    }

    @Test("a queued logout still clears the store")
    func logout() async throws {
        _ = try await box.signedIn(service)
        _ = try await self.queued { $0.logout() }
        #expect(try !box.folder.read("state/store.json").contains("simpleAuthenticationToken"))
    }

    @Test("T-071 a new checkAuthentication fails without waiting")
    func failsAtOnce() async throws {
        _ = try await box.signedIn(service)
        let application = try await self.failed()
        let requests = service.requests.count
        #expect(
            await application.enabler.authenticationStatus() == .notAuthenticated(code: GENERIC_AUTHENTICATION_ERROR))
        #expect(application.recorder.callbacks.last == .notAuthenticated(GENERIC_AUTHENTICATION_ERROR))
        #expect(service.requests.count == requests)
    }

    @Test("T-072 a successful setRequestor makes checkAuthentication work again")
    func recovery() async throws {
        _ = try await box.signedIn(service)
        let application = try await self.failed()
        application.enabler.setRequestor(TestBox.requestor)
        application.enabler.checkAuthentication()
        await application.settle()
        #expect(application.recorder.callbacks.suffix(3).prefix(2) == [.configured, .authenticated])
    }

    @Test("T-073 preauthorize without configuration calls onFailure with requestor_not_configured")
    func preauthorize() async throws {
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

    @Test("T-010 checkAuthentication sends TRACKING_AUTHENTICATION also when there is no configuration")
    func tracked() async throws {
        let application = try await self.failed()
        _ = await application.enabler.authenticationStatus()
        #expect(application.recorder.tracked(TRACKING_AUTHENTICATION).map(\.first) == ["false"])
    }
}
