import AccessEnablerConstants
import HTTPClient
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("A code on show", .box, .timeLimit(.minutes(5)))
struct PatientPollingTests {
    @Test("outlives a step of the time of day", arguments: [Duration.seconds(28_800), .seconds(-28_800)])
    func clockStep(step: Duration) async throws {
        let application = try await box.polling(service.set { $0.codeExpires = 1_800_000_060_000 })
        box.clock.step(by: step)
        await application.confirmed(by: service)
        #expect(application.outcomes == [.authenticated])
    }

    @Test("T-334 A viewer who finishes in the last pause is signed in: the server is asked once more at the end")
    func lastPause() async throws {
        let application = try await box.polling(service.set { $0.codeExpires = 1_800_000_060_000 })
        service.confirm()
        box.clock.advance(by: .seconds(61))
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated])
    }

    @Test("T-134 2S: a token endpoint that is down while polling does not end the flow", arguments: [500, 503])
    func tokenEndpoint(status: Int) async throws {
        let application = try await box.polling(service)
        service.answer("/o/client/token", with: .response(status))
        // The token has run out meanwhile.
        box.clock.advance(by: .seconds(86_400))
        await box.clock.isSlept(for: .seconds(5))
        #expect(application.outcomes.isEmpty)
        await application.confirmed(by: service)
        #expect(application.outcomes == [.authenticated])
    }

    @Test func `tells of a lost connection when the second question in a row gets no answer`() async throws {
        let (service, box, news) = (try ScriptedService { $0.holds = false }, try TestBox(), Signal<String>())
        let application = try await box.application(service) {
            $0.pairingProgress = { progress in
                switch progress {
                case .connectionProblem: news.send("problem")
                case .connectionRestored: news.send("restored")
                default: break
                }
            }
        }
        await application.showCode()
        await box.clock.isSlept(for: .seconds(5))
        service.answer(sessionPath, with: .cutOff, times: 2)
        box.clock.advance(by: .seconds(5))
        await box.clock.isSlept(for: .seconds(5))
        box.clock.advance(by: .seconds(5))
        #expect(await news.next() == "problem")
        await box.clock.isSlept(for: .seconds(10))
        box.clock.advance(by: .seconds(10))
        #expect(await news.next() == "restored")
    }

    @Test("T-134 2S: a connection that is refused or breaks does not end the flow; an untrusted certificate does")
    func failures() async throws {
        for (failure, ends) in [
            (HTTPClientError.Code.connectionLost, false), (.unreachable, false), (.timedOut, false), (.tls, true),
        ] {
            let (service, box) = (try ScriptedService { $0.holds = false }, try TestBox())
            let transport = SpiedTransport()
            let application = try await box.polling(service) { $0.transport = transport }
            transport.fail(sessionPath, with: failure)
            service.confirm()
            box.clock.advance(by: .seconds(5))
            if !ends {
                await box.clock.isSlept(for: .seconds(5))
                #expect(application.outcomes.isEmpty)
                box.clock.advance(by: .seconds(5))
            }
            await application.recorder.wait(for: "setAuthenticationStatus")
            #expect(application.outcomes == [ends ? .notAuthenticated(GENERIC_AUTHENTICATION_ERROR) : .authenticated])
            #expect(application.recorder.codes == (ends ? ["REGCODE", "SEC420"] : ["REGCODE"]))
            await application.enabler.shutDown()
        }
    }

    @Test("is withdrawn when the viewer goes back, chooses another or signs out", arguments: [nil, "SatOne", "logout"])
    func withdrawn(choice: String?) async throws {
        let application = try await box.showingCode(service)
        await service.isAsked(sessionPath)
        let code = try #require(application.recorder.statuses("REGCODE").first?["message"])
        service.answer("/api/v1/config/", with: .response(503))
        application.enabler.setRequestor(TestBox.requestor)
        if choice == "logout" { application.enabler.logout() } else { application.enabler.setSelectedProvider(choice) }
        await service.isAsked("/reggie/v1/\(TestBox.requestor)/regcode/\(code)")
        #expect(service.calls.contains("DELETE /reggie/v1/\(TestBox.requestor)/regcode/\(code)"))
    }

    @Test("stays when the viewer goes back in a program that shows it again, and goes when another takes its place")
    func resumable() async throws {
        let application = try await box.showingCode(service) { $0.resumesRegistrationCode = true }
        await service.isAsked(sessionPath)
        let code = try #require(application.recorder.statuses("REGCODE").first?["message"])
        await application.enabler.selectProvider(nil)
        await application.showCode()
        #expect(application.recorder.statuses("REGCODE").last?["message"] == code)
        #expect(!service.calls.contains { $0.hasPrefix("DELETE") })
    }

    @Test(.configured) func `is asked for once, however the answer to that was lost`() async throws {
        await application.showPicker()
        service.answer("/reggie/", with: .cutOff, times: 3)
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "REG500")
        #expect(service.count(of: "/reggie/") == 1)
    }

    @Test("T-113 2S: there is none for a requestor without providers, wherever the viewer chooses one")
    func noProviders() async throws {
        let service = try ScriptedService { $0.providers = [] }
        let application = try await box.application(service) { $0.providerChoice = .secondScreen }
        #expect(await application.enabler.authenticate() == .notAuthenticated(code: PROVIDER_NOT_AVAILABLE_ERROR))
        #expect(application.recorder.codes.isEmpty && service.count(of: "/reggie/") == 0)
    }

    @Test func `can be asked for after a pause the server asked for`() async throws {
        let (service, box) = (try ScriptedService(), try TestBox())
        let application = try await box.application(service)
        await application.showPicker()
        service.answer("/reggie/", with: .response(429, headers: ["Retry-After": "3"]))
        application.enabler.setSelectedProvider("CableNova")
        await box.clock.isSlept(for: .seconds(3))
        box.clock.advance(by: .seconds(3))
        await application.recorder.wait(for: "REGCODE")
        #expect(application.outcomes.isEmpty)
    }

    @Test("a login goes on with a provider that is chosen while the configuration cannot be renewed", .configured)
    func failedGate() async throws {
        await application.showPicker()
        service.answer("/api/v1/config/", with: .response(503))
        try? await application.enabler.configure(requestorID: TestBox.requestor)
        // A second call joins it, as at any other time.
        async let outcome = application.enabler.authenticate()
        await application.taken()
        await application.choose()
        service.confirm()
        #expect(await outcome == .authenticated(mvpdID: "CableNova"))
        #expect(application.outcomes == [.authenticated])
    }
}
