import AccessEnabler
import AccessEnablerConstants
import FoundationEssentials
import TestSupport
import Testing

@Suite("The configuration phase", .started, .timeLimit(.minutes(5)))
struct ConfigurationPhaseTests {
    private static let configuration = "/api/v1/config/"
    /// Nobody listens there.
    private static let nowhere = "http://127.0.0.1:1"

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// An application whose phase is over, however it ended.
    private func configured(
        _ requestor: String = TestBox.requestor, _ urls: [String] = [],
        _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        let application = try box.start(service, change)
        application.enabler.setRequestor(requestor, serviceProviders: urls)
        await application.recorder.wait(for: "setRequestorComplete")
        return application
    }

    @Test("T-035 T-037 T-044 without urls, or with none, the default URL is asked, and a valid answer gives SUCCESS")
    func defaultURL() async throws {
        application.enabler.setRequestor(TestBox.requestor)
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(application.recorder.everything == [Callback("setRequestorComplete", "1")])
        #expect(service.calls.last == "GET /api/v1/config/NORTHSPORT")
        #expect(service.count(of: Self.configuration) == 1)
        application.enabler.setRequestor(TestBox.requestor, serviceProviders: [])
        await application.recorder.wait(for: "setRequestorComplete", count: 2)
        #expect(application.recorder.everything == [.configured, .configured])
        #expect(service.count(of: Self.configuration) == 2)
    }

    @Test(.box) func `T-036 with the staging environment it goes to the staging URL`() async throws {
        let staging = try ScriptedService()
        let environment = AccessEnabler.Environment(
            production: try self.url(service.url), staging: try self.url(staging.url), profile: .staging)
        let application = try await self.configured { $0.environment = environment }
        #expect(application.recorder.callbacks == [.configured])
        #expect(staging.count(of: Self.configuration) == 1 && service.requests.isEmpty)
    }

    @Test(
        "T-038 T-039 an unknown requestor ID reports CFG400 and gives setRequestorComplete(ERROR)", .box,
        arguments: ["NOBODY", ""])
    func unknownRequestor(id: String) async throws {
        let application = try await self.configured(id)
        #expect(application.recorder.statuses.map { [$0["errorId"], $0["level"]] } == [["CFG400", "error"]])
        #expect(application.recorder.callbacks == [Callback("setRequestorComplete", "0")])
    }

    @Test(.box) func `T-040 an unreachable server reports CFG404`() async throws {
        let environment = AccessEnabler.Environment.custom(try self.url(Self.nowhere))
        let application = try await self.configured { $0.environment = environment }
        #expect(application.recorder.statuses.map { [$0["errorId"], $0["level"]] } == [["CFG404", "error"]])
        #expect(application.recorder.callbacks == [.notConfigured])
    }

    @Test(.box) func `a server that takes longer than its limit counts as unreachable`() async throws {
        let held = service.hold(Self.configuration)
        let application = try await self.configured { $0.serviceProviderTimeout = .milliseconds(1) }
        #expect(application.recorder.codes == ["CFG404"] && application.recorder.callbacks == [.notConfigured])
        held.open()
    }

    @Test(.box, arguments: [500, 502, 503]) func `T-041 a 503 answer reports CFG503`(status: Int) async throws {
        service.answer(Self.configuration, with: .response(status))
        let application = try await self.configured()
        #expect(application.recorder.statuses.map { [$0["errorId"], $0["level"]] } == [["CFG\(status)", "error"]])
        #expect(application.recorder.callbacks == [.notConfigured])
    }

    @Test func `T-042 each setRequestor call yields exactly one setRequestorComplete`() async throws {
        application.enabler.setRequestor(TestBox.requestor)
        application.enabler.setRequestor(TestBox.requestor)
        application.enabler.setRequestor("NOBODY")
        application.enabler.setRequestor(TestBox.requestor, serviceProviders: [service.url, service.url])
        try await application.enabler.configure(requestorID: "SOUTHSPORT")
        #expect(application.recorder.count("setRequestorComplete") == 5)
        #expect(application.recorder.callbacks.allSatisfy { $0.name == "setRequestorComplete" })
    }

    @Test func `resynchronize repeats the last setRequestor, and does nothing before the first`() async throws {
        application.enabler.resynchronize()
        await application.taken()
        #expect(service.requests.isEmpty)
        try await application.enabler.configure(requestorID: "SOUTHSPORT")
        application.enabler.resynchronize()
        // Kept back like after any setRequestor.
        application.enabler.checkAuthentication()
        await application.settle()
        #expect(application.recorder.callbacks.prefix(2) == [.configured, .configured])
        #expect(application.recorder.callbacks.dropFirst(2).first?.name == "setAuthenticationStatus")
        #expect(service.calls.suffix(2) == Array(repeating: "GET /api/v1/config/SOUTHSPORT", count: 2)[...])
    }

