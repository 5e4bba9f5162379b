import Entitlement
import Testing

@Suite("Every store", .stores)
struct RandomOperationsTests {
    @Test(
        "answers thousands of random operations as a plain model does", .timeLimit(.minutes(5)),
        arguments: StoreUnderTest.all, [1, 2, 3, 4] as [UInt64])
    func random(_ kind: StoreUnderTest, seed: UInt64) async throws {
        let (store, reader) = try await kind.pair()
        var walk = RandomWalk(seed: seed, start: try await reader.latestChange())
        for step in 0..<kind.steps {
            try await walk.step(store, reader, "seed \(seed), step \(step)")
        }
    }
}
