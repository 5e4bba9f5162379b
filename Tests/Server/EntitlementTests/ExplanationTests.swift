import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("An operator who asks about boxes", .fixture, .timeLimit(.minutes(5)))
struct ExplanationTests {
    private static let later = Fixture.now + .seconds(60)
    private let channel = Resource("ada TV")!

    private func administration() throws -> Administration {
        Administration(catalogue: Fixture.catalogue, store: fixture.store, keys: domain.keys)
    }

    private func steps(
        _ resource: Resource, requestor: RequestorID = Fixture.requestor, now: Timestamp = ExplanationTests.later
    ) async throws -> [ExplanationStep] {
        let administration = try self.administration()
        let box = try #require(try await administration.operations.box(DeviceID("box")!))
        return try await administration.explanations.steps(on: resource, by: box, requestor: requestor, now: now)
    }

    @Test("finds them by viewer, provider, requestor and time, the newest first, each with its name")
    func boxes() async throws {
        try await fixture.signedIn(device: "box")
        try await fixture.signedIn(device: "attic", requestor: Fixture.sibling, now: Fixture.now + .seconds(10))
        // What a requestor keeps to itself ends no sign-in of another one.
        try await fixture.signedIn(
            device: "box", requestor: Fixture.sibling, mvpd: Fixture.perRequestorProvider,
            now: Fixture.now + .seconds(20))
        let operations = try self.administration().operations
        let (all, hasMore) = try await operations.boxes(.all, limit: 10)
        #expect(all.map(\.signIns.count) == [2, 1] && !hasMore)
        #expect(all.allSatisfy { $0.label == "Living room" && $0.model == "HC-100" })
        #expect(try await operations.boxes(.all, limit: 1).hasMore)
        let own = try await operations.boxes(.with { $0.requestor = Fixture.requestor }, limit: 10).boxes
        #expect(own.map(\.handle) == [all[0].handle] && own.map(\.signIns.count) == [1])
        let late = try await operations.boxes(.with { $0.since = Fixture.now + .seconds(15) }, limit: 10).boxes
        #expect(late.map(\.handle) == [all[0].handle])
        for count in [8, 9, 64] {
            let prefix = try #require(BoxName(String(Hex.encode(all[1].device.bytes).prefix(count))))
            #expect(try await operations.boxes(named: prefix).map(\.handle) == [all[1].handle])
        }
        let device = try #require(try await operations.box(DeviceID("attic")!))
        #expect(device.handle == all[1].handle)
        #expect(try await operations.box(DeviceID("cellar")!) == nil)
        #expect(try await operations.deleteRecords(of: device.device, actor: "op", now: Self.later).count == 1)
        let name = try #require(BoxName(device.handle.description))
        #expect(try await operations.boxes(named: name).map(\.signIns.isEmpty) == [true])
    }

