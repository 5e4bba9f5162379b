import Clientless
import Entitlement
import Testing

@Suite("A shared sign-in", .fixture, .timeLimit(.minutes(5)))
struct SharingTests {
    private static let week: Duration = .seconds(7 * 24 * 3600)

    @Test("counts for a second requestor as long as that one's own configuration says, and for its obtainer longer")
    func lifetime() async throws {
        try await fixture.signedIn()
        let device = fixture.device("box")
        #expect(try await fixture.record(requestor: Fixture.sibling).expires == Fixture.now + Self.week)
        let permit = try await domain.decisions.authorize(
            Resource("ada TV")!, context: device, requestor: Fixture.sibling,
            now: Fixture.now + Self.week - .seconds(60))
        #expect(permit.expires == Fixture.now + Self.week, "a decision ends with the sign-in it rests on")
        let later = Fixture.now + Self.week
        guard
            case .expired = try await domain.signIns.deviceStanding(of: device, requestor: Fixture.sibling, now: later)
        else { return #expect(Bool(false), "the second requestor's lifetime was not heeded") }
        #expect(try await fixture.record(now: later).expires == Fixture.now + .seconds(30 * 24 * 3600))
    }

    @Test func `never outlives what its obtainer was given`() async throws {
        try await fixture.signedIn(requestor: Fixture.sibling)
        #expect(try await fixture.record(requestor: Fixture.requestor).expires == Fixture.now + Self.week)
    }

    @Test func `is not counted for a requestor that has no such provider, nor for one nobody knows`() async throws {
        try await fixture.signedIn()
        #expect(
            try await domain.signIns.deviceStanding(
                of: fixture.device("box"), requestor: RequestorID("EASTSPORT")!, now: Fixture.now) == .never)
    }

    @Test func `has decisions of its own for each requestor`() async throws {
        try await fixture.signedIn()
        let device = fixture.device("box")
        _ = try await domain.decisions.authorize(Resource("ada TV")!, context: device)
        await expectError(.authorizationMissing) {
            try await domain.decisions.storedAuthorization(
                Resource("ada TV")!, context: device, requestor: Fixture.sibling, now: Fixture.now)
        }
    }

    @Test func `of an application is that application's, whatever the requestor`() async throws {
        let (one, other) = (fixture.device("box", appID: "one"), fixture.device("box", appID: "other"))
        let login = ScriptedProvider.login(of: "ada")
        _ = try await domain.signIns.signIn(
            one, requestor: Fixture.requestor, mvpd: Fixture.provider, login: login, origin: .regular, now: Fixture.now
        )
        #expect(try await domain.signIns.deviceStanding(of: other) == .never)
        // Nor do other requestors share it (rest-v1 4).
        for device in [one, fixture.device("box")] {
            #expect(
                try await domain.signIns.deviceStanding(of: device, requestor: Fixture.sibling, now: Fixture.now)
                    == .never)
        }
        // A client that names its application only when it asks for the code finds it all the same.
        #expect(try await fixture.record().context == one)
    }

    @Test func `is found by its provider`() async throws {
        // By another requestor: its own earlier sign-in would end with its later one.
        try await fixture.signedIn(requestor: Fixture.sibling)
        try await fixture.signedIn(mvpd: Fixture.perRequestorProvider, now: Fixture.now + .seconds(1))
        let later = Fixture.now + .seconds(2)
        func current(_ requestor: RequestorID, _ mvpd: MVPDID) async throws -> MVPDID? {
            try await domain.signIns.currentSignIn(
                fixture.device("box"), requestor: requestor, mvpd: mvpd, now: later)?.mvpd
        }
        for mvpd in [Fixture.provider, Fixture.perRequestorProvider] {
            #expect(try await current(Fixture.requestor, mvpd) == mvpd)
        }
        #expect(try await current(Fixture.sibling, Fixture.provider) == Fixture.provider)
        #expect(try await current(Fixture.sibling, Fixture.perRequestorProvider) == nil)
        #expect(try await current(Fixture.requestor, Fixture.otherProvider) == nil)
    }

    @Test func `kept with an application's name is not shared, whatever else its record says`() async throws {
        let kept = try await fixture.newSignIn()
        for (device, appID) in [("1", "one"), ("2", nil)] {
            let record = AuthNRecord(
                id: AuthNID(text: String(repeating: device, count: 32)),
                context: fixture.device(device, appID: appID), requestor: Fixture.requestor, isExclusive: false,
                mvpd: Fixture.provider, userID: kept.userID, code: nil, created: kept.created,
                expires: kept.expires, sealedSession: kept.sealedSession)
            try await fixture.store.insert(record)
            #expect(try await fixture.record(of: device).id == record.id)
            let standing = try await domain.signIns.deviceStanding(
                of: fixture.device(device), requestor: Fixture.sibling, now: Fixture.now)
            if appID == nil {
                guard case .signedIn = standing else { return #expect(Bool(false), "\(standing)") }
            } else {
                #expect(standing == .never)
            }
        }
    }
}
