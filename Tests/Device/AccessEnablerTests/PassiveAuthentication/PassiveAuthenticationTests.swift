import AccessEnabler
import Clientless
import TestSupport
import Testing

@Suite("Passive authentication", .timeLimit(.minutes(5)))
struct PassiveAuthenticationTests {
    private static let passive = "/adobe-services/passive"

    private let service: ScriptedService
    private let box: TestBox

    init() throws {
        self.service = try ScriptedService {
            $0.providers = [ScriptedProvider("CableNova") { $0.isPerRequestor = true }, ScriptedProvider("SatOne")]
        }
        self.box = try TestBox()
    }

    /// An application of another programmer, configured on a box where NORTHSPORT's viewer is signed in.
    private func other() async throws -> TestApplication {
        _ = try await self.box.signedIn(self.service)
        return try await self.box.application(self.service, requestor: "SOUTHSPORT")
    }

    @Test func `T-285 an APR MVPD with a foreign token leads to a passive request in setRequestor`() async throws {
        _ = try await self.box.signedIn(self.service)
        let store = try self.box.folder.read("state/store.json")
        #expect(self.service.count(of: Self.passive) == 0)
        _ = try await self.box.application(self.service, requestor: "SOUTHSPORT")
        #expect(self.service.count(of: Self.passive) == 1)
        let form = try #require(self.service.last(Self.passive)?.form)
        #expect(form["requestor_id"] == "SOUTHSPORT" && form["mso_id"] == "CableNova")
        let token = try #require(form["authentication_token"])
        #expect(token.contains("NORTHSPORT") && store.contains(token))
        let deviceID = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "com.example")
        #expect(form["device_id"] == deviceID.text)
    }

    @Test(arguments: [true, false]) func `T-286 the attempt reports N001`(succeeds: Bool) async throws {
        self.service.set { $0.allowsPassive = succeeds }
        let application = try await self.other()
        #expect(application.recorder.statuses == [["errorId": "N001", "level": "info"]])
        #expect(application.recorder.everything == [Callback("status", "N001"), .configured])
    }

    @Test func `T-287 a positive answer makes the user authenticated`() async throws {
        let application = try await self.other()
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        // With a token of its own: nothing is asked for again.
        _ = try await self.box.application(self.service, requestor: "SOUTHSPORT")
        #expect(self.service.count(of: Self.passive) == 1)
    }

    @Test(
        "T-288 T-289 a negative answer leaves the user unauthenticated, and makes no callback but setRequestorComplete")
    func negative() async throws {
        self.service.set { $0.allowsPassive = false }
        let application = try await self.other()
        await application.taken()
        #expect(application.recorder.everything.filter { $0.name != "status" } == [.configured])
        #expect(self.service.count(of: Self.passive) == 1)
        #expect(await application.enabler.authenticationStatus() == nobody)
        // The foreign token is none the worse for it.
        let first = try await self.box.application(self.service)
        #expect(await first.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test func `T-290 without a foreign token no passive request is sent`() async throws {
        // None at all; then one of another MVPD; then one that is over.
        _ = try await self.box.application(self.service, requestor: "SOUTHSPORT")
        _ = try await self.box.signedIn(self.service, provider: "SatOne")
        _ = try await self.box.application(self.service, requestor: "SOUTHSPORT")
        self.service.set { $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000" }
        try await self.box.application(self.service).signIn(self.service, force: true)
        self.box.clock.advance(by: .seconds(3600))
        let application = try await self.box.application(self.service, requestor: "SOUTHSPORT")
        #expect(self.service.count(of: Self.passive) == 0)
        #expect(application.recorder.everything == [.configured])
    }

    @Test func `no passive request is sent with a foreign token that is bound to another device`() async throws {
        _ = try await self.box.signedIn(self.service)
        try self.box.folder.write("ffffffffffffffffffffffffffffffff\n", to: "machine-id")
        _ = try await self.box.application(self.service, requestor: "SOUTHSPORT")
        #expect(self.service.count(of: Self.passive) == 0)
    }

    @Test func `T-291 for an MVPD without APR no passive request is sent`() async throws {
        self.service.set { $0.providers = [ScriptedProvider("CableNova")] }
        let application = try await self.other()
        #expect(self.service.count(of: Self.passive) == 0)
        #expect(application.recorder.everything == [.configured])
        // The token itself is taken over instead.
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test func `for an MVPD that does not support passive logins no passive request is sent`() async throws {
        self.service.set {
            $0.providers = [
                ScriptedProvider("CableNova") {
                    $0.isPerRequestor = true
                    $0.isPassive = false
                }
            ]
        }
        let application = try await self.other()
        #expect(self.service.count(of: Self.passive) == 0)
        #expect(await application.enabler.authenticationStatus() == nobody)
    }

    @Test func `no passive request is sent that would end the sign-in in use at the server`() async throws {
        let south = try await self.box.signedIn(self.service, provider: "SatOne", requestor: "SOUTHSPORT")
        try await self.box.application(self.service).signIn(self.service, force: true)
        try await south.enabler.configure(requestorID: "SOUTHSPORT")
        #expect(self.service.count(of: Self.passive) == 0)
        #expect(await south.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
    }

    @Test("a passive request that takes too long does not hold the phase up, and its answer still counts")
    func late() async throws {
        _ = try await self.box.signedIn(self.service)
        let held = self.service.hold(Self.passive)
        let clock = ManualClock()
        let application = try self.box.start(self.service) { $0.clock = clock }
        application.enabler.setRequestor("SOUTHSPORT")
        await held.reached()
        #expect(await clock.slept.next() == .seconds(10))
        clock.advance(by: .seconds(10))
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(held.isHeld && application.recorder.callbacks == [.configured])
        #expect(await application.enabler.authenticationStatus() == nobody)
        held.open()
        // The next phase waits for nothing but its own attempt, which the first one's token may have made needless.
        try await application.enabler.configure(requestorID: "SOUTHSPORT")
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }
}
