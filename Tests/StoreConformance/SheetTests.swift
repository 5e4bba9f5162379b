import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, sheets of nodes")
struct SheetTests {
    private static func sheet(_ node: String, _ number: Int64, ends: Timestamp = Fixture.now) -> NodeSheet {
        NodeSheet(node: node, number: number, ends: ends, content: Array("\(node) \(number)".utf8) + [0, 255])
    }

    @Test("are heard by others in order, each after the last that was heard", arguments: StoreUnderTest.all)
    func heard(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (one, other) async throws in
            for number in 0..<3 as Range<Int64> { try await one.post(Self.sheet("a", number)) }
            try await other.post(Self.sheet("b", 0))
            guard one.isShared else {
                #expect(try await other.newestSheets().isEmpty)
                #expect(try await other.sheets(of: "a", after: -1).isEmpty)
                return
            }
            #expect(try await other.newestSheets() == ["a": 2, "b": 0])
            #expect(try await other.sheets(of: "a", after: -1) == (0..<3).map { Self.sheet("a", $0) })
            #expect(try await other.sheets(of: "a", after: 1) == [Self.sheet("a", 2)])
            #expect(try await other.sheets(of: "a", after: 2).isEmpty)
            #expect(try await other.sheets(of: "c", after: -1).isEmpty)
        }
    }

    @Test("are kept in a fixed number, of each node the newest", arguments: StoreUnderTest.all)
    func bounded(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { (store) async throws in
            guard store.isShared else { return }
            let last = 2 * NodeSheet.kept + 3
            for number in 0...last { try await store.post(Self.sheet("a", number)) }
            try await store.post(Self.sheet("b", 0))
            let kept = try await store.sheets(of: "a", after: -1)
            #expect(kept.map(\.number) == Array((last - NodeSheet.kept + 1)...last))
            #expect(try await store.newestSheets() == ["a": last, "b": 0])
        }
    }

    @Test("go when they are over", arguments: StoreUnderTest.all)
    func purged(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { (store) async throws in
            guard store.isShared else { return }
            try await store.post(Self.sheet("a", 0, ends: Fixture.now))
            try await store.post(Self.sheet("a", 1, ends: Fixture.now + .seconds(2)))
            _ = try await store.purge(limit: 9, now: Fixture.now + .seconds(1))
            #expect(try await store.sheets(of: "a", after: -1).map(\.number) == [1])
            _ = try await store.purge(limit: 9, now: Fixture.now + .seconds(2))
            #expect(try await store.newestSheets().isEmpty)
        }
    }
}

@Suite("In every store, passing nonces")
struct PassingNonceTests {
    @Test("are taken once, and are the same as lasting ones", arguments: StoreUnderTest.all)
    func once(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (one, other) async throws in
            let (now, end) = (Fixture.now, Fixture.now + .seconds(900))
            #expect(try await one.takePassingNonce("n", publicKey: "k", expires: end, now: now))
            #expect(try await other.takePassingNonce("n", publicKey: "k", expires: end, now: now) == false)
            #expect(try await other.takeNonce("n", publicKey: "k", expires: end, now: now) == false)
            #expect(try await one.takeNonce("m", publicKey: "k", expires: end, now: now))
            #expect(try await other.takePassingNonce("m", publicKey: "k", expires: end, now: now) == false)
            #expect(try await other.takePassingNonce("m", publicKey: "k", expires: end + .seconds(1), now: end))
        }
    }

    @Test("of fifty callers at once are taken by one", arguments: StoreUnderTest.all)
    func race(_ kind: StoreUnderTest) async throws {
        try await kind.withPair { (one, other) async throws in
            let end = Fixture.now + .seconds(900)
            let taken = try await Race.winners(50, one, other) { store, _ in
                try await store.takePassingNonce("n", publicKey: "k", expires: end, now: Fixture.now)
            }
            #expect(taken.count == 1)
        }
    }
}
