import AccessEnabler
import HTTPClient
import Synchronization
import TestSupport
import Testing

/// Lets every request through, and counts how many polls are under way at once.
///
/// At the library's end: a poll that was cancelled is over for the box before the server's kernel knows.
private final class PollCounter: AccessEnabler.Transport {
    private struct State {
        var now = 0
        var most = 0
        var total = 0
        var latch: Latch?
    }

    private let client = HTTPClient()
    private let state = Mutex(State())
    /// The most polls at one moment.
    var most: Int { self.state.withLock(\.most) }
    var total: Int { self.state.withLock(\.total) }
    var now: Int { self.state.withLock(\.now) }

    /// From now on, and until ``release()``, polls do not end even when they are cancelled.
    func hold() { self.state.withLock { $0.latch = Latch() } }

    func release() { self.state.withLock { $0.latch }?.open() }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        guard request.url.contains(sessionPath) else { return try await self.client.send(request) }
        self.state.withLock { state in
            state.now += 1
            state.total += 1
            state.most = max(state.most, state.now)
        }
        defer { self.state.withLock { $0.now -= 1 } }
        let client = self.client
        let result = await Result { () async throws(HTTPClientError) in try await client.send(request) }
        await self.state.withLock { $0.latch }?.wait()
        return try result.get()
    }
}

@Suite("One poll in flight, never two", .box, .timeLimit(.minutes(5)))
struct OnePollTests {
    private let counter = PollCounter()

    @Test func `A cancelled poll ends before the next login's is sent`() async throws {
        let application = try await box.application(service) { $0.transport = counter }
        for round in 1...8 {
            await application.showCode()
            await service.isAsked(sessionPath)
            application.enabler.setSelectedProvider(nil)
            await application.recorder.wait(for: "setAuthenticationStatus", count: round)
        }
        #expect(counter.total == 8 && counter.most == 1)
    }

    @Test func `A poll for one provider ends before that for another is sent`() async throws {
        let application = try await box.application(service) { $0.transport = counter }
        await application.showPicker()
        for round in 0..<8 {
            await application.choose(round % 2 == 0 ? "CableNova" : "SatOne")
            await service.isAsked(sessionPath)
        }
        #expect(counter.total == 8 && counter.most == 1)
    }

    @Test func `A cancelled poll that is slow to end keeps the next one back`() async throws {
        let application = try await box.showingCode(service) { $0.transport = counter }
        await service.isAsked(sessionPath)
        counter.hold()
        application.enabler.setSelectedProvider(nil)
        await application.recorder.wait(for: "setAuthenticationStatus")
        await application.showCode()
        try await application.roundTrip()
        #expect(counter.total == 1)
        counter.release()
        await service.isAsked(sessionPath)
        #expect(counter.total == 2 && counter.most == 1)
    }

    @Test func `Asking for a login again and again while one waits sends no second poll`() async throws {
        let application = try await box.showingCode(service) { $0.transport = counter }
        await service.isAsked(sessionPath)
        for force in [false, true, false, true] { application.enabler.getAuthentication(force, withData: nil) }
        try await application.roundTrip()
        #expect(counter.total == 1 && counter.now == 1)
    }

    @Test func `Choices and cancels that nobody waited for leave one poll at most, at every moment`() async throws {
        let application = try await box.application(service) { $0.transport = counter }
        for _ in 0..<10 {
            application.enabler.getAuthentication()
            application.enabler.setSelectedProvider("CableNova")
            application.enabler.setSelectedProvider("SatOne")
            application.enabler.setSelectedProvider(nil)
        }
        try await application.roundTrip()
        await application.showCode()
        await service.isAsked(sessionPath)
        #expect(counter.total >= 1 && counter.most == 1)
    }
}
