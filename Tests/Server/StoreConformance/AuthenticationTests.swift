import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, AuthN records", .stores)
struct AuthenticationTests {
    private let westFilm = Fixture.requestor("WESTFILM")

    /// Signs in as the domain does: through a code and a swap.
    private func keep(_ records: AuthNRecord..., in store: any Store) async throws {
        for record in records {
            let code = try await store.keep(
                Fixture.record(try #require(RegistrationCodeText("X" + record.id.text.suffix(6)))), limit: 1000)
            #expect(try await store.replace(code, attempt: nil, creating: record))
        }
    }

    @Test("are read as they were written, newest first, expired ones too", arguments: StoreUnderTest.all)
    func order(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let old = Fixture.authentication(
            1, Fixture.context(1, appID: "a"), created: Fixture.now - .seconds(10), lifetime: .zero)
        let newest = Fixture.authentication(
            2, Fixture.context(1, appID: "b"), code: Fixture.code(4), created: Fixture.now + .seconds(10))
        let middle = Fixture.authentication(3, Fixture.context(1, deviceUser: "ü"), isExclusive: true)
        let afterMiddle = Fixture.authentication(4, Fixture.context(1, appID: "c", deviceUser: "d"))
        let foreign = Fixture.authentication(5, Fixture.context(2))
        try await self.keep(old, newest, middle, afterMiddle, foreign, in: store)
        // Of two of the same moment the one kept later is the newer.
        #expect(try await store.authentications(of: Fixture.device(1)) == [newest, afterMiddle, middle, old])
        #expect(try await store.authentications(of: Fixture.device(2)) == [foreign])
        #expect(try await store.authentications(of: Fixture.device(3)) == [])
    }

    @Test("replace what the same context held, and nothing else", arguments: StoreUnderTest.all)
    func replacement(_ kind: StoreUnderTest) async throws {
        let contexts = [
            Fixture.context(1), Fixture.context(1, appID: "app"), Fixture.context(1, deviceUser: "app"),
            Fixture.context(1, appID: "app", deviceUser: "user"), Fixture.context(1, appID: "APP"),
            Fixture.context(2),
        ]
        let store = try await kind.store()
        for (number, context) in contexts.enumerated() {
            try await self.keep(Fixture.authentication(number, context), in: store)
        }
        #expect(try await store.authentications(of: Fixture.device(1)).count == 5)
        for (number, context) in contexts.enumerated() {
            // By another requestor and at another provider: the context alone decides.
            let second = Fixture.authentication(
                100 + number, context, requestor: Fixture.southNews, mvpd: Fixture.skyPeak)
            try await self.keep(second, in: store)
            let held = try await store.authentications(of: context.device).filter { $0.context == context }
            #expect(held == [second])
        }
        #expect(try await store.authentications(of: Fixture.device(1)).count == 5)
    }

    @Test("that count for one requestor alone live side by side", arguments: StoreUnderTest.all)
    func exclusive(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let shared = Fixture.authentication(1, Fixture.context(1), requestor: self.westFilm)
        let north = Fixture.authentication(2, Fixture.context(1), isExclusive: true)
        let south = Fixture.authentication(3, Fixture.context(1), requestor: Fixture.southNews, isExclusive: true)
        try await self.keep(shared, north, south, in: store)
        #expect(try await store.authentications(of: Fixture.device(1)) == [south, north, shared])
        let northAgain = Fixture.authentication(4, Fixture.context(1), isExclusive: true)
        let sharedAgain = Fixture.authentication(5, Fixture.context(1), requestor: self.westFilm)
        try await self.keep(northAgain, sharedAgain, in: store)
        #expect(try await store.authentications(of: Fixture.device(1)) == [sharedAgain, northAgain, south])
    }

    @Test("are erased as their context admits, once", arguments: StoreUnderTest.all)
    func deletion(_ kind: StoreUnderTest) async throws {
        let stored = [
            Fixture.context(1), Fixture.context(1, appID: "a"), Fixture.context(1, deviceUser: "u"),
            Fixture.context(1, appID: "a", deviceUser: "u"), Fixture.context(1, appID: "b", deviceUser: "u"),
            Fixture.context(2),
        ]
        let asked = stored + [Fixture.context(3), Fixture.context(1, appID: "b", deviceUser: "v")]
        for context in asked {
            let store = try await kind.store()
            for (number, context) in stored.enumerated() {
                try await self.keep(Fixture.authentication(number, context), in: store)
            }
            let erased = try await store.deleteAuthentications(context, audit: nil)
            #expect(Set(erased.map(\.context)) == Set(stored.filter { context.admits($0) }))
            for device in [1, 2] {
                let left = try await store.authentications(of: Fixture.device(device)).map(\.context)
                #expect(Set(left) == Set(stored.filter { $0.device == Fixture.device(device) && !context.admits($0) }))
            }
            #expect(try await store.deleteAuthentications(context, audit: nil) == [])
            await kind.giveBack()
        }
    }

    @Test("take their AuthZ records with them when they are replaced or erased", arguments: StoreUnderTest.all)
    func cascade(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let first = Fixture.authentication(1, Fixture.context(1))
        let other = Fixture.authentication(2, Fixture.context(1, appID: "a"))
        try await self.keep(first, other, in: store)
        let (north, south) = (Fixture.resource("North Sport HD"), Fixture.resource("South News"))
        #expect(try await store.save(Fixture.authorization(first, north)))
        #expect(try await store.save(Fixture.authorization(first, north, requestor: Fixture.southNews)))
        #expect(try await store.save(Fixture.authorization(other, south)))

        func stored(_ requestor: RequestorID) async throws -> [Resource] {
            try await store.authorizations(of: Fixture.device(1)).filter { $0.requestor == requestor }
                .map(\.resource).sorted { $0.text < $1.text }
        }
        #expect(try await stored(Fixture.northSport) == [north, south])
        let second = Fixture.authentication(3, Fixture.context(1))
        try await self.keep(second, in: store)
        #expect(try await stored(Fixture.northSport) == [south])
        #expect(try await stored(Fixture.southNews) == [])
        #expect(try await store.save(Fixture.authorization(second, north)))
        _ = try await store.deleteAuthentications(Fixture.context(1, appID: "a"), audit: nil)
        #expect(try await stored(Fixture.northSport) == [north])
    }
}
