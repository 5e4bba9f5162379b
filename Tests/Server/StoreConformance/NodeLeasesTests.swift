import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, leases of nodes", .stores)
struct NodeLeasesTests {
    @Test("tell who holds what, and not what is over or held by a wrong clock", arguments: StoreUnderTest.all)
    func holders(_ kind: StoreUnderTest) async throws {
        let (one, other) = try await kind.pair()
        let minute: Duration = .seconds(60)
        #expect(try await one.takeLease("a", holder: "one", for: minute, now: Fixture.now))
        #expect(try await one.takeLease("b", holder: "one", for: .zero, now: Fixture.now))
        #expect(try await one.takeLease("c", holder: "two", for: .seconds(1), now: Fixture.now))
        #expect(try await one.takeLease("d", holder: "mad", for: .seconds(86_400), now: Fixture.now))
        func held(_ seconds: Int64) async throws -> [String: String] {
            let now = Fixture.now + .seconds(seconds)
            return try await other.leases(now..<now + minute * 2)
        }
        #expect(try await held(1) == ["a": "one", "c": "two"])
        #expect(try await held(2) == ["a": "one"])
        #expect(try await held(61) == [:])
    }

    @Test("tell each node how many serve, as long as they do", arguments: StoreUnderTest.all)
    func serving(_ kind: StoreUnderTest) async throws {
        let (store, otherStore) = try await kind.pair()
        let both = store.isShared ? 2 : 1
        let (nodes, otherNodes) = (LivingNodes(), LivingNodes())
        let one = NodeLeases(store, nodes: nodes)
        let other = NodeLeases(otherStore, nodes: otherNodes)
        try await one.noteServing(now: Fixture.now)
        #expect(nodes.count == 1)
        try await other.noteServing(now: Fixture.now)
        try await one.noteServing(now: Fixture.now + .seconds(5))
        #expect(nodes.count == both && otherNodes.count == both)
        // It stops.
        try await other.leave(now: Fixture.now + .seconds(6))
        try await one.noteServing(now: Fixture.now + .seconds(10))
        #expect(nodes.count == 1)
        // It comes back, and is killed.
        try await other.noteServing(now: Fixture.now + .seconds(11))
        try await one.noteServing(now: Fixture.now + .seconds(130))
        #expect(nodes.count == both)
        try await one.noteServing(now: Fixture.now + .seconds(132))
        #expect(nodes.count == 1)
    }

    @Test("leave the last number while the store is away", arguments: StoreUnderTest.all)
    func away(_ kind: StoreUnderTest) async throws {
        let (store, otherStore) = try await kind.pair()
        guard store.isShared else { return }
        let nodes = LivingNodes()
        let one = NodeLeases(store, nodes: nodes)
        try await NodeLeases(otherStore, nodes: LivingNodes()).noteServing(now: Fixture.now)
        try await one.noteServing(now: Fixture.now)
        let known = nodes.count
        #expect(known == 2)
        await store.close()
        await #expect(throws: StoreError.self) { try await one.noteServing(now: Fixture.now + .seconds(5)) }
        #expect(nodes.count == known)
    }

    @Test(arguments: StoreUnderTest.all) func `count the node that got none`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        guard store.isShared else { return }
        let nodes = LivingNodes()
        for _ in 0..<17 { try await NodeLeases(store, nodes: nodes).noteServing(now: Fixture.now) }
        #expect(nodes.count == 17)
    }
}
