import Clientless
import Entitlement
import StoreFixtures
import TestSupport
import Testing

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

    /// One that was not given out before.
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

    private mutating func replace(_ store: any Store, _ place: Comment) async throws {
        guard var record = self.model.codes.randomElement(using: &self.generator) else { return }
        if self.number(0..<4) == 0 { record.version += self.oneOf(-1, 1) }
        let context = self.context()
        let authentication = self.newAuthentication(context, code: record.code)
        let state: RegistrationCode.State = self.oneOf(
            .waiting(refusal: "no"), .loggingIn, .confirming, .completed(authentication.id), .declined, .expired)
        record.life = RegistrationCode(
            generated: record.life.generated, expires: record.life.expires, state: state)
        let attempt = Fixture.attempt(self.number(0..<8), code: record.code, created: self.now)
        let (someAttempt, someAuthentication) = (self.oneOf(nil, attempt), self.oneOf(nil, authentication))
        let expected = self.model.replace(record, attempt: someAttempt, creating: someAuthentication)
        let swapped = try await store.replace(record, attempt: someAttempt, creating: someAuthentication)
        #expect(swapped == expected, place)
    }

    private mutating func newAuthentication(_ context: DeviceContext, code: RegistrationCodeText?) -> AuthNRecord {
        let (requestor, isExclusive) = (self.requestor(), self.number(0..<3) == 0)
        return Fixture.authentication(
            self.newNumber(), context, requestor: requestor, isExclusive: isExclusive, code: code,
            origin: self.oneOf(.regular, .temporaryPass, .degraded, .platform), created: self.now,
            lifetime: .seconds(self.oneOf(60, 86_400, 40 * 86_400)))
    }

    /// A sign-in without a code: a new one, or a kept one with another end.
    private mutating func signIn(_ store: any Store, _ place: Comment) async throws {
        var record = self.newAuthentication(self.context(), code: nil)
        if self.number(0..<3) == 0, let kept = self.model.authentications.randomElement(using: &self.generator) {
            record = kept.ending(at: self.now + .seconds(self.oneOf(1, 86_400)))
        }
        self.model.save(record)
        try await store.save(record)
    }

    private mutating func delete(_ store: any Store, _ place: Comment) async throws {
        let (code, requestor) = (Fixture.code(self.number(0..<60)), self.oneOf(nil, self.requestor()))
        let expected = self.model.deleteCode(code, of: requestor)
        #expect(try await store.deleteCode(code, of: requestor) == expected, place)
    }

    private mutating func authorize(_ store: any Store, _ place: Comment) async throws {
        let (resource, requestor) = (self.resource(), self.requestor())
        if self.number(0..<4) == 0 {
            let device = Fixture.device(self.number(0..<4))
            self.model.deleteAuthorization(of: device, requestor: requestor, resource: resource)
            try await store.deleteAuthorization(of: device, requestor: requestor, resource: resource)
        } else {
            let authentication =
                self.model.authentications.randomElement(using: &self.generator)
                ?? Fixture.authentication(0, Fixture.context(1))
            let record = Fixture.authorization(
                authentication, resource, requestor: requestor,
                origin: self.oneOf(.provider, .temporaryPass, .degraded), created: self.now)
            let expected = self.model.save(record)
            #expect(try await store.save(record) == expected, place)
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
        let context = self.context()
        let expected = self.model.deleteAuthentications(context)
        #expect(Set(try await store.deleteAuthentications(context, audit: audit)) == Set(expected), place)
        if let audit { self.operations.log(audit) }
    }

    private mutating func takeNonce(_ store: any Store, _ place: Comment) async throws {
        let (nonce, expires) = ("\(self.number(0..<4))", self.now + .seconds(self.oneOf(1, 3600)))
        let expected = self.model.takeNonce(nonce, publicKey: "k", expires: expires, now: self.now)
        let taken = try await store.takeNonce(nonce, publicKey: "k", expires: expires, now: self.now)
        #expect(taken == expected, place)
    }

    private mutating func purge(_ store: any Store, _ place: Comment) async throws {
        if self.number(0..<3) == 0 { self.now = self.now + .seconds(self.oneOf(3600, 86_400, 20 * 86_400)) }
        self.model.purge(now: self.now)
        self.operations.purge(now: self.now)
        while try await store.purge(limit: self.number(1..<20), now: self.now) > 0 {}
    }

    /// Asks through another handle for what may have changed, and for what must not have.
    private mutating func compareReads(_ reader: any Store, _ place: Comment) async throws {
        let changes = try await reader.changes(after: self.position, limit: 1000)
        let expectedChanges = self.model.takeChanges().union(self.operations.takeChanges())
        #expect(Set(changes.map(\.subject)) == expectedChanges, place)
        self.position = changes.last?.position ?? self.position

        let code = Fixture.code(self.number(0..<60))
        #expect(try await reader.code(code) == self.model.code(code), place)
        let attempt = Fixture.attempt(self.number(0..<8), code: code).id
        #expect(try await reader.attempt(attempt, now: self.now) == self.model.attempt(attempt, now: self.now), place)
        let (device, requestor) = (Fixture.device(self.number(0..<4)), self.requestor())
        #expect(try await reader.authentications(of: device) == self.model.authentications(of: device), place)
        let resources = [Fixture.resource("A"), Fixture.resource("B")]
        let authorizations = try await reader.authorizations(of: device, requestor: requestor, resources: resources)
        let expected = self.model.authorizations(of: device, requestor: requestor, resources: resources)
        #expect(Set(authorizations) == Set(expected), place)
        let all = try await reader.authorizations(of: device)
        #expect(Set(all) == Set(self.model.authorizations(of: device)), place)
        #expect(all.map(\.created) == all.map(\.created).sorted(by: >), place)
        let id = Fixture.authenticationID(self.number(0..<max(1, self.records)))
        #expect(try await reader.authentication(id) == self.model.authentication(id), place)
        try await self.compareOperations(reader, place)
        // An estimate by one purge interval: between what is open now and what was open a minute ago.
        let count = try await reader.liveCodeCount(now: self.now)
        #expect(count >= self.model.openCodeCount(at: self.now), place)
        #expect(count <= self.model.openCodeCount(at: self.now - .seconds(60)), place)
    }
}
