import AccessEnabler
import TestSupport
import Testing

/// The service of every poll.
let sessionPath = "/adobe-services/session"

let nobody = AccessEnabler.AuthenticationOutcome.notAuthenticated(code: AccessEnablerError.userNotAuthenticated)

// Logins step by step.
extension TestApplication {
    func showPicker() async {
        let count = self.recorder.count("displayProviderDialog")
        self.enabler.getAuthentication()
        await self.recorder.wait(for: "displayProviderDialog", count: count + 1)
    }

    /// Chooses a provider; returns when there is a code for the second screen.
    func choose(_ provider: String = "CableNova") async {
        let count = self.recorder.statuses("REGCODE").count
        self.enabler.setSelectedProvider(provider)
        await self.recorder.wait(for: "REGCODE", count: count + 1)
    }

    func showCode(_ provider: String = "CableNova") async {
        await self.showPicker()
        await self.choose(provider)
    }

    /// A viewer signs in with the code, and the box asks after its pause; returns when the application was told.
    func confirmed(by service: ScriptedService) async {
        service.confirm()
        self.box?.clock.advance(by: .seconds(5))
        await self.recorder.wait(for: "setAuthenticationStatus")
    }

    /// Chooses a provider; returns the page the application is to open.
    func navigate(_ provider: String = "CableNova") async throws -> String {
        let count = self.recorder.count("navigateToUrl")
        self.enabler.setSelectedProvider(provider)
        await self.recorder.wait(for: "navigateToUrl", count: count + 1)
        return try #require(self.recorder.callbacks.last { $0.name == "navigateToUrl" }?.arguments.first)
    }

    /// Starts a login in a browser, and chooses; returns the page the application is to open.
    func openPage(_ provider: String = "CableNova") async throws -> String {
        await self.showPicker()
        return try await self.navigate(provider)
    }

    /// Every `setAuthenticationStatus`, in order.
    var outcomes: [Callback] { self.recorder.callbacks.filter { $0.name == "setAuthenticationStatus" } }

    /// Returns when everything asked so far was done and a server has answered once more: what would have been sent
    /// meanwhile has been seen.
    func roundTrip(_ requestor: String = TestBox.requestor) async throws {
        try await self.enabler.configure(requestorID: requestor)
        await self.settle()
    }
}

extension TestBox {
    /// An application in its configuration phase, which waits for the answer to a request that is held.
    func configuring(
        _ service: ScriptedService, at path: String = "/api/v1/config/"
    ) async throws -> (application: TestApplication, held: HeldRequest) {
        let held = service.hold(path)
        let application = try self.start(service)
        application.enabler.setRequestor(Self.requestor)
        await held.reached()
        return (application, held)
    }

    func inBrowser(
        _ service: ScriptedService, _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        try await self.application(service) {
            $0.interaction = .userAgent
            change(&$0)
        }
    }

    func showingCode(
        _ service: ScriptedService, provider: String = "CableNova",
        _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        let application = try await self.application(service, change)
        await application.showCode(provider)
        return application
    }

    /// An application in the pause after its first question about a code. The service holds no question, so the box asks
    /// every five seconds.
    func polling(
        _ service: ScriptedService, provider: String = "CableNova",
        _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        service.set { $0.holds = false }
        let application = try await self.showingCode(service, provider: provider, change)
        await self.clock.isSlept(for: .seconds(5))
        return application
    }
}

extension ScriptedService {
    /// Returns when a request whose path begins like this is being looked at.
    func isAsked(_ path: String) async { while let asked = await self.asked.next(), !asked.hasPrefix(path) {} }
}

extension ManualClock {
    /// Returns when somebody began to wait for `duration`.
    func isSlept(for duration: Duration) async { while let slept = await self.slept.next(), slept != duration {} }
}

extension ScriptedServer.Answer {
    /// Ends in its middle: a failure that no client repeats by itself.
    static let cutOff = Self.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<result>")
}
