import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("Cancelling the task that awaits authenticate", .box, .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test("T-333 reports PROVIDER_NOT_SELECTED_ERROR", .configured, arguments: [nil, "CableNova"])
    func reports(provider: String?) async throws {
        if let provider { await application.enabler.selectProvider(provider) }
        let task = Task { await application.enabler.authenticate() }
        await application.recorder.wait(for: provider == nil ? "displayProviderDialog" : "REGCODE")
        task.cancel()
        #expect(await task.value == .notAuthenticated(code: PROVIDER_NOT_SELECTED_ERROR))
        #expect(application.recorder.callbacks.last == .notAuthenticated("Provider not Selected Error"))
        #expect(application.recorder.codes.last == "N005")
    }

    @Test(.configured) func `ends it also when the task was cancelled before it called`() async throws {
        let gate = Latch()
        let task = Task {
            await gate.wait()
            return await application.enabler.authenticate()
        }
        task.cancel()
        gate.open()
        #expect(await task.value == .notAuthenticated(code: PROVIDER_NOT_SELECTED_ERROR))
        await application.settle()
        #expect(application.recorder.count("setAuthenticationStatus") == 1)
    }

    @Test(.configured) func `means nothing once the login is over`() async throws {
        await application.enabler.selectProvider("CableNova")
        let task = Task { await application.enabler.authenticate() }
        await application.recorder.wait(for: "REGCODE")
        service.confirm()
        #expect(await task.value == .authenticated(mvpdID: "CableNova"))
        task.cancel()
        await application.settle()
        #expect(application.recorder.codes == ["REGCODE"])
        #expect(application.outcomes == [.authenticated])
    }

    @Test(.configured) func `means nothing to a login that another call began after it`() async throws {
        let caller = application.enabler.callers.reply(
            atTheEnd: AccessEnabler.AuthenticationOutcome.notAuthenticated(code: ""), { _ in })
        application.enabler.mailbox.send(.authenticate(AuthenticationRequest(), caller))
        await application.recorder.wait(for: "displayProviderDialog")
        await application.enabler.selectProvider(nil)
        await application.showPicker()
        // The run of the cancelled call is over; the picker on the screen is another's.
        application.enabler.mailbox.withdraw(caller.caller)
        await application.settle()
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        await application.choose()
    }

    @Test(.started) func `ends it before there is a configuration, too`() async throws {
        let task = Task { await application.enabler.authenticate() }
        task.cancel()
        #expect(await task.value == .notAuthenticated(code: PROVIDER_NOT_SELECTED_ERROR))
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
    }
}
