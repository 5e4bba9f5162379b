import Clientless
import Testing

@testable import Entitlement

@Suite("Signing out by a record", .fixture, .timeLimit(.minutes(5)))
struct LogoutTests {
    @Test func `ends it for everyone who shared it, tells the provider once, and can be said twice`() async throws {
        let code = try await fixture.signedIn()
        let record = try await fixture.record()
        for _ in 0..<2 { #expect(try await domain.signIns.logout(record, now: Fixture.now) == nil) }
        // The answer does not wait for the provider (rest-v1 18).
        #expect(fixture.provider.endedSessions.isEmpty)
        #expect(await fixture.toldSessions() == ["ada"])
        for requestor in [Fixture.requestor, Fixture.sibling] {
            let standing = try await domain.signIns.deviceStanding(
                of: fixture.device("box"), requestor: requestor, now: Fixture.now)
            #expect(standing == .never)
        }
        #expect(try await domain.codes.codeStanding(of: code) == .signInGone)
    }

    @Test("tells the provider with the last current sign-in that rests on its session, on whatever device")
    func sharedSession() async throws {
        let login = ProviderLogin(upstreamUserID: "ada", session: ProviderSession(account: "ada"), sessionName: "sid")
        var records: [AuthNRecord] = []
        for (device, end) in [("box", nil), ("attic", nil), ("guest", Fixture.now + .seconds(1))] {
            records.append(
                try await domain.signIns.signIn(
                    fixture.device(device), requestor: Fixture.requestor, mvpd: Fixture.provider, login: login,
                    origin: .regular, until: end, now: Fixture.now))
        }
        let later = Fixture.now + .seconds(1)
        _ = try await domain.signIns.logout(records[0], now: later)
        #expect(await fixture.toldSessions().isEmpty)
        _ = try await domain.signIns.logout(records[1], now: later)
        #expect(await fixture.toldSessions() == ["ada"])
    }

    @Test("leaves the account of a box to its other applications, and never ends the session of a platform")
    func copies() async throws {
        // The provider gives its sessions no names.
        func signIn(_ requestor: RequestorID, _ origin: AuthNOrigin, at time: Timestamp) async throws -> AuthNRecord {
            try await domain.signIns.signIn(
                fixture.device("box"), requestor: requestor, mvpd: Fixture.perRequestorProvider,
                login: ScriptedProvider.login(of: "ada"), origin: origin, now: time)
        }
        let account = try await signIn(Fixture.requestor, .regular, at: Fixture.now)
        let copy = try await signIn(Fixture.sibling, .platform, at: Fixture.now)
        _ = try await domain.signIns.logout(account, now: Fixture.now)
        let again = try await signIn(Fixture.requestor, .regular, at: Fixture.now)
        _ = try await domain.signIns.logout(copy, now: Fixture.now)
        #expect(await fixture.toldSessions().isEmpty)
        _ = try await domain.signIns.logout(again, now: Fixture.now)
        #expect(await fixture.toldSessions() == ["ada"])
        // An older copy holds no session that ends with it.
        for isOnPage in [false, true] {
            _ = try await signIn(Fixture.sibling, .platform, at: Fixture.now - .seconds(1))
            let own = try await signIn(Fixture.requestor, .regular, at: Fixture.now)
            let (both, viewer) = (Set([own.requestor, Fixture.sibling]), Viewer(mvpd: own.mvpd, userID: own.userID))
            try await isOnPage
                ? domain.boxes.signOutAll(of: viewer, now: Fixture.now)
                : domain.signIns.logout(own.context, requestors: both, now: Fixture.now)
        }
        #expect(await fixture.toldSessions() == ["ada", "ada", "ada"])
    }

    @Test("hands on the address of a provider that signs out in a browser", .fixture(manner: .browserOnly))
    func userAgent() async throws {
        let outcome = try await domain.signIns.logout(try await fixture.newSignIn(), now: Fixture.now)
        #expect(outcome == "https://cable-nova.example/logout")
    }

    @Test("tells the providers of all sign-ins of a device that end together; one that cannot be told holds up none")
    func byDevice() async throws {
        for manner in [ScriptedProvider.Manner.helpful, .browserOnly, .broken] {
            try await Fixture.with(manner: manner) {
                let both: Set = [Fixture.requestor, Fixture.sibling]
                for one in both { try await fixture.signedIn(requestor: one, mvpd: Fixture.perRequestorProvider) }
                for _ in 0..<2 {
                    try await domain.signIns.logout(fixture.device("box"), requestors: both, now: Fixture.now)
                }
                #expect(try await domain.operations.records(of: DeviceID("box")!).isEmpty)
                #expect(await fixture.toldSessions() == ["ada"])
            }
        }
    }

    @Test func `tells nobody of a skipped login: there is no session`() async throws {
        try await fixture.addRule(.authnAll)
        #expect(try await domain.signIns.logout(fixture.skippedLogin(), now: Fixture.now) == nil)
        #expect(await fixture.toldSessions().isEmpty)
    }

    @Test func `leaves other sign-ins of the device alone, and tells nobody of a trial`() async throws {
        try await fixture.signedIn(mvpd: Fixture.perRequestorProvider)
        let trial = try await domain.trials.start(
            fixture.device("box"), requestor: Fixture.sibling, mvpd: Fixture.trial, person: nil, by: .box,
            now: Fixture.now + .seconds(1))
        #expect(try await domain.signIns.logout(trial, now: Fixture.now) == nil)
        #expect(await fixture.toldSessions().isEmpty)
        #expect(try await fixture.record().mvpd == Fixture.perRequestorProvider)
    }
}
