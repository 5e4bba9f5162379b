import Clientless
import Entitlement
import Testing

@Suite("A sign-in", .fixture, .timeLimit(.minutes(5)))
struct SignInTests {
    @Test func `a second sign-in of a box takes the place of the first, with its decisions`() async throws {
        let device = fixture.device("box")
        let resource = Resource("ada TV")!
        let first = try await fixture.signedIn()
        _ = try await domain.decisions.authorize(resource, context: device)
        let later = Fixture.now + .seconds(1)
        _ = try await fixture.signedIn(account: "bob", mvpd: Fixture.otherProvider, now: later)
        await expectError(.authorizationMissing) {
            try await domain.decisions.storedAuthorization(resource, context: device, now: later)
        }
        await expectError(.notAuthorized) {
            try await domain.decisions.authorize(resource, context: device, now: later)
        }
        #expect(try await domain.codes.codeStanding(of: first, now: later) == .signInGone)
    }

    @Test func `of a box with many sign-ins memory keeps the newest, and says nothing of others`() async throws {
        let (device, signIns) = (fixture.device("box"), domain.signIns)
        for number in 1...5 {
            let record = AuthNRecord(
                id: AuthNID(text: String(repeating: "\(number)", count: 32)),
                context: fixture.device("box", appID: "app-\(number)"), requestor: Fixture.requestor,
                isExclusive: false, mvpd: Fixture.provider, userID: "viewer", code: nil, created: Fixture.now,
                expires: Fixture.now + .seconds(3600), sealedSession: [1])
            try await fixture.store.insert(record)
            guard case .signedIn = try await signIns.deviceStanding(of: device)
            else { return #expect(Bool(false), "\(number) sign-ins are not seen") }
            #expect(signIns.deviceStandingInMemory(of: device) != nil)
            let other = fixture.device("box", appID: "other")
            #expect(signIns.deviceStandingInMemory(of: other) == (number <= 4 ? .never : nil))
            let first = fixture.device("box", appID: "app-1")
            #expect((signIns.deviceStandingInMemory(of: first) != nil) == (number <= 4))
            // As the feed of changes does after each change.
            var unknown = ChangePosition(bytes: [1, 2, 3])
            try await domain.upkeep.followChanges(after: &unknown, now: Fixture.now)
        }
    }

    @Test("a sign-in counts for every requestor of the device, unless its provider says it is the obtainer's alone")
    func sharing() async throws {
        _ = try await fixture.signedIn(device: "shared")
        guard
            case .signedIn = try await domain.signIns.deviceStanding(
                of: fixture.device("shared"), requestor: Fixture.sibling, now: Fixture.now)
        else { return #expect(Bool(false), "the sign-in was not shared") }
        _ = try await fixture.signedIn(device: "solo", mvpd: Fixture.perRequestorProvider)
        #expect(
            try await domain.signIns.deviceStanding(
                of: fixture.device("solo"), requestor: Fixture.sibling, now: Fixture.now) == .never)
    }

    @Test func `an expired sign-in is told from one that never was, and takes its decisions along`() async throws {
        let device = fixture.device("box")
        let code = try await fixture.signedIn()
        _ = try await domain.decisions.authorize(Resource("ada TV")!, context: device)
        let later = Fixture.now + .seconds(30 * 24 * 3600)
        guard case .expired = try await domain.signIns.deviceStanding(of: device, now: later)
        else { return #expect(Bool(false)) }
        await expectError(.authenticationExpired) {
            try await domain.decisions.storedAuthorization(Resource("ada TV")!, context: device, now: later)
        }
        #expect(try await domain.codes.codeStanding(of: code, now: later) == .expired)
    }

    @Test func `signing out leaves what is another requestor's alone`() async throws {
        let device = fixture.device("box")
        try await fixture.signedIn(requestor: Fixture.sibling, mvpd: Fixture.perRequestorProvider)
        try await fixture.signedIn(now: Fixture.now + .seconds(1))
        let later = Fixture.now + .seconds(2)
        let signIns = domain.signIns
        try await signIns.logout(device, requestors: [Fixture.requestor], now: later)
        #expect(try await signIns.deviceStanding(of: device, now: later) == .never)
        #expect(try await fixture.record(requestor: Fixture.sibling, now: later).mvpd == Fixture.perRequestorProvider)
        try await signIns.logout(device, requestors: [Fixture.sibling], now: later)
        #expect(try await signIns.deviceStanding(of: device, requestor: Fixture.sibling, now: later) == .never)
    }

    @Test func `signing out works for every requestor, twice, and leaves open codes alone`() async throws {
        let device = fixture.device("box")
        let completed = try await fixture.signedIn()
        let open = try await fixture.code()
        for _ in 0..<2 {
            try await domain.signIns.logout(device, requestors: [Fixture.requestor], now: Fixture.now)
        }
        for requestor in [Fixture.requestor, Fixture.sibling] {
            #expect(
                try await domain.signIns.deviceStanding(of: device, requestor: requestor, now: Fixture.now)
                    == .never)
        }
        #expect(try await domain.codes.codeStanding(of: completed) == .signInGone)
        #expect(try await domain.codes.codeStanding(of: open) == .open(.waiting, refusal: nil))
    }
}
