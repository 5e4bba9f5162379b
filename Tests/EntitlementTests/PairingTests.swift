import Clientless
import Cryptography
import Entitlement
import StoreSQLite
import Testing

@Suite("Pairing on a real store", .timeLimit(.minutes(1)))
struct PairingTests {
    typealias Fixture = PairingFixture
    static let now = PairingFixture.start

    private func error<Result>(
        _ expected: EntitlementError.Code, _ body: () async throws -> Result,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        do {
            _ = try await body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? EntitlementError)?.code == expected, sourceLocation: sourceLocation)
        }
    }

    @Test("a box is told at each step where its code is, and is signed in at the end")
    func wholeWay() async throws {
        try await Fixture.with { fixture in
            let pairing = fixture.pairing
            let code = try await fixture.code()
            func standing() async throws -> CodeStanding {
                try await pairing.standing(of: code, requestor: Fixture.requestor, now: Self.now)
            }
            #expect(try await standing() == .open(.waiting, refusal: nil))
            #expect(
                pairing.standingInMemory(of: code, requestor: Fixture.requestor, now: Self.now)
                    == .open(.waiting, refusal: nil))
            let start = try await pairing.beginLogin(
                LoginRequest(
                    code: code, requestor: nil, mvpd: Fixture.provider, origin: .secondScreen,
                    browser: Fixture.browser), now: Self.now)
            #expect(start.handover == .signInPage)
            #expect(try await standing() == .open(.loggingIn, refusal: nil))
            guard
                case .refused(_, reason: "Not quite.") = try await fixture.signIn(
                    start.token, account: "ada", password: "wrong")
            else { return #expect(Bool(false), "a wrong password was taken") }
            #expect(try await standing() == .open(.waiting, refusal: "Not quite."))
            guard case .confirm(let view) = try await fixture.signIn(start.token, account: "ada")
            else { return #expect(Bool(false), "the box was not confirmed by anyone") }
            #expect(view.record.box.name == "Living room")
            #expect(try await standing() == .open(.confirming, refusal: nil))
            _ = try await pairing.confirm(start.token, browser: Fixture.browser, now: Self.now)
            guard case .signedIn(let record) = try await standing() else { return #expect(Bool(false)) }
            #expect(record.mvpd == Fixture.provider)
            #expect(record.userID.count == 64 && !record.userID.contains("ada"))
            #expect(
                try await pairing.standing(of: fixture.device("box"), requestor: Fixture.requestor, now: Self.now)
                    == .signedIn(record))
        }
    }

    @Test("another requestor's code is unknown")
    func foreignCode() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            #expect(
                try await fixture.pairing.standing(of: code, requestor: Fixture.sibling, now: Self.now) == .unknown)
            #expect(try await fixture.pairing.openCode(code, of: Fixture.sibling, now: Self.now) == nil)
            await self.error(.codeUnknown) {
                try await fixture.pairing.beginLogin(
                    LoginRequest(
                        code: code, requestor: Fixture.sibling, mvpd: Fixture.provider,
                        origin: .foreignPage(redirectURL: "https://x.example/"), browser: Fixture.browser),
                    now: Self.now)
            }
        }
    }

    @Test("deny, then Back, then approve does not sign the box in")
    func denyThenApprove() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            let token = try await fixture.acceptedLogin(code)
            _ = try await fixture.pairing.decline(token, browser: Fixture.browser, now: Self.now)
            await self.error(.codeDeclined) {
                try await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now)
            }
            await self.error(.codeDeclined) { try await fixture.acceptedLogin(code) }
            #expect(
                try await fixture.pairing.standing(of: code, requestor: Fixture.requestor, now: Self.now) == .declined)
            #expect(
                try await fixture.pairing.standing(
                    of: fixture.device("box"), requestor: Fixture.requestor, now: Self.now) == .never)
        }
    }

    @Test("confirming twice is the same as once, and declining afterwards is too late")
    func confirmTwice() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            let token = try await fixture.acceptedLogin(code)
            _ = try await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now)
            let first = try await fixture.pairing.standing(of: code, requestor: Fixture.requestor, now: Self.now)
            _ = try await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now)
            #expect(
                try await fixture.pairing.standing(of: code, requestor: Fixture.requestor, now: Self.now) == first)
            await self.error(.codeUsed) {
                try await fixture.pairing.decline(token, browser: Fixture.browser, now: Self.now)
            }
        }
    }

    @Test("of twenty viewers who confirm one code at once, exactly one signs the box in")
    func firstSuccessWins() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            var tokens: [String] = []
            for viewer in 0..<20 { tokens.append(try await fixture.acceptedLogin(code, account: "viewer\(viewer)")) }
            let wins = await withTaskGroup(of: Bool.self) { group in
                for token in tokens {
                    group.addTask {
                        (try? await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wins == 1)
            #expect(try await fixture.store.authentications(of: fixture.device("box").device).count == 1)
        }
    }

    @Test("another browser cannot go on with a login")
    func otherBrowser() async throws {
        try await Fixture.with { fixture in
            let token = try await fixture.acceptedLogin(try await fixture.code())
            for body in [fixture.pairing.confirm, fixture.pairing.decline, fixture.pairing.login] {
                await self.error(.loginUnknown) { try await body(token, Secret("another session"), Self.now) }
            }
            await self.error(.loginUnknown) {
                try await fixture.signIn(token, account: "ada", browser: Secret("another session"))
            }
        }
    }

    @Test("a code takes two hundred logins and no more, and those under way can still end")
    func manyLogins() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            let token = try await fixture.acceptedLogin(code)
            let request = LoginRequest(
                code: code, requestor: nil, mvpd: Fixture.provider, origin: .secondScreen, browser: Fixture.browser)
            for _ in 2..<200 { _ = try await fixture.pairing.beginLogin(request, now: Self.now) }
            await self.error(.codeUsed) { try await fixture.pairing.beginLogin(request, now: Self.now) }
            _ = try await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now)
            #expect(try await fixture.store.authentications(of: fixture.device("box").device).count == 1)
        }
    }

    @Test("a login is forgotten after fifteen minutes")
    func attemptLifetime() async throws {
        try await Fixture.with { fixture in
            let token = try await fixture.acceptedLogin(try await fixture.code())
            await self.error(.loginUnknown) {
                try await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now + .seconds(900))
            }
        }
    }

    @Test("a login that comes back within two minutes of the code's end still signs the device in")
    func grace() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code(lifetime: .seconds(60))
            let token = try await fixture.acceptedLogin(code)
            let late = Self.now + .seconds(179)
            _ = try await fixture.pairing.confirm(token, browser: Fixture.browser, now: late)
            #expect(try await fixture.pairing.standing(of: code, requestor: Fixture.requestor, now: late) == .expired)
            let standing = try await fixture.pairing.standing(
                of: fixture.device("box"), requestor: Fixture.requestor, now: late)
            guard case .signedIn = standing else { return #expect(Bool(false), "\(standing)") }
        }
    }

    @Test("wrong passwords close the door for the account, whoever asks")
    func passwordLimit() async throws {
        var limits = Pairing.Limits()
        limits.passwordGuesses = AttemptLimit(failures: 3, window: .seconds(600), penalty: .seconds(300))
        try await Fixture.with(limits: limits) { fixture in
            let start = try await fixture.pairing.beginLogin(
                LoginRequest(
                    code: try await fixture.code(), requestor: nil, mvpd: Fixture.provider, origin: .secondScreen,
                    browser: Fixture.browser), now: Self.now)
            for _ in 0..<3 { _ = try await fixture.signIn(start.token, account: "ada", password: "wrong") }
            await self.error(.tooManyAttempts) { try await fixture.signIn(start.token, account: "ADA") }
            let later = Self.now + .seconds(300)
            guard case .confirm = try await fixture.signIn(start.token, account: "ada", now: later)
            else { return #expect(Bool(false), "the door stayed closed") }
        }
    }

    @Test("the eleventh open code of a box cancels its oldest, and tells who waits for it")
    func superseded() async throws {
        try await Fixture.with { fixture in
            let oldest = try await fixture.code()
            #expect(
                fixture.pairing.waitingRoom.wait(
                    on: [.code(oldest)], until: Self.now + .seconds(50), resume: { _ in }) != nil)
            for step in 1...10 { _ = try await fixture.code(now: Self.now + .milliseconds(step)) }
            #expect(fixture.pairing.waitingRoom.count == 0)
            #expect(
                try await fixture.pairing.standing(of: oldest, requestor: Fixture.requestor, now: Self.now)
                    == .cancelled)
        }
    }

    @Test("a second sign-in of a box takes the place of the first, with its decisions")
    func secondSignIn() async throws {
        try await Fixture.with { fixture in
            let device = fixture.device("box")
            let resource = Resource("ada TV")!
            let first = try await fixture.signedIn()
            _ = try await fixture.pairing.authorize(
                resource, context: device, requestor: Fixture.requestor, now: Self.now)
            let later = Self.now + .seconds(1)
            _ = try await fixture.signedIn(account: "bob", mvpd: Fixture.otherProvider, now: later)
            await self.error(.authorizationMissing) {
                try await fixture.pairing.storedAuthorization(
                    resource, context: device, requestor: Fixture.requestor, now: later)
            }
            await self.error(.notAuthorized) {
                try await fixture.pairing.authorize(
                    resource, context: device, requestor: Fixture.requestor, now: later)
            }
            #expect(
                try await fixture.pairing.standing(of: first, requestor: Fixture.requestor, now: later) == .signInGone)
        }
    }

    @Test("a sign-in counts for every requestor of the device, unless its provider says it is the obtainer's alone")
    func sharing() async throws {
        try await Fixture.with { fixture in
            _ = try await fixture.signedIn(device: "shared")
            guard
                case .signedIn = try await fixture.pairing.standing(
                    of: fixture.device("shared"), requestor: Fixture.sibling, now: Self.now)
            else { return #expect(Bool(false), "the sign-in was not shared") }
            _ = try await fixture.signedIn(device: "solo", mvpd: Fixture.perRequestorProvider)
            #expect(
                try await fixture.pairing.standing(
                    of: fixture.device("solo"), requestor: Fixture.sibling, now: Self.now) == .never)
        }
    }

    @Test("decisions are the provider's, kept, given again, and needed for a media token")
    func decisions() async throws {
        try await Fixture.with { fixture in
            let (device, pairing) = (fixture.device("box"), fixture.pairing)
            let resource = Resource("ada TV")!
            await self.error(.notAuthenticated) {
                try await pairing.authorize(resource, context: device, requestor: Fixture.requestor, now: Self.now)
            }
            _ = try await fixture.signedIn()
            await self.error(.notAuthorized) {
                try await pairing.mediaToken(resource, context: device, requestor: Fixture.requestor, now: Self.now)
            }
            let permit = try await pairing.authorize(
                resource, context: device, requestor: Fixture.requestor, now: Self.now)
            #expect(permit.expires == Self.now + .seconds(24 * 3600))
            let again = try await pairing.authorize(
                resource, context: device, requestor: Fixture.requestor, now: Self.now + .seconds(60))
            #expect(again == permit)
            let token = try await pairing.mediaToken(
                resource, context: device, requestor: Fixture.requestor, now: Self.now)
            #expect(token.expires == Self.now + .seconds(420))
            #expect(token.document == "ada TV until 420.0 seconds")
            do throws(EntitlementError) {
                _ = try await pairing.authorize(
                    Resource("bob TV")!, context: device, requestor: Fixture.requestor, now: Self.now)
                Issue.record("a channel outside the package was permitted")
            } catch {
                #expect(error.code == .notAuthorized)
                #expect(error.viewerMessage == "bob TV is not in your package.")
            }
            await self.error(.authorizationExpired) {
                try await pairing.storedAuthorization(
                    resource, context: device, requestor: Fixture.requestor, now: Self.now + .seconds(24 * 3600))
            }
        }
    }

    @Test("a provider that says nothing lets nobody in", .timeLimit(.minutes(1)))
    func silentProvider() async throws {
        var limits = Pairing.Limits()
        limits.providerTime = .milliseconds(10)
        try await Fixture.with(limits: limits, silent: true) { fixture in
            _ = try await fixture.signedIn()
            await self.error(.providerUnavailable) {
                try await fixture.pairing.authorize(
                    Resource("ada TV")!, context: fixture.device("box"), requestor: Fixture.requestor, now: Self.now)
            }
        }
    }

    @Test("an expired sign-in is told from one that never was, and takes its decisions along")
    func expiry() async throws {
        try await Fixture.with { fixture in
            let device = fixture.device("box")
            let code = try await fixture.signedIn()
            _ = try await fixture.pairing.authorize(
                Resource("ada TV")!, context: device, requestor: Fixture.requestor, now: Self.now)
            let later = Self.now + .seconds(30 * 24 * 3600)
            guard
                case .expired = try await fixture.pairing.standing(
                    of: device, requestor: Fixture.requestor, now: later)
            else { return #expect(Bool(false)) }
            await self.error(.notAuthenticated) {
                try await fixture.pairing.storedAuthorization(
                    Resource("ada TV")!, context: device, requestor: Fixture.requestor, now: later)
            }
            #expect(try await fixture.pairing.standing(of: code, requestor: Fixture.requestor, now: later) == .expired)
        }
    }

    @Test("signing out works for every requestor, twice, and leaves open codes alone")
    func logout() async throws {
        try await Fixture.with { fixture in
            let device = fixture.device("box")
            let completed = try await fixture.signedIn()
            let open = try await fixture.code()
            for _ in 0..<2 { try await fixture.pairing.logout(device) }
            for requestor in [Fixture.requestor, Fixture.sibling] {
                #expect(try await fixture.pairing.standing(of: device, requestor: requestor, now: Self.now) == .never)
            }
            #expect(
                try await fixture.pairing.standing(of: completed, requestor: Fixture.requestor, now: Self.now)
                    == .signInGone)
            #expect(
                try await fixture.pairing.standing(of: open, requestor: Fixture.requestor, now: Self.now)
                    == .open(.waiting, refusal: nil))
        }
    }

    @Test("a node hears of what another node changed, and wakes who waits with it")
    func twoNodes() async throws {
        try await Fixture.with { fixture in
            let other = try Fixture.pairing(on: fixture.store)
            try await other.start(now: Self.now)
            let position = try await fixture.store.latestChange()
            let code = try await fixture.code()
            _ = try await other.standing(of: code, requestor: Fixture.requestor, now: Self.now)
            #expect(
                other.waitingRoom.wait(on: [.code(code)], until: Self.now + .seconds(50), resume: { _ in }) != nil)
            let token = try await fixture.acceptedLogin(code)
            _ = try await fixture.pairing.confirm(token, browser: Fixture.browser, now: Self.now)
            _ = try await other.followChanges(after: position, now: Self.now)
            #expect(other.waitingRoom.count == 0)
            guard
                case .signedIn = try await other.standing(
                    of: code, requestor: Fixture.requestor, now: Self.now)
            else { return #expect(Bool(false), "the other node answers from old memory") }
        }
    }

    @Test("a declined code can be declined again without a login")
    func declineByCode() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            for _ in 0..<2 { try await fixture.pairing.decline(code: code, now: Self.now) }
            #expect(
                try await fixture.pairing.standing(of: code, requestor: Fixture.requestor, now: Self.now) == .declined)
        }
    }
}
