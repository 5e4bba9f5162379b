import AccessEnabler
import TestSupport
import Testing

@Suite("Cancelling the task that awaits authenticate", .timeLimit(.minutes(1)))
struct CancellationTests {
    private let service: ScriptedService
    private let box: TestBox

    init() throws {
        self.service = try ScriptedService()
        self.box = try TestBox()
    }

    @Test("T-333 reports PROVIDER_NOT_SELECTED_ERROR", arguments: [nil, "CableNova"])
    func reports(provider: String?) async throws {
        let application = try await self.box.application(self.service)
        if let provider { await application.enabler.selectProvider(provider) }
        let task = Task { await application.enabler.authenticate() }
        await application.recorder.wait(for: provider == nil ? "displayProviderDialog" : "REGCODE")
        task.cancel()
        #expect(await task.value == .notAuthenticated(code: PROVIDER_NOT_SELECTED_ERROR))
        #expect(application.recorder.callbacks.last == .notAuthenticated("Provider not Selected Error"))
        #expect(application.recorder.codes.last == "N005")
    }

    @Test("ends it also when the task was cancelled before it called")
    func early() async throws {
        let application = try await self.box.application(self.service)
        let gate = HeldDispatcher()
        let task = Task {
            await gate.deliver {}
            return await application.enabler.authenticate()
        }
        task.cancel()
        gate.open()
        #expect(await task.value == .notAuthenticated(code: PROVIDER_NOT_SELECTED_ERROR))
        await application.settle()
        #expect(application.recorder.count("setAuthenticationStatus") == 1)
    }

    @Test("means nothing once the login is over")
    func late() {
        let wait = CancellableWait()
        #expect(!wait.begin())
        wait.end()
        #expect(!wait.cancel())
    }

    @Test("ends the login once, at the moment there is one to end")
    func once() {
        let cancelled = CancellableWait()
        #expect(!cancelled.begin() && cancelled.cancel())
        let early = CancellableWait()
        #expect(!early.cancel() && early.begin() && !early.cancel())
    }
}
