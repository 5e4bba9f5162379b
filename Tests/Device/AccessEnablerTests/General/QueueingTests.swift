import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("While a call waits", .box, .timeLimit(.minutes(5)))
struct QueueingTests {
    @Test(.signedIn) func `for a server, Back ends a login at once`() async throws {
        await application.enabler.selectProvider("SatOne")
        application.enabler.getAuthentication(true, withData: nil)
        await application.recorder.wait(for: "REGCODE", count: 2)
        let held = service.hold("/adobe-services/preauthorize")
        application.enabler.checkPreauthorizedResources(["r"])
        await held.reached()
        await application.enabler.selectProvider(nil)
        #expect(held.isHeld)
        #expect(application.outcomes == [.authenticated, .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        held.open()
        await application.settle()
    }

    @Test(.signedIn) func `for a server, setRequestor does not overtake the calls before it`() async throws {
        let held = service.hold("/adobe-services/authorize")
        application.enabler.checkAuthorization("a")
        await held.reached()
        application.enabler.checkAuthorization("b")
        application.enabler.logout()
        application.enabler.setRequestor("SOUTHSPORT")
        await application.taken()
        held.open()
        await application.recorder.wait(for: "setRequestorComplete", count: 2)
        let asked = service.requests.filter { $0.path.hasPrefix("/adobe-services/") && $0.path != sessionPath }
        #expect(
            asked.map { "\($0.path.dropFirst(16)) \($0.form["requestor_id"] ?? "")" } == [
                "authorize NORTHSPORT", "shortAuthorize NORTHSPORT", "authorize NORTHSPORT",
                "shortAuthorize NORTHSPORT", "logout NORTHSPORT",
            ])
    }

    @Test("for an account whose keeper hangs, other calls are taken, and the check ends after its time limit")
    func hangingKeeper() async throws {
        let account = AccessEnabler.MemoryPlatformSSO(provider: PlatformStage.platformID("CableNova")) { _, _ in
            "<Response/>"
        }
        let platform = PlatformSpy(account)
        service.set { $0.providers = [.platform("CableNova")] }
        let application = try await box.application(service) { $0.platformSSO = platform }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        platform.hang()
        let answered = Flag()
        async let outcome = {
            defer { answered.raise() }
            return await application.enabler.authenticationStatus()
        }()
        await application.taken()
        // The first question to the account has the same limit, so that a sleep of this length may be its.
        while !answered.isUp {
            box.clock.advance(by: .seconds(8))
            await Task.yield()
        }
        #expect(await outcome == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
        #expect(application.recorder.statuses("APPL_ERROR").map { $0["details"] } == ["no answer within 8 s"])
        platform.end()
    }

    @Test func `for a store that hangs, the phase goes on after the limit of its silent part`() async throws {
        let store = SpiedStore()
        let application = try box.start(service) { $0.tokenStore = store }
        try await application.enabler.configure(requestorID: TestBox.requestor)
        store.hold(.before)
        async let configured: Void = application.enabler.configure(requestorID: TestBox.requestor)
        _ = await store.held.next()
        box.clock.advance(by: .seconds(10))
        try await configured
        store.release()
    }
}
