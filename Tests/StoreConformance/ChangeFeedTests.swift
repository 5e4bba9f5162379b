import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, the feed of changes")
struct ChangeFeedTests {
    /// What `body` added to the feed, read through `reader`.
    private func subjects(
        _ reader: any Store, of body: () async throws -> Void
    ) async throws -> Set<StoreChange.Subject> {
        let before = try await reader.latestChange()
        try await body()
        let changes = try await reader.changes(after: before, limit: 1000)
        #expect(changes.map(\.position) == changes.map(\.position).sorted())
        #expect(Set(changes.map(\.position)).count == changes.count)
        if let last = changes.last { #expect(try await reader.latestChange() == last.position) }
        return Set(changes.map(\.subject))
    }

    @Test("is empty at first", arguments: StoreUnderTest.all)
    func empty(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { (store) async throws in
            let start = try await store.latestChange()
            #expect(try await store.changes(after: start, limit: 10) == [])
            #expect(try await store.changes(after: ChangePosition(number: 0), limit: 10) == [])
        }
    }

    @Test("tells other programs of codes, and not of new ones", arguments: StoreUnderTest.all)
    func codes(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (store, reader) async throws in
            var record = Fixture.record(Fixture.code(1))
            let ofNewCode = try await self.subjects(reader) { () async throws in
                _ = try await store.insert(record, limitPerDevice: 1, now: Fixture.now)
            }
            #expect(ofNewCode == [])
            let ofSwap = try await self.subjects(reader) { () async throws in
                #expect(try await store.replace(record, attempt: nil, creating: nil))
            }
            #expect(ofSwap == [.code(record.code)])
            record.version += 1
            let ofCancellation = try await self.subjects(reader) { () async throws in
                _ = try await store.insert(
                    Fixture.record(Fixture.code(2)), limitPerDevice: 1, now: Fixture.now)
            }
            #expect(ofCancellation == [.code(record.code)])
            let ofDeletions = try await self.subjects(reader) { () async throws in
                _ = try await store.deleteCode(Fixture.code(2), of: nil)
                _ = try await store.deleteCode(Fixture.code(2), of: nil)
                _ = try await store.deleteCode(Fixture.code(1), of: Fixture.southNews)
            }
            #expect(ofDeletions == [.code(Fixture.code(2))])
        }
    }

    @Test(
        "tells of a device that signs in or out, and of the codes that answered for it", arguments: StoreUnderTest.all)
    func devices(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (store, reader) async throws in
            let (first, second) = (Fixture.record(Fixture.code(1)), Fixture.record(Fixture.code(2)))
            for record in [first, second] {
                _ = try await store.insert(record, limitPerDevice: 10, now: Fixture.now)
            }
            let device = StoreChange.Subject.device(first.context.device)
            let ofSignIn = try await self.subjects(reader) { () async throws in
                let authentication = Fixture.authentication(1, first.context, code: first.code)
                #expect(try await store.replace(first, attempt: nil, creating: authentication))
            }
            #expect(ofSignIn == [.code(first.code), device])
            // The first code no longer leads to a sign-in.
            let ofSecondSignIn = try await self.subjects(reader) { () async throws in
                let authentication = Fixture.authentication(2, second.context, code: second.code)
                #expect(try await store.replace(second, attempt: nil, creating: authentication))
            }
            #expect(ofSecondSignIn == [.code(first.code), .code(second.code), device])
            let ofLogout = try await self.subjects(reader) { () async throws in
                _ = try await store.deleteAuthentications(first.context, audit: nil)
            }
            #expect(ofLogout == [.code(second.code), device])
            let ofSecondLogout = try await self.subjects(reader) { () async throws in
                _ = try await store.deleteAuthentications(first.context, audit: nil)
            }
            #expect(ofSecondLogout == [])
        }
    }

    @Test("tells of key pairs and applications", arguments: StoreUnderTest.all)
    func credentials(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (store, reader) async throws in
            let pair = KeyPairRecord(
                publicKey: "k", sealedPrivateKey: [], requestors: [], created: Fixture.now, ends: nil)
            let application = ApplicationRecord(
                softwareID: "1", name: "n", version: "v", requestors: [], redirectTargets: [], scopes: [],
                created: Fixture.now, ends: nil)
            let ofPair = try await self.subjects(reader) { try await store.save(pair, audit: Fixture.audit(1)) }
            #expect(ofPair == [.credentials])
            let ofApplication = try await self.subjects(reader) {
                try await store.save(application, audit: Fixture.audit(1))
            }
            #expect(ofApplication == [.credentials])
        }
    }

    @Test("is read in pages without a gap", arguments: StoreUnderTest.all)
    func pages(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (one, other) async throws in
            let start = try await one.latestChange()
            for number in 0..<60 {
                _ = try await one.insert(
                    Fixture.record(Fixture.code(number), device: number), limitPerDevice: 1, now: Fixture.now)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    let store = number.isMultiple(of: 2) ? one : other
                    group.addTask { _ = try await store.deleteCode(Fixture.code(number), of: nil) }
                }
                try await group.waitForAll()
            }
            var position = start
            var seen: [StoreChange.Subject] = []
            // More pages than there can be, so that a feed that repeats itself ends too.
            for _ in 0..<20 {
                let page = try await other.changes(after: position, limit: 7)
                guard let last = page.last else { break }
                #expect(page.count <= 7)
                #expect(position < page[0].position)
                seen += page.map(\.subject)
                position = last.position
            }
            #expect(seen.count == 60)
            #expect(Set(seen) == Set((0..<60).map { StoreChange.Subject.code(Fixture.code($0)) }))
            #expect(try await one.changes(after: start, limit: 0) == [])
        }
    }
}
