import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, AuthZ records", .stores)
struct AuthorizationTests {
    private func signedIn(_ store: any Store, number: Int = 1) async throws -> AuthNRecord {
        let code = Fixture.record(number, device: number)
        let authentication = Fixture.authentication(number, code.context)
        try await store.keep(code)
        #expect(try await store.replace(code, attempt: nil, creating: authentication))
        return authentication
    }

    @Test("are found by sign-in, requestor and resource, expired ones too", arguments: StoreUnderTest.all)
    func lookup(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let (one, two) = (try await self.signedIn(store), try await self.signedIn(store, number: 2))
        let resource = Fixture.resource("North Sport HD")
        let records = [
            Fixture.authorization(one, resource, created: Fixture.now - .seconds(1_000_000)),
            Fixture.authorization(one, resource, requestor: Fixture.southNews),
            Fixture.authorization(one, Fixture.resource("north sport hd")), Fixture.authorization(two, resource),
        ]
        for record in records { #expect(try await store.save(record)) }
        for record in records {
            let found = try await store.authorizations(
                of: record.authentication, requestor: record.requestor,
                resources: [record.resource, Fixture.resource("none"), record.resource])
            #expect(found == [record])
        }
        #expect(try await store.authorizations(of: one.id, requestor: Fixture.northSport, resources: []) == [])
    }

    @Test("are one per sign-in, requestor and resource; the later stands", arguments: StoreUnderTest.all)
    func replacement(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let authentication = try await self.signedIn(store)
        let resource = Fixture.resource("North Sport HD")
        #expect(try await store.save(Fixture.authorization(authentication, resource)))
        let later = Fixture.authorization(authentication, resource, created: Fixture.now + .seconds(60))
        #expect(try await store.save(later))
        let found = try await store.authorizations(
            of: later.authentication, requestor: later.requestor, resources: [resource])
        #expect(found == [later])
    }

    @Test("are not kept when their AuthN record is gone", arguments: StoreUnderTest.all)
    func orphan(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let authentication = try await self.signedIn(store)
        let record = Fixture.authorization(authentication, Fixture.resource("North Sport HD"))
        #expect(try await store.save(record))
        _ = try await store.deleteAuthentications(authentication.context, audit: nil)
        #expect(try await store.save(record) == false)
        let found = try await store.authorizations(
            of: record.authentication, requestor: record.requestor, resources: [record.resource])
        #expect(found == [])
    }

    @Test("of two applications on one device do not touch each other", arguments: StoreUnderTest.all)
    func applications(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let resource = Fixture.resource("North Sport HD")
        let signIns = [
            Fixture.authentication(1, Fixture.context(1, appID: "a")),
            Fixture.authentication(2, Fixture.context(1, appID: "b")),
        ]
        for signIn in signIns { try await store.save(signIn) }
        let records = signIns.map { Fixture.authorization($0, resource) }
        for record in records { #expect(try await store.save(record)) }
        func found(_ record: AuthZRecord) async throws -> [AuthZRecord] {
            try await store.authorizations(
                of: record.authentication, requestor: record.requestor, resources: [resource])
        }
        for record in records { #expect(try await found(record) == [record]) }
        // A late denial for the one is none for the other.
        try await store.deleteAuthorization(of: signIns[0].id, requestor: Fixture.northSport, resource: resource)
        #expect(try await found(records[0]) == [])
        #expect(try await found(records[1]) == [records[1]])
    }

    @Test("beyond the limit of a sign-in lose the oldest, and never the newest", arguments: StoreUnderTest.all)
    func limit(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let (authentication, other) = (try await self.signedIn(store), try await self.signedIn(store, number: 2))
        let untouched = Fixture.authorization(other, Fixture.resource("North Sport HD"))
        #expect(try await store.save(untouched))
        for number in 0..<5 {
            let record = Fixture.authorization(
                authentication, Fixture.resource("\(number)"), created: Fixture.now + .seconds(number))
            #expect(try await store.save(record, limit: 3))
        }
        func kept() async throws -> [String] {
            try await store.authorizations(of: authentication.context.device).map(\.resource.text)
        }
        #expect(try await kept() == ["4", "3", "2"])
        // It is kept although it is the oldest by its own time.
        let old = Fixture.authorization(authentication, Fixture.resource("old"), created: Fixture.now - .seconds(9))
        #expect(try await store.save(old, limit: 3))
        #expect(try await kept() == ["4", "3", "old"])
        // One in place of another takes no room.
        #expect(try await store.save(old, limit: 3))
        #expect(try await kept() == ["4", "3", "old"])
        #expect(try await store.authorizations(of: other.context.device) == [untouched])
    }

    @Test("may be for resources of 8 KB that differ in the last byte", arguments: StoreUnderTest.all)
    func longResources(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let authentication = try await self.signedIn(store)
        let stem = String(repeating: "<", count: Resource.maximumLength - 1)
        let resources =
            ["a", "b", "'"].map { Fixture.resource(stem + $0) }
            + [Fixture.resource("caf\u{E9}"), Fixture.resource("cafe\u{301}")]
        for resource in resources {
            #expect(try await store.save(Fixture.authorization(authentication, resource)))
        }
        let found = try await store.authorizations(
            of: authentication.id, requestor: Fixture.northSport, resources: resources)
        #expect(found.map(\.resource) == resources)
    }

    @Test("are erased one by one, any number of times", arguments: StoreUnderTest.all)
    func deletion(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let authentication = try await self.signedIn(store)
        let (north, south) = (Fixture.resource("North Sport HD"), Fixture.resource("South News"))
        for resource in [north, south] {
            #expect(try await store.save(Fixture.authorization(authentication, resource)))
        }
        let id = authentication.id
        for _ in 0..<2 {
            try await store.deleteAuthorization(of: id, requestor: Fixture.northSport, resource: north)
            try await store.deleteAuthorization(of: id, requestor: Fixture.southNews, resource: south)
            let left = try await store.authorizations(of: id, requestor: Fixture.northSport, resources: [north, south])
            #expect(left.map(\.resource) == [south])
        }
        #expect(try await store.authentications(of: authentication.context.device) == [authentication])
    }
}

@Suite("In every store, nonces", .stores)
struct NonceTests {
    @Test("are taken once per key until they expire", arguments: StoreUnderTest.all)
    func once(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let expires = Fixture.now + .seconds(900)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires, now: Fixture.now))
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires, now: Fixture.now) == false)
        #expect(try await store.takeNonce("n", publicKey: "K", expires: expires, now: Fixture.now))
        #expect(try await store.takeNonce("N", publicKey: "k", expires: expires, now: Fixture.now))
        let later = expires - .milliseconds(1)
        #expect(try await store.hasNonce(among: ["m", "n"], publicKey: "k", after: later))
        #expect(try await store.hasNonce(among: ["m", "n"], publicKey: "k", after: expires) == false)
        #expect(try await store.hasNonce(among: ["m"], publicKey: "k", after: later) == false)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: later + .seconds(900), now: later) == false)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires + .seconds(900), now: expires))
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires + .seconds(900), now: expires) == false)
    }

    @Test("that were refused do not live longer for it", arguments: StoreUnderTest.all)
    func refusalDoesNotExtend(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let expires = Fixture.now + .seconds(900)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: expires, now: Fixture.now))
        let much = expires + .seconds(86_400)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: much, now: Fixture.now) == false)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: much, now: expires))
    }

    @Test("of fifty callers at once are taken by one", arguments: StoreUnderTest.all)
    func race(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let end = Fixture.now + .seconds(900)
        let taken = try await Race.winners(50, one, other) { store, _ in
            try await store.takeNonce("n", publicKey: "k", expires: end, now: Fixture.now)
        }
        #expect(taken.count == 1)
    }
}
