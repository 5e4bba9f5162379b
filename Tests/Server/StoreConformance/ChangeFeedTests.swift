import Clientless
import Entitlement
import StoreFixtures
import TestSupport
import Testing

@Suite("In every store, the feed of changes", .stores)
struct ChangeFeedTests {
    /// What `body` added to the feed, read through `reader`.
    private func subjects(_ reader: any Store, of body: () async throws -> Void) async throws -> Set<StoreChange> {
        let before = try await reader.latestChange()
        try await body()
        switch try await reader.changes(after: before, limit: 1000) {
        case .changes(let changes, let position, let hasMore):
            #expect(!hasMore)
            #expect(try await reader.latestChange() == position)
            return Set(changes)
        case .gap, .heldUp:
            Issue.record("the feed lost its place")
            return []
        }
    }

    @Test(arguments: StoreUnderTest.following) func `is empty at first`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let start = try await store.latestChange()
        #expect(try await store.changes(after: start, limit: 10) == .changes([], position: start, hasMore: false))
    }

    @Test("tells other programs of codes, and not of new ones", arguments: StoreUnderTest.following)
    func codes(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        var record = Fixture.record(1)
        let ofNewCode = try await self.subjects(reader) { () async throws in
            try await store.keep(record, limit: 1)
        }
        #expect(ofNewCode == [])
        let ofSwap = try await self.subjects(reader) { () async throws in
            #expect(try await store.replace(record, attempt: nil, creating: nil))
        }
        #expect(ofSwap == [.code(record.code)])
        record.version += 1
        let ofCancellation = try await self.subjects(reader) { () async throws in
            try await store.keep(Fixture.record(2), limit: 1)
        }
        #expect(ofCancellation == [.code(record.code)])
        let ofDeletions = try await self.subjects(reader) { () async throws in
            _ = try await store.deleteCode(Fixture.code(2), of: nil)
            _ = try await store.deleteCode(Fixture.code(2), of: nil)
            _ = try await store.deleteCode(Fixture.code(1), of: Fixture.southNews)
        }
        #expect(ofDeletions == [.code(Fixture.code(2))])
    }

    @Test("tells of a completed code that is swapped once more, as it is", arguments: StoreUnderTest.following)
    func completedAgain(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        var record = try await store.keep(Fixture.record(1), limit: 1)
        let authentication = Fixture.authentication(1, record.context, code: record.code)
        record.life = RegistrationCode(
            generated: record.life.generated, expires: record.life.expires, state: .completed(authentication.id))
        #expect(try await store.replace(record, attempt: nil, creating: authentication))
        let kept = try #require(try await reader.code(record.code))
        let signIns = try await reader.authentications(of: record.context.device, limit: 9)
        let ofSwap = try await self.subjects(reader) { () async throws in
            #expect(try await store.replace(kept, attempt: nil, creating: nil))
        }
        #expect(ofSwap == [.code(record.code)])
        var swapped = kept
        swapped.version += 1
        #expect(try await reader.code(record.code) == swapped)
        #expect(try await reader.authentications(of: record.context.device, limit: 9) == signIns)
    }

    @Test(
        "tells of a device that signs in or out, and of the codes that answered for it",
        arguments: StoreUnderTest.following)
    func devices(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let (first, second) = (Fixture.record(1), Fixture.record(Fixture.code(2)))
        for record in [first, second] { try await store.keep(record) }
        let device = StoreChange.device(first.context.device)
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

    @Test("tells of the device whose decision is erased, once", arguments: StoreUnderTest.following)
    func decisions(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let record = try await store.keep(Fixture.record(1))
        let signIn = Fixture.authentication(1, record.context)
        #expect(try await store.replace(record, attempt: nil, creating: signIn))
        let permit = Fixture.authorization(signIn, Fixture.resource("North Sport HD"))
        #expect(try await store.save(permit))
        for expected in [[StoreChange.device(record.context.device)], []] {
            let ofDeletion = try await self.subjects(reader) { () async throws in
                try await store.deleteAuthorization(
                    of: signIn.id, requestor: permit.requestor, resource: permit.resource)
            }
            #expect(ofDeletion == Set(expected))
        }
    }

    @Test("tells of key pairs and applications", arguments: StoreUnderTest.following)
    func credentials(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let pair = KeyPairRecord(publicKey: "k", sealedPrivateKey: [], requestors: [], created: Fixture.now, ends: nil)
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

    @Test("is read in pages without a gap", arguments: StoreUnderTest.following)
    func pages(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let start = try await one.latestChange()
        for number in 0..<60 { try await one.keep(Fixture.record(number, device: number), limit: 1) }
        try await concurrently(60) { number in
            try await (number.isMultiple(of: 2) ? one : other).deleteCode(Fixture.code(number), of: nil)
        }
        var position = start
        var seen: [StoreChange] = []
        // More pages than there can be, so that a feed that repeats itself ends too.
        for _ in 0..<20 {
            guard
                case .changes(let page, let reached, let hasMore) = try await other.changes(after: position, limit: 7)
            else { break }
            #expect(page.count == (hasMore ? 7 : 60 % 7))
            #expect(hasMore == (reached != (try await one.latestChange())))
            seen += page
            position = reached
            if !hasMore { break }
        }
        #expect(seen.count == 60)
        #expect(Set(seen) == Set((0..<60).map { StoreChange.code(Fixture.code($0)) }))
    }

    /// Puts a sign-in in the place of another one, with a code each: a transaction of three changes.
    private func replaceSignIn(_ number: Int, _ store: any Store) async throws -> [StoreChange] {
        let codes = [Fixture.code(2 * number), Fixture.code(2 * number + 1)]
        let records = codes.map { Fixture.record($0, device: number) }
        for record in records { try await store.keep(record) }
        let held = Fixture.authentication(2 * number, records[0].context, code: codes[0])
        try await store.save(held)
        let new = Fixture.authentication(2 * number + 1, records[1].context, code: codes[1])
        #expect(try await store.replace(records[1], attempt: nil, creating: new))
        return [.device(records[0].context.device), .code(codes[0]), .code(codes[1])]
    }

    @Test("never parts a transaction, and names its device before its codes", arguments: StoreUnderTest.following)
    func transactions(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        var position = try await reader.latestChange()
        var expected: [[StoreChange]] = []
        for number in 0..<5 {
            let changes = try await self.replaceSignIn(number, store)
            expected += [[changes[0]], changes]
        }
        // One change at least in each page; the second of them always begins a transaction of three.
        for limit in [2, 1, 1, 3, 4] {
            guard case .changes(let page, let reached, _) = try await reader.changes(after: position, limit: limit)
            else { return #expect(Bool(false), "a gap") }
            var rest = page
            while !rest.isEmpty, !expected.isEmpty {
                let transaction = expected.removeFirst()
                #expect(rest.first == transaction.first)
                #expect(Set(rest.prefix(transaction.count)) == Set(transaction))
                rest = Array(rest.dropFirst(transaction.count))
            }
            #expect(page.count >= limit)
            position = reached
        }
    }

    @Test("tells of a gap where it does not know the position", arguments: StoreUnderTest.following)
    func foreignPosition(_ kind: StoreUnderTest) async throws {
        let (former, other) = try await kind.pair()
        _ = try await self.replaceSignIn(1, former)
        let newest = try await other.latestChange()
        var changed = newest.bytes
        changed[0] ^= 1
        var beyond = newest.bytes
        beyond[beyond.count - 1] += 1
        for bytes in [[], [1], changed, beyond, newest.bytes + [0]] {
            #expect(try await other.changes(after: ChangePosition(bytes: bytes), limit: 10) == .gap(position: newest))
        }
        // What another store gave out is a gap as well.
        let store = try await kind.store()
        let position = try await store.latestChange()
        let stranger = try await kind.store()
        let page = try await stranger.changes(after: position, limit: 10)
        #expect(page == .gap(position: try await stranger.latestChange()))
    }

    @Test("tells of a gap where the changes were purged", arguments: StoreUnderTest.following)
    func purged(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let start = try await store.latestChange()
        _ = try await self.replaceSignIn(1, store)
        let middle = try await store.latestChange()
        _ = try await store.purge(limit: 100, now: Fixture.now)
        let later = Fixture.now + .seconds(3600)
        _ = try await self.replaceSignIn(2, store)
        while try await store.purge(limit: 1, now: later) > 0 {}
        let newest = try await store.latestChange()
        #expect(try await store.changes(after: start, limit: 10) == .gap(position: newest))
        // What is left goes on from where the purge stopped.
        guard case .changes(let rest, _, _) = try await store.changes(after: middle, limit: 10)
        else { return #expect(Bool(false), "a gap") }
        #expect(rest.count == 4)
    }

    @Test(
        "wakes a reader of any node when something changed, and at once when it did before", .timeLimit(.minutes(5)),
        arguments: StoreUnderTest.following)
    func waking(_ kind: StoreUnderTest) async throws {
        let (store, other) = try await kind.pair()
        for reader in [store, other] {
            let position = try await reader.latestChange()
            async let woken: Void = reader.waitForChange(after: position, timeout: .seconds(600))
            _ = try await self.replaceSignIn(1, store)
            await woken
            #expect(try await reader.latestChange() != position)
            await reader.waitForChange(after: position, timeout: .seconds(600))
            _ = try await store.deleteAuthentications(Fixture.context(1), audit: nil)
            for number in 2..<4 { _ = try await store.deleteCode(Fixture.code(number), of: nil) }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StoreUnderTest.following)
    func `lets a reader go when its time is over or its task is cancelled`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let position = try await store.latestChange()
        await store.waitForChange(after: position, timeout: .zero)
        let task = Task { await store.waitForChange(after: position, timeout: .seconds(600)) }
        task.cancel()
        await task.value
    }
}
