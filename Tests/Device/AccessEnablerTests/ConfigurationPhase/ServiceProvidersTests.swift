import AccessEnabler
import TestSupport
import Testing

@Suite("Several service providers", .timeLimit(.minutes(5)))
struct ServiceProvidersTests {
    private static let configuration = "/api/v1/config/"
    private static let authorize = "/adobe-services/authorize"

    private let box: TestBox
    private let fast: ScriptedService
    private let slow: ScriptedService

    init() throws {
        self.box = try TestBox()
        self.fast = try ScriptedService {
            $0.providers = [ScriptedProvider("CableNova", name: "Fast Cable"), ScriptedProvider("FastOne")]
        }
        self.slow = try ScriptedService {
            $0.providers = [
                ScriptedProvider("SlowOne"), ScriptedProvider("CableNova", name: "Slow Cable"),
                ScriptedProvider("SlowTwo"),
            ]
        }
    }

    /// An application of both servers, of which the slow one is named first and answers second.
    private func application() async throws -> TestApplication {
        let log = LogRecorder()
        let application = try self.box.start(self.fast) { $0.logger = log.logger }
        let held = self.slow.hold(Self.configuration)
        application.enabler.setRequestor(TestBox.requestor, serviceProviders: [self.slow.url, self.fast.url])
        await log.wait(for: "a service provider answered")
        #expect(application.recorder.everything == [])
        held.open()
        await application.recorder.wait(for: "setRequestorComplete")
        try #require(application.recorder.everything == [.configured])
        return application
    }

    private func picker(_ application: TestApplication) async -> [MVPD] {
        let events = application.enabler.events
        application.enabler.getAuthentication()
        for await event in events {
            if case .providerDialog(let mvpds) = event { return mvpds }
        }
        return []
    }

    @Test func `T-045 with three URLs three requests are in flight before the first answer`() async throws {
        let services = [self.fast, self.slow, try ScriptedService()]
        let held = services.map { $0.hold(Self.configuration) }
        let application = try self.box.start(self.fast)
        application.enabler.setRequestor(TestBox.requestor, serviceProviders: services.map(\.url))
        for request in held { await request.reached() }
        #expect(held.allSatisfy { $0.isHeld } && application.recorder.everything == [])
        for request in held { request.open() }
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(application.recorder.everything == [.configured])
    }

    @Test func `T-046 the MVPD list is the union of all answers`() async throws {
        let application = try await self.application()
        let ids = await self.picker(application).map(\.id)
        #expect(Set(ids) == ["CableNova", "FastOne", "SlowOne", "SlowTwo"] && ids.count == 4)
    }

    @Test func `T-047 for an MVPD in two answers the displayName of the faster server is used`() async throws {
        let application = try await self.application()
        let names = await self.picker(application).filter { $0.id == "CableNova" }.map(\.displayName)
        #expect(names == ["Fast Cable"])
    }

    @Test func `T-048 authorization for an MVPD known to both servers goes to the faster one`() async throws {
        let application = try await self.application()
        try await application.signIn(self.fast, provider: "CableNova")
        _ = try await application.enabler.authorize("r")
        #expect(self.fast.count(of: Self.authorize) == 1)
        #expect(self.slow.requests.last?.path.hasPrefix(Self.configuration) == true)
    }

    @Test func `T-049 authorization for an MVPD known only to the slower server goes to the slower one`() async throws {
        let application = try await self.application()
        try await application.signIn(self.slow, provider: "SlowTwo")
        _ = try await application.enabler.authorize("r")
        #expect(self.slow.count(of: Self.authorize) == 1)
        #expect(self.fast.requests.last?.path.hasPrefix(Self.configuration) == true)
    }

    @Test(arguments: [0, 1]) func `T-050 one failing server of two still gives SUCCESS`(failing: Int) async throws {
        let services = [self.fast, self.slow]
        services[failing].answer(Self.configuration, with: .response(503))
        let application = try self.box.start(self.fast)
        application.enabler.setRequestor(TestBox.requestor, serviceProviders: services.map(\.url))
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(application.recorder.everything == [.configured])
        let ids = await self.picker(application).map(\.id)
        #expect(ids == (failing == 0 ? ["SlowOne", "CableNova", "SlowTwo"] : ["CableNova", "FastOne"]))
    }

    @Test func `T-051 all servers failing gives ERROR`() async throws {
        for service in [self.fast, self.slow] { service.answer(Self.configuration, with: .response(503)) }
        let application = try self.box.start(self.fast)
        application.enabler.setRequestor(TestBox.requestor, serviceProviders: [self.fast.url, self.slow.url])
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(application.recorder.callbacks == [.notConfigured] && application.recorder.codes == ["CFG503"])
    }

    @Test func `T-052 a URL listed twice is asked once`() async throws {
        let application = try self.box.start(self.fast)
        application.enabler.setRequestor(
            TestBox.requestor, serviceProviders: [self.fast.url, self.slow.url, self.fast.url, "\(self.fast.url)/"])
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(self.fast.count(of: Self.configuration) == 1 && self.slow.count(of: Self.configuration) == 1)
    }

    @Test func `T-053 the MVPDs of the first responder come first in the list`() async throws {
        let application = try await self.application()
        #expect(await self.picker(application).map(\.id) == ["CableNova", "FastOne", "SlowOne", "SlowTwo"])
    }
}
