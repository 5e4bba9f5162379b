import Clientless
import Entitlement
import TestSupport
import Testing

@Suite("A TempPass", .fixture, .timeLimit(.minutes(5)))
struct TrialSignInTests {
    private func start(
        device: String = "box", mvpd: MVPDID = Fixture.trial, person: String? = nil,
        by caller: Guesser = .box, refusingExhausted: Bool = false, now: Timestamp = Fixture.now
    ) async throws -> AuthNRecord {
        try await domain.trials.start(
            fixture.device(device), requestor: Fixture.requestor, mvpd: mvpd,
            person: person.map(domain.trials.person), by: caller, refusingExhausted: refusingExhausted, now: now)
    }

    private func authorize(
        _ resource: String = "Anything", device: String = "box", person: String? = nil,
        now: Timestamp = Fixture.now
    ) async throws -> AuthZRecord {
        try await domain.decisions.authorize(
            Resource(resource)!, context: fixture.device(device), requestor: Fixture.requestor,
            person: person.map(domain.trials.person), now: now)
    }

    @Test("shows its whole time until the first authorization, and then ends together with its decisions")
    func clock() async throws {
        let signIn = try await self.start()
        let document = try domain.documents.authenticationDocument(of: signIn, device: DeviceID("box")!)
        #expect(signIn.origin == .temporaryPass && signIn.expires == Fixture.now + Fixture.trialTime)
        let later = Fixture.now + .seconds(1000)
        let permit = try await self.authorize(now: later)
        #expect(permit.origin == .temporaryPass && permit.expires == later + Fixture.trialTime)
        #expect(try await fixture.record(now: later).expires == permit.expires)
        let last = permit.expires - .milliseconds(1)
        _ = try await domain.decisions.mediaToken(permit.resource, context: fixture.device("box"), now: last)
        #expect(await domain.documents.requestor(ofLiving: document, now: last) == Fixture.requestor)
        #expect(await domain.documents.requestor(ofLiving: document, now: permit.expires) == nil)
        await expectError(.authenticationExpired) { try await self.authorize(now: permit.expires) }
    }

    @Test func `gives the remaining time to whoever deleted its tokens and asks again`() async throws {
        _ = try await self.start()
        let end = try await self.authorize().expires
        try await domain.signIns.logout(fixture.device("box"), requestors: [Fixture.requestor], now: Fixture.now)
        let later = Fixture.now + .seconds(1800)
        #expect(try await self.start(now: later).expires == end)
        #expect(try await self.authorize("Another", now: later).expires == end)
    }

    @Test("that is over still signs in, unless asked not to, and its authorizations and preauthorizations are refused")
    func exhausted() async throws {
        _ = try await self.start()
        let end = try await self.authorize().expires
        #expect(try await self.start(now: end).expires == end + Fixture.trialTime)
        await expectError(.notAuthorized, .trial) { try await self.authorize(now: end) }
        let verdicts = try await domain.decisions.preauthorize(
            [Resource("Anything")!], context: fixture.device("box"), now: end)
        #expect(verdicts == [.deny(.trial)])
        await expectError(.trialExhausted) { try await self.start(refusingExhausted: true, now: end) }
    }

    @Test func `is preauthorized for everything while it lives, begun or not, and that begins nothing`() async throws {
        let signIn = try await self.start()
        let resources = [Resource("One")!, Resource("Two")!]
        for step in [0, 100, 200] {
            let verdicts = try await domain.decisions.preauthorize(
                resources, by: signIn, now: Fixture.now + .seconds(step))
            #expect(verdicts == [.permit, .permit])
        }
        let later = Fixture.now + .seconds(300)
        #expect(try await self.authorize(now: later).expires == later + Fixture.trialTime)
        #expect(fixture.provider.questions.isEmpty)
    }

    @Test func `belongs to its requestor alone, and a real sign-in takes its place`() async throws {
        _ = try await self.start()
        let (device, sibling) = (fixture.device("box"), Fixture.sibling)
        #expect(try await domain.signIns.deviceStanding(of: device, requestor: sibling, now: Fixture.now) == .never)
        let later = Fixture.now + .seconds(1)
        #expect(try await fixture.newSignIn(now: later).origin == .regular)
        #expect(try await domain.operations.records(of: DeviceID("box")!).count == 1)
    }

    @Test func `begins anew for a device when an operator resets it, and for no other`() async throws {
        for device in ["box", "other"] {
            _ = try await self.start(device: device)
            _ = try await self.authorize(device: device)
        }
        let over = Fixture.now + Fixture.trialTime
        let identity = TrialIdentity.device(domain.keys.deviceHash(DeviceID("box")!))
        let count = try await domain.trials.reset(
            of: identity, requestor: Fixture.requestor, mvpd: Fixture.trial, actor: "test", now: over)
        #expect(count == 1)
        _ = try await self.start(refusingExhausted: true, now: over)
        #expect(try await self.authorize(now: over).expires == over + Fixture.trialTime)
        await expectError(.trialExhausted) { try await self.start(device: "other", refusingExhausted: true, now: over) }
    }

