import AccessEnablerConstants
import Synchronization
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("On a box whose clock is wrong", .box, .timeLimit(.minutes(5)))
struct ServerTimeTests {
    /// The server is at 2027-01-15 08:00:00; the box of ``ManualClock`` is, too, unless it is set.
    private static let date = "Fri, 15 Jan 2027 08:00:00 GMT"

    @Test("T-335 A sign-in counts by the server's clock, where an answer told it", arguments: [false, true])
    func validity(tells: Bool) async throws {
        let service = try ScriptedService {
            $0.tokenExpires = "2027/06/15 08:00:00 GMT +0000"
            $0.permitExpires = "2027/06/15 08:00:00 GMT +0000"
            if tells { $0.date = Self.date }
        }
        // A year ahead.
        box.clock.step(by: .seconds(31_536_000))
        let application = try await box.application(service)
        try await application.signIn(service)
        let status = await application.enabler.authenticationStatus()
        #expect(
            status
                == (tells
                    ? .authenticated(mvpdID: "CableNova") : .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR)))
        if tells {
            _ = try await application.enabler.authorize("r")
            _ = try await application.enabler.authorize("r")
            // The decision counts by the same clock: it was asked for once.
            #expect(service.count(of: "/adobe-services/authorize") == 1)
            #expect(application.recorder.codes.contains("CFG100"))
        }
    }
}

extension ServerTimeTests {
    @Test("A sign-in is kept with the server's time on a box at 1970, too, and lasts when the box's clock is set")
    func stored() async throws {
        let service = try ScriptedService {
            $0.date = Self.date
            $0.tokenExpires = "2027/06/15 08:00:00 GMT +0000"
        }
        box.clock.step(by: .seconds(-1_800_000_000))
        let application = try await box.application(service)
        try await application.signIn(service)
        let stored = try #require(try box.image()[requestor: TestBox.requestor, mvpd: "CableNova"].authn?.stored)
        #expect(abs(stored - 1_800_000_000_000) < 60_000)
        box.clock.step(by: .seconds(1_800_000_000))
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }
}

@Suite("Several objects and subscribers", .box, .timeLimit(.minutes(5)))
struct WarningTests {
    @Test func `5.3 A second object is worth a line in the log`() async throws {
        let (box, log) = (try TestBox(), LogRecorder())
        _ = try box.start(service)
        _ = try box.start(service) { $0.logger = log.logger }
        #expect(log.count("there is another object of this library") == 1)
    }

    @Test func `A subscriber that does not read loses the oldest events, and that is said once`() async throws {
        let log = LogRecorder()
        let hub = EventDelivery.hub(log.logger)
        let stream = hub.subscribe()
        for _ in 0..<300 { hub.send(.selectedProvider(nil)) }
        hub.close()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 256 && log.count("the oldest are dropped") == 1)
    }

    @Test func `The platform's dialog forgets who looked at its pages, and looks no longer`() async {
        let request = TvProviderDialogRequest(providers: [])
        for _ in 0..<3 { for await _ in request.pages { break } }
        #expect(request.shown.count == 0)
        async let shown = request.pages.reduce(into: []) { $0.append($1) }
        while request.shown.count == 0 { await Task.yield() }
        request.turn(to: .finished)
        #expect(await shown == [.providerList, .finished])
    }

    @Test func `Both who wait for the answer to the platform's dialog get it`() async {
        let request = TvProviderDialogRequest(providers: [])
        async let first = request.answer()
        async let second = request.answer()
        while request.waiters < 2 { await Task.yield() }
        request.choose("CableNova")
        #expect(await [first, second] == [.provider("CableNova"), .provider("CableNova")])
    }
}

extension TvProviderDialogRequest {
    fileprivate var waiters: Int {
        self.answered.state.withLock { if case .awaited(let waiting) = $0 { waiting.count } else { 0 } }
    }
}