    @Test(.box) func `T-043 overlapping setRequestor calls complete in call order`() async throws {
        let (application, held) = try await box.configuring(service)
        application.enabler.setRequestor("NOBODY")
        application.enabler.checkAuthentication()
        application.enabler.setRequestor("SOUTHSPORT")
        await application.taken()
        #expect(service.count(of: Self.configuration) == 1)
        held.open()
        await application.settle()
        let asked = service.requests.filter { $0.path.hasPrefix(Self.configuration) }.map(\.path)
        #expect(asked == ["NORTHSPORT", "NOBODY", "SOUTHSPORT"].map { Self.configuration + $0 })
        // The gate opens after the last one.
        #expect(
            application.recorder.callbacks == [
                .configured, .notConfigured, .configured, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR),
                Callback("selectedProvider", "nil"),
            ])
    }

    @Test(.box) func `T-054 a plain HTTP URL that is not loopback is not contacted`() async throws {
        // Reaches this machine, but says nothing of the kind.
        let elsewhere = service.url.replacing("127.0.0.1", with: "0.0.0.0")
        let listed = try await self.configured(TestBox.requestor, [elsewhere])
        #expect(listed.recorder.codes == ["CFG404"] && listed.recorder.callbacks == [.notConfigured])
        let refused = AccessEnabler.Environment.custom(try self.url(elsewhere))
        let application = try await self.configured { $0.environment = refused }
        #expect(application.recorder.codes == ["CFG404"] && application.recorder.callbacks == [.notConfigured])
        #expect(service.requests.isEmpty)
        // It would be reached, were it not for the rule.
        let allowed = AccessEnabler.Environment.custom(try self.url(elsewhere), allowsPlainHTTP: true)
        let trusting = try await self.configured { $0.environment = allowed }
        #expect(trusting.recorder.callbacks == [.configured])
    }

    @Test(.box) func `T-055 a TLS failure reports SEC420`() async throws {
        let untrusted = try await TLSServer()
        let application = try await self.configured(TestBox.requestor, [untrusted.url])
        #expect(application.recorder.statuses.map { [$0["errorId"], $0["level"]] } == [["SEC420", "error"]])
        #expect(application.recorder.callbacks == [.notConfigured])
    }

    @Test(
        "T-056 a clock off by more than five minutes reports CFG100", .box,
        arguments: [
            ("Fri, 15 Jan 2027 08:05:01 GMT", true), ("Fri, 15 Jan 2027 07:54:59 GMT", true),
            ("Fri, 15 Jan 2027 08:05:00 GMT", false), ("Fri, 15 Jan 2027 08:00:00 GMT", false),
        ])
    func skew(date: String, isReported: Bool) async throws {
        service.set { $0.date = date }
        let application = try await self.configured()
        #expect(application.recorder.statuses == (isReported ? [["errorId": "CFG100", "level": "warning"]] : []))
        #expect(application.recorder.callbacks == [.configured])
    }

    @Test("T-057 the deprecated signed setRequestor performs the same configuration request as the short form", .box)
    func formerForms() async throws {
        let log = LogRecorder()
        let application = try await self.configured { $0.logger = log.logger }
        let short = try #require(service.requests.last)
        let calls: any FormerRequestor = FormerCalls()
        calls.setRequestors(application.enabler, TestBox.requestor, [service.url])
        await application.recorder.wait(for: "setRequestorComplete", count: 5)
        let former = service.requests.suffix(4)
        #expect(former.allSatisfy { $0.method == short.method && $0.target == short.target && $0.body == short.body })
        #expect(former.allSatisfy { $0.headers == short.headers })
        #expect(application.recorder.callbacks == Array(repeating: .configured, count: 5))
        #expect(log.count("a signed requestor ID is no longer used") == 1)
    }

    @Test(.signedIn) func `T-058 setRequestor never calls setAuthenticationStatus`() async throws {
        let before = application.recorder.count("setAuthenticationStatus")
        try await application.enabler.configure(requestorID: TestBox.requestor)
        try await application.enabler.configure(requestorID: "SOUTHSPORT")
        service.set { $0.providers.removeAll() }
        try await application.enabler.configure(requestorID: TestBox.requestor)
        await #expect(throws: AccessEnabler.ConfigurationFailure.self) {
            try await application.enabler.configure(requestorID: "NOBODY")
        }
        #expect(application.recorder.count("setAuthenticationStatus") == before)
        #expect(application.recorder.count("setRequestorComplete") == 5)
    }
}