    @Test("of one address fills the store by less than 5 MB an hour, whatever texts a stranger chooses")
    func growth() async throws {
        // By its box and on the page, again and again: what began is counted once.
        var count = 0
        for second in 0..<3600 {
            do {
                _ = try await self.start(device: "box\(second)")
                count += 1
            } catch let error as EntitlementError {
                #expect(error.code == .tooManyAttempts && error.retryAfter != nil)
            }
            fixture.uptime.advance(by: .seconds(1))
        }
        #expect((128...130).contains(count))
        while (try? await self.start(device: "last")) != nil {}
        let page = try await fixture.begun(try await fixture.code(for: "page"), mvpd: Fixture.trial)
        await expectError(.tooManyAttempts) {
            try await domain.logins.confirm(page.token, browser: Fixture.browser, by: .box, now: Fixture.now)
        }
        // The longest texts come first, and shorter ones that leave more beside them.
        _ = try await self.start(device: "full", mvpd: Fixture.promotion, person: "p", by: .viewer)
        _ = try await self.authorize(String(repeating: "a", count: 8000), device: "full")
        await expectError(.notAuthorized, .trial) {
            try await self.authorize(String(repeating: "b", count: 8000), device: "full")
        }
        _ = try await self.start(device: "texts", by: .viewer)
        for number in 0..<200 {
            let text = "\(number) " + String(repeating: "x", count: max(0, 8000 / (number + 1)))
            let permit = try await self.authorize(text, device: "texts")
            #expect(try await fixture.store.authorizations(of: permit.device).contains(permit))
        }
        let permits = try await fixture.store.authorizations(of: fixture.device("texts").device)
        let bytes = permits.reduce(0) { $0 + $1.resource.received.utf8.count + 512 }
        #expect(permits.count == 16 && count * (bytes + Resource.maximumLength + 2048) < 5 << 20)
    }

    @Test func `is refused for a provider that has accounts`() async throws {
        await expectError(.unknownProvider) { try await self.start(mvpd: Fixture.provider) }
    }

    @Test("of a promotional kind finds its person on another device, and its device with another person")
    func identities() async throws {
        _ = try await self.start(mvpd: Fixture.promotion, person: "p1")
        let end = try await self.authorize().expires
        for (device, person) in [("second", "p1"), ("box", "p2")] {
            let signIn = try await self.start(
                device: device, mvpd: Fixture.promotion, person: person, now: Fixture.now + .seconds(60))
            #expect(signIn.expires == end, "\(device), \(person)")
        }
        let fresh = try await self.start(
            device: "third", mvpd: Fixture.promotion, person: "p3", now: Fixture.now + .seconds(60))
        #expect(fresh.expires == Fixture.now + .seconds(60) + Fixture.trialTime)
    }

    @Test func `of a promotional kind is its person's before it is its device's`() async throws {
        _ = try await self.start(device: "old", mvpd: Fixture.promotion, person: "p1")
        _ = try await self.authorize(device: "old")
        let over = Fixture.now + Fixture.trialTime
        _ = try await self.start(device: "new", mvpd: Fixture.promotion, person: "p2", now: over)
        _ = try await self.authorize(device: "new", now: over)
        // The same device, whose own trial runs, and the person whose trial is over.
        await expectError(.notAuthorized, .trial) { try await self.authorize(device: "new", person: "p1", now: over) }
        #expect(try await self.authorize(device: "new", now: over).resource == Resource("Anything"))
    }

    @Test("of a promotional kind says what is left of it, and when that changed")
    func metadata() async throws {
        _ = try await self.start(mvpd: Fixture.promotion, person: "p1")
        func metadata(_ now: Timestamp) async throws -> UserMetadata? {
            try await domain.metadata.userMetadata(fixture.device("box"), now: now)
        }
        var known = try #require(try await metadata(Fixture.now))
        #expect(known.updated == Fixture.now)
        #expect(known.values.map(\.key) == ["expiration_date", "remaining_resources", "used_assets"])
        #expect(known.values[1].value == .text("2") && known.values[2].value == .list([]))
        let later = Fixture.now + .seconds(60)
        let end = try await self.authorize("One", now: later).expires
        _ = try await self.authorize("One", now: later + .seconds(60))
        known = try #require(try await metadata(later + .seconds(60)))
        #expect(known.updated == later, "the second authorization of one resource says nothing new")
        #expect(known.values[0].value == .text(String(end.milliseconds)))
        #expect(known.values[1].value == .text("1") && known.values[2].value == .list(["One"]))
        let second = later + .seconds(120)
        _ = try await self.authorize("Two", now: second)
        #expect(try await metadata(second)?.updated == second)
        await expectError(.notAuthorized, .trial) { try await self.authorize("Three", now: later) }
        #expect(try await self.authorize("One", now: later).expires == end)
    }

    @Test func `used by many at once counts each resource once, and never more than there are`() async throws {
        _ = try await self.start(mvpd: Fixture.promotion, person: "p1")
        let permits = try await concurrently(12) { try? await self.authorize("Resource \($0)") }
        #expect(permits.count { $0 != nil } == 2)
    }

    @Test func `is tried on 64 devices at most, and goes on for those`() async throws {
        func use(_ number: Int) async throws {
            // Each at an address of its own, which may begin only so many.
            _ = try await self.start(
                device: "box \(number)", mvpd: Fixture.promotion, person: "p1",
                by: Guesser(.v4(0xC000_0200 + UInt32(number))))
            _ = try await self.authorize("One", device: "box \(number)")
        }
        for number in 0..<64 { try await use(number) }
        await expectError(.notAuthorized, .trial) { try await use(64) }
        try await use(0)
        let person = domain.trials.person("p1")
        let trial = try await fixture.store.trial(of: [person], requestor: Fixture.requestor, mvpd: Fixture.promotion)
        #expect(trial?.identities.count == 65)
    }
}
