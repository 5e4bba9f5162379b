import AccessEnabler
import AccessEnablerConstants
import Clientless
import TestSupport
import Testing

@Suite("checkAuthentication", .box, .timeLimit(.minutes(5)))
struct CheckAuthenticationTests {
    @Test("T-001 checkAuthentication makes no network call", .configured, arguments: [true, false])
    func noNetwork(isSignedIn: Bool) async throws {
        if isSignedIn { try await application.signIn(service) }
        let requests = service.requests.count
        application.enabler.checkAuthentication()
        _ = await application.enabler.authenticationStatus()
        #expect(service.requests.count == requests)
    }

    @Test func `T-002 with a valid stored token it reports status 1`() async throws {
        _ = try await box.signedIn(service)
        let restarted = try await box.application(service)
        restarted.enabler.checkAuthentication()
        await restarted.settle()
        #expect(restarted.recorder.callbacks.last { $0.name == "setAuthenticationStatus" }?.arguments.first == "1")
    }

    @Test(.signedIn) func `T-003 with status 1 the error code is the empty string`() async throws {
        let outcome = await application.enabler.authenticationStatus()
        #expect(application.recorder.callbacks.last == Callback("setAuthenticationStatus", "1", ""))
        #expect(outcome == .authenticated(mvpdID: "CableNova"))
    }

    @Test("T-004 T-005 without a token it reports status 0 with USER_NOT_AUTHENTICATED_ERROR, and N000", .configured)
    func notSignedIn() async throws {
        let outcome = await application.enabler.authenticationStatus()
        #expect(application.recorder.callbacks == [.configured, .notAuthenticated("User Not Authenticated Error")])
        #expect(outcome == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
        #expect(application.recorder.statuses == [["errorId": "N000", "level": "info"]])
    }

    @Test func `T-006 with an expired token it reports status 0`() async throws {
        // One hour after the clock's beginning.
        let application = try await box.signedIn(service.set { $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000" })
        box.clock.advance(by: .seconds(3599))
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        box.clock.advance(by: .seconds(1))
        _ = await application.enabler.authenticationStatus()
        #expect(application.recorder.callbacks.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test func `T-007 with a token whose MVPD is not in the requestor's list it reports status 0`() async throws {
        _ = try await box.signedIn(service)
        service.set { $0.providers.removeAll { $0.id == "CableNova" } }
        let restarted = try await box.application(service)
        _ = await restarted.enabler.authenticationStatus()
        #expect(restarted.recorder.callbacks.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
        // The token itself is still there: with the list it counts again.
        service.set { $0.providers.append(ScriptedProvider("CableNova")) }
        let again = try await box.application(service)
        #expect(await again.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test(.signedIn) func `T-008 with a token bound to another device ID it reports status 0`() async throws {
        let own = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "com.example").text
        let other = DeviceIdentity.deviceID(machineID: "ffffffffffffffffffffffffffffffff", scope: "com.example").text
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        // Behind the library's back, after the Sanitizer of the configuration phase has run.
        let store = AccessEnabler.PrivateFileStore(path: box.storePath)
        _ = try await store.transaction { bytes in
            let text = String(decoding: bytes ?? [], as: UTF8.self)
            return .replace(Array(text.replacing(own, with: other).utf8))
        }
        _ = await application.enabler.authenticationStatus()
        #expect(application.recorder.callbacks.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test(
        "T-009 T-010 it calls setAuthenticationStatus and sends TRACKING_AUTHENTICATION exactly once per call",
        .configured,
        arguments: [true, false])
    func tracking(isSignedIn: Bool) async throws {
        if isSignedIn { try await application.signIn(service) }
        let recorder = application.recorder
        let before = (recorder.count("setAuthenticationStatus"), recorder.tracked(TRACKING_AUTHENTICATION).count)
        let sent = recorder.everything.count { $0.name == "sendTrackingData" }
        for _ in 0..<3 { application.enabler.checkAuthentication() }
        await application.settle()
        #expect(recorder.count("setAuthenticationStatus") == before.0 + 3)
        #expect(recorder.tracked(TRACKING_AUTHENTICATION).count == before.1 + 3)
        #expect(recorder.everything.count { $0.name == "sendTrackingData" } == sent + 3)
    }

    @Test(.configured) func `T-011 it never calls displayProviderDialog`() async throws {
        _ = await application.enabler.authenticationStatus()
        #expect(application.recorder.count("displayProviderDialog") == 0)
        // Where the picker would be shown, were it asked for.
        application.enabler.getAuthentication()
        await application.settle()
        #expect(application.recorder.count("displayProviderDialog") == 1)
    }

    @Test func `T-012 the method returns before its callback is delivered`() async throws {
        let dispatcher = HeldDispatcher()
        let application = try box.start(service) { $0.callbackDispatcher = dispatcher }
        application.enabler.setRequestor(TestBox.requestor)
        application.enabler.checkAuthentication()
        #expect(application.recorder.everything == [])
        dispatcher.latch.open()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.callbacks == [.configured, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR)])
    }
}