    @Test("names a box by hex digits alone", arguments: ["", "1234567", "1234567-", String(repeating: "a", count: 65)])
    func wrongNames(_ text: String) { #expect(BoxName(text) == nil) }

    @Test func `learns what decides: the sign-in, a permit, or the provider`() async throws {
        try await fixture.signedIn()
        let first = try await self.steps(self.channel)
        guard case .credentials(keyPairs: 0, applications: 0, used: nil)? = first.first,
            case .signIn? = first.dropFirst().first, case .provider(Fixture.provider, viewer: _)? = first.last
        else { return #expect(Bool(false), "\(first.count) steps") }
        guard case .provider(_, viewer: let viewer)? = first.last else { return }
        let administration = try self.administration()
        let box = try #require(try await administration.operations.box(DeviceID("box")!))
        let record = try #require(box.signIns.first)
        #expect(try await administration.explanations.accountName(of: record) == nil)
        let account = Account(mvpd: Fixture.provider, id: viewer, name: "ada", passwordHash: "hash", lineUp: [])
        #expect(try await fixture.store.insert(account, audit: nil))
        #expect(try await administration.explanations.accountName(of: record) == "ada")
        _ = try await domain.decisions.authorize(self.channel, context: fixture.device("box"))
        #expect(try await self.steps(self.channel).last?.mayPlay == true)
        let over = try await self.steps(self.channel, now: Fixture.now + .seconds(40 * 86_400))
        guard case .signInOver? = over.last else { return #expect(Bool(false), "the sign-in is over") }
        #expect(over.last?.mayPlay == false)
        // One that shares no sign-in with the requestor.
        let other = try await self.steps(
            self.channel, requestor: Fixture.unasked, now: Fixture.now + .seconds(40 * 86_400))
        #expect(other.last?.mayPlay == false)
        try await fixture.signedIn(mvpd: Fixture.otherProvider, now: Self.later)
        let off = try await self.steps(self.channel, requestor: Fixture.unasked)
        #expect(off.last == .switchedOff(Fixture.otherProvider) && off.last?.mayPlay == false)
    }

    @Test func `learns that no key opens the session of a sign-in, behind the steps before it`() async throws {
        try await fixture.signedIn()
        let keys = try ServerKeys(
            masterSecret: Fixture.masterSecret, sealing: [SealingKeys.Key(Secret(Array(repeating: 9, count: 32)))])
        let administration = Administration(catalogue: Fixture.catalogue, store: fixture.store, keys: keys)
        let box = try #require(try await administration.operations.box(DeviceID("box")!))
        let steps = try await administration.explanations.steps(
            on: self.channel, by: box, requestor: Fixture.requestor, now: Self.later)
        guard case .signIn? = steps.dropFirst().first, case .sealed? = steps.last
        else { return #expect(Bool(false), "\(steps)") }
        #expect(steps.last?.mayPlay == false)
    }

    @Test("gets no answer from a foreign credential where the sign-in is shared: the other application has its own")
    func sharedSignIn() async throws {
        let credentials = try self.administration().credentials
        let own = try await credentials.issueKeyPair(for: [Fixture.requestor], actor: "op", now: Fixture.now).record
        _ = try await credentials.issueKeyPair(for: [Fixture.sibling], actor: "op", now: Fixture.now)
        try await fixture.signedIn(credential: .keyPair(own.publicKey))
        let steps = try await self.steps(self.channel, requestor: Fixture.sibling)
        guard case .foreignCredential(_, isShared: true)? = steps.first, case .provider? = steps.last
        else { return #expect(Bool(false), "\(steps)") }
        #expect(steps.compactMap(\.mayPlay).isEmpty)
    }

    @Test("learns that the credential of the box may not speak for the requestor, unless it has another that may")
    func foreignCredential() async throws {
        let credentials = try self.administration().credentials
        let own = try await credentials.issueKeyPair(for: [Fixture.requestor], actor: "op", now: Fixture.now).record
        let other = try await credentials.issueKeyPair(for: [Fixture.sibling], actor: "op", now: Fixture.now).record
        func signIn(_ pair: KeyPairRecord, _ requestor: RequestorID, _ now: Timestamp) async throws {
            let device = fixture.device("box")
            try await fixture.store.insert(
                AuthNRecord(
                    id: AuthNID(text: pair.publicKey), context: device, requestor: requestor, isExclusive: true,
                    mvpd: Fixture.provider, userID: "ada", code: nil, credential: .keyPair(pair.publicKey),
                    created: now, expires: now + .seconds(30), sealedSession: [1]))
        }
        try await signIn(own, Fixture.requestor, Fixture.now)
        let refused = try await self.steps(self.channel, requestor: Fixture.sibling)
        guard case .foreignCredential(let used, isShared: false)? = refused.last
        else { return #expect(Bool(false), "\(refused)") }
        #expect(refused.count == 1 && used.credential == .keyPair(own.publicKey) && used.isInUse)
        #expect(refused.compactMap(\.mayPlay) == [false])
        // What it calls with after that is not known.
        _ = try await credentials.revokeKeyPair(own.publicKey, actor: "op", now: Self.later)
        #expect(try await self.steps(self.channel, requestor: Fixture.sibling).last == .noSignIn)
        try await signIn(other, Fixture.sibling, Fixture.now + .seconds(1))
        guard
            case .credentials(keyPairs: 1, applications: 0, used: let sibling)? = try await self.steps(
                self.channel, requestor: Fixture.sibling
            ).first
        else { return #expect(Bool(false), "the box has one that may") }
        #expect(sibling?.credential == .keyPair(other.publicKey))
    }

    @Test func `learns which rule refuses or grants, also one that was made a moment ago`() async throws {
        try await fixture.signedIn()
        try await fixture.addRule(.authzAll)
        let granted = try await self.steps(self.channel)
        guard case .granted? = granted.last else { return #expect(Bool(false), "the rule grants") }
        #expect(granted.compactMap(\.mayPlay).last == true)
        try await fixture.addRule(.authzNone, resources: ["ada TV"], message: "Blacked out.")
        let refused = try await self.steps(self.channel)
        #expect(refused.last == .degradation(.refuse(message: "Blacked out.")))
        #expect(refused.last?.mayPlay == false)
    }

    @Test func `learns what is left of a trial, and asking uses nothing up`() async throws {
        let record = try await domain.trials.start(
            fixture.device("box"), requestor: Fixture.requestor, mvpd: Fixture.trial, person: nil, by: .box,
            now: Fixture.now)
        for _ in 0..<2 {
            let steps = try await self.steps(self.channel)
            #expect(steps.last == .trial(.permit(expires: Self.later + Fixture.trialTime)))
        }
        _ = try await domain.decisions.authorize(self.channel, by: record, now: Self.later)
        #expect(try await self.steps(self.channel).last == .trial(.permit(expires: Self.later + Fixture.trialTime)))
    }
}
