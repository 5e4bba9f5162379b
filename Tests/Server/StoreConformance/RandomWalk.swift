import Clientless
import Entitlement
import StoreFixtures
import Testing
import TestSupport

/// One random operation after the other, on a store and on the model, with answers compared.
///
/// Identifiers come from small ranges, so that collisions, replacements and stale versions are frequent.
struct RandomWalk {
    private var generator: SeededGenerator
    private(set) var model = StoreModel()
    var operations = OperationModel()
    private(set) var now = Fixture.now
    private var position: ChangePosition
    private var records = 0

    init(seed: UInt64, start: ChangePosition) {
        self.generator = SeededGenerator(seed: seed)
        self.position = start
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self.generator) }

    mutating func oneOf<Value>(_ values: Value...) -> Value { values[self.number(0..<values.count)] }

    mutating func newNumber() -> Int {
        self.records += 1
        return self.records
    }

    mutating func requestor() -> RequestorID { self.oneOf(Fixture.northSport, Fixture.southNews) }

    private mutating func context() -> DeviceContext {
        Fixture.context(self.number(0..<4), appID: self.oneOf(nil, nil, "a"), deviceUser: self.oneOf(nil, nil, "u"))
    }

    mutating func resource() -> Resource { self.oneOf(Fixture.resource("A"), Fixture.resource("B")) }

    mutating func step(_ store: any Store, _ reader: any Store, _ place: Comment) async throws {
        self.now = self.now + .milliseconds(self.number(0..<600_000))
        switch self.number(0..<20) {
        case 0...3: try await self.insert(store, place)
        case 4...6: try await self.replace(store, place)
        case 7: try await self.delete(store, place)
        case 8...11: try await self.authorize(store, place)
        case 12: try await self.logOut(store, place)
        case 13: try await self.takeNonce(store, place)
        case 14...15: try await self.signIn(store, place)
        case 16...17: try await self.useTrial(store, place)
        case 18: try await self.operate(store, place)
        default: try await self.purge(store, place)
        }
        try await self.compareReads(reader, place)
    }

    private mutating func insert(_ store: any Store, _ place: Comment) async throws {
        let (code, device, requestor) = (Fixture.code(self.number(0..<60)), self.number(0..<4), self.requestor())
        let record = Fixture.record(
            code, device: device, requestor: requestor, generated: self.now,
            lifetime: .seconds(self.oneOf(1, 1800, 36_000)))
        let limit = self.number(1..<4)
        let expected = self.model.insert(record, limitPerDevice: limit, now: self.now)
        #expect(try await store.insert(record, limitPerDevice: limit, now: self.now) == expected, place)
    }

    /// A kept attempt at another stage, sometimes by a caller who read it too early.
    private mutating func changeAttempt(_ store: any Store, _ place: Comment) async throws {
        let id = Fixture.attempt(self.number(0..<8), code: Fixture.code(0)).id
        guard var attempt = self.model.attempts[id] else { return }
        if self.number(0..<4) == 0 { attempt.version += self.oneOf(-1, 1) }
        attempt.progress = self.oneOf(
            .atProvider, .handedOver(sealedExchange: [1]), .answered,
            .accepted(sealedLogin: [3]), .completed, .closed)
        let expected = self.model.update(attempt)
        #expect(try await store.update(attempt) == expected, place)
    }

    private mutating func replace(_ store: any Store, _ place: Comment) async throws {
        if self.number(0..<4) == 0 { return try await self.changeAttempt(store, place) }
        guard var record = self.model.codes.randomElement(using: &self.generator) else { return }
        if self.number(0..<4) == 0 { record.version += self.oneOf(-1, 1) }
        let context = self.context()
        let authentication = self.newAuthentication(context, code: record.code)
        let state: RegistrationCode.State = self.oneOf(
            .waiting(refusal: "no"), .opened, .loggingIn, .confirming, .completed(authentication.id), .declined,
            .expired)
        record.life = RegistrationCode(generated: record.life.generated, expires: record.life.expires, state: state)
        let attempt = Fixture.attempt(self.number(0..<8), code: record.code, created: self.now)
        let (someAttempt, someAuthentication) = (self.oneOf(nil, attempt), self.oneOf(nil, authentication))
        let expected = self.model.replace(record, attempt: someAttempt, creating: someAuthentication)
        let swapped = try await store.replace(record, attempt: someAttempt, creating: someAuthentication, audit: nil)
        #expect(swapped == expected, place)
    }

    private mutating func newAuthentication(_ context: DeviceContext, code: RegistrationCodeText?) -> AuthNRecord {
        let (requestor, isExclusive) = (self.requestor(), self.number(0..<3) == 0)
        return Fixture.authentication(
            self.newNumber(), context, requestor: requestor, isExclusive: isExclusive,
            mvpd: self.oneOf(Fixture.cableNova, Fixture.skyPeak), code: code,
            origin: self.oneOf(.regular, .temporaryPass, .degraded, .platform), created: self.now,
            lifetime: .seconds(self.oneOf(60, 86_400, 40 * 86_400)))
    }

    /// A sign-in without a code: a new one, or a kept one with another end.
    private mutating func signIn(_ store: any Store, _ place: Comment) async throws {
        if self.number(0..<3) == 0, var record = self.model.authentications.randomElement(using: &self.generator) {
            record.expires = self.now + .seconds(self.oneOf(1, 86_400))
            record.sealedSession = [9]
            record.providerSession = self.oneOf(nil, [1], [2])
            if self.number(0..<4) == 0 { record.version += self.oneOf(-1, 1) }
            let expected = self.model.update(record)
            #expect(try await store.update(record) == expected, place)
            return
        }
        let record = self.newAuthentication(self.context(), code: nil)
        self.model.insert(record)
        try await store.insert(record)
    }

    private mutating func selection() -> AuthNSelection {
        var selection = AuthNSelection.all
        switch self.number(0..<6) {
        case 0: selection.code = Fixture.code(self.number(0..<60))
        case 1: selection.userID = "viewer-\(self.number(0..<max(1, self.records)))"
        case 2: selection.providerSession = [UInt8(self.number(1..<3))]
        case 3: (selection.requestor, selection.mvpd) = (self.requestor(), Fixture.skyPeak)
        case 4:
            (selection.since, selection.before, selection.endingAfter) = (self.now - .seconds(3600), self.now, self.now)
        default: selection.requestor = self.requestor()
        }
        return selection
    }

    private mutating func delete(_ store: any Store, _ place: Comment) async throws {
        let (code, requestor) = (Fixture.code(self.number(0..<60)), self.oneOf(nil, self.requestor()))
        let expected = self.model.deleteCode(code, of: requestor)
        #expect(try await store.deleteCode(code, of: requestor) == expected, place)
    }

    private mutating func authorize(_ store: any Store, _ place: Comment) async throws {
        let (resource, requestor) = (self.resource(), self.requestor())
        if self.number(0..<4) == 0 {
            let id = Fixture.authenticationID(self.number(0..<max(1, self.records)))
            self.model.deleteAuthorization(of: id, requestor: requestor, resource: resource)
            try await store.deleteAuthorization(of: id, requestor: requestor, resource: resource)
        } else {
            let authentication =
                self.model.authentications.randomElement(using: &self.generator)
                ?? Fixture.authentication(0, Fixture.context(1))
            let record = Fixture.authorization(
                authentication, resource, requestor: requestor,
                origin: self.oneOf(.provider, .temporaryPass, .degraded), created: self.now)
            let limit = self.oneOf(1, 2, 200)
            let expected = self.model.save(record, limit: limit)
            #expect(try await store.save(record, limit: limit) == expected, place)
        }
    }

    private mutating func logOut(_ store: any Store, _ place: Comment) async throws {
        let audit = self.oneOf(nil, Fixture.audit(self.newNumber()))
        guard self.number(0..<2) == 0 else {
            let id = Fixture.authenticationID(self.number(0..<max(1, self.records)))
            let expected = self.model.deleteAuthentication(id)
            #expect(try await store.deleteAuthentication(id, audit: audit) == expected, place)
            if expected != nil, let audit { self.operations.log(audit) }
            return
        }
        if self.number(0..<3) == 0 {
            let selection = self.selection()
            let expected = self.model.deleteAuthentications(selection)
            let erased = try await store.deleteAuthentications(selection, limit: 1000, audit: audit)
            #expect(Set(erased) == Set(expected), place)
            if let audit { self.operations.log(audit) }
            return
        }
        let context = self.context()
        let expected = self.model.deleteAuthentications(context)
        #expect(Set(try await store.deleteAuthentications(context, audit: audit)) == Set(expected), place)
        if let audit { self.operations.log(audit) }
    }

    private mutating func takeNonce(_ store: any Store, _ place: Comment) async throws {
        let (nonce, expires) = ("\(self.number(0..<4))", self.now + .seconds(self.oneOf(1, 3600)))
        let expected = self.model.takeNonce(nonce, publicKey: "k", expires: expires, now: self.now)
        let taken =
            self.number(0..<2) == 0
            ? try await store.takeNonce(nonce, publicKey: "k", expires: expires, now: self.now)
            : try await store.takeNonce(nonce, publicKey: "k", expires: expires, now: self.now, isPassing: true)
        #expect(taken == expected, place)
    }

    private mutating func purge(_ store: any Store, _ place: Comment) async throws {
        if self.number(0..<3) == 0 { self.now = self.now + .seconds(self.oneOf(3600, 86_400, 20 * 86_400)) }
        self.model.purge(now: self.now)
        self.operations.purge(now: self.now)
        while try await !store.purge(StoreRetention(), limit: self.number(1..<20), now: self.now).isComplete {}
    }

    /// Asks through another handle for what may have changed, and for what must not have.
    private mutating func compareReads(_ reader: any Store, _ place: Comment) async throws {
        let expectedChanges = self.model.takeChanges().union(self.operations.takeChanges())
        switch try await reader.changes(after: self.position, limit: 1000) {
        case .changes(let changes, let position, let hasMore):
            #expect(Set(changes) == expectedChanges, place)
            #expect(!hasMore, place)
            self.position = position
        case .gap, .heldUp: Issue.record("a gap", sourceLocation: #_sourceLocation)
        }

        let code = Fixture.code(self.number(0..<60))
        #expect(try await reader.code(code) == self.model.code(code), place)
        let attempt = Fixture.attempt(self.number(0..<8), code: code).id
        let login = try await reader.login(attempt, now: self.now)
        let kept = self.model.login(attempt, now: self.now)
        #expect(login?.attempt == kept?.attempt && login?.record == kept?.record, place)
        let (device, requestor) = (Fixture.device(self.number(0..<4)), self.requestor())
        #expect(try await reader.authentications(of: device) == self.model.authentications(of: device), place)
        let resources = [Fixture.resource("A"), Fixture.resource("B")]
        let owner = Fixture.authenticationID(self.number(0..<max(1, self.records)))
        let authorizations = try await reader.authorizations(of: owner, requestor: requestor, resources: resources)
        let expected = self.model.authorizations(of: owner, requestor: requestor, resources: resources)
        #expect(authorizations == expected, place)
        let selection = self.selection()
        let selected = self.model.authentications(selection)
        #expect(try await reader.authentications(selection, after: nil, limit: 1000) == selected, place)
        let all = try await reader.authorizations(of: device)
        #expect(Set(all) == Set(self.model.authorizations(of: device)), place)
        let newest = Dictionary(all.map { ($0.authentication, $0.created) }, uniquingKeysWith: max)
        #expect(try await reader.lastDecisions(on: device) == newest, place)
        #expect(all.map(\.created) == all.map(\.created).sorted(by: >), place)
        let id = Fixture.authenticationID(self.number(0..<max(1, self.records)))
        #expect(try await reader.authentication(id) == self.model.authentication(id), place)
        try await self.compareOperations(reader, place)
        #expect(try await reader.liveCodeCount(now: self.now) == self.model.openCodeCount(at: self.now), place)
    }
}

@Suite("Every store", .stores)
struct RandomOperationsTests {
    @Test(
        "answers thousands of random operations as a plain model does", .timeLimit(.minutes(5)),
        arguments: StoreUnderTest.all, [1, 2, 3, 4] as [UInt64])
    func random(_ kind: StoreUnderTest, seed: UInt64) async throws {
        let (store, reader) = try await kind.pair()
        var walk = RandomWalk(seed: seed, start: try await reader.latestChange())
        for step in 0..<kind.steps { try await walk.step(store, reader, "seed \(seed), step \(step)") }
    }
}
