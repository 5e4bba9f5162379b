import Synchronization
import Testing

@testable import ServerAPI

@Suite("A table of slots")
struct SlotTableTests {
    private struct Number: SlotValue, Equatable {
        var value: Int64
        var neededUntil: Int64 { self.value }
    }

    @Test func `keeps what was put under a key, zero included`() {
        let table = SlotTable<Number>(bound: 10_000, filler: Number(value: .min))
        for key in 0..<2_000 { table.update(key.hashValue, at: 0, initial: Number(value: 0)) { $0.value = Int64(key) } }
        let kept = (0..<2_000).count { key in
            table.update(key.hashValue, at: 0, initial: Number(value: -1)) { $0.value } == Int64(key)
        }
        // A set of eight places seldom overflows at a fifth of the bound.
        #expect(kept > 1_990)
        table.update(0, at: 0, initial: Number(value: 7)) { _ in }
        #expect(table.update(0, at: 0, initial: Number(value: 8)) { $0.value } == 7)
    }

    @Test func `forgets what is worth least when its places are taken`() {
        let table = SlotTable<Number>(bound: 1, filler: Number(value: .min))
        // One set in each shard: equal upper bits are in each other's way.
        for value in 1...8 { table.update(value, at: 0, initial: Number(value: Int64(value))) { _ in } }
        table.update(9, at: 0, initial: Number(value: 9)) { _ in }
        for value in 2...9 {
            #expect(table.update(value, at: 0, initial: Number(value: 0)) { $0.value } == Int64(value))
        }
        #expect(table.update(1, at: 0, initial: Number(value: 0)) { $0.value } == 0)
    }

    @Test func `grows for values that are needed, and not for others`() {
        let table = SlotTable<Number>(bound: 100_000, filler: Number(value: .min))
        let places = { table.shards.reduce(0) { sum, shard in sum + shard.slots.withLock(\.count) } }
        for key in 0..<50_000 {
            table.update(key.hashValue, at: Int64(key), initial: Number(value: Int64(key) + 99)) { _ in }
        }
        #expect(places() < 2000)
        for key in 0..<5_000 { table.update(key.hashValue, at: 100_000, initial: Number(value: 200_000)) { _ in } }
        #expect((5_000...50_000).contains(places()))
        let kept = (0..<5_000).count { key in
            table.update(key.hashValue, at: 100_000, initial: Number(value: 0)) { $0.value } == 200_000
        }
        #expect(kept == 5_000)
        for key in 0..<200_000 { table.update(key.hashValue, at: 100_000, initial: Number(value: 200_000)) { _ in } }
        #expect(places() == 131_072)
    }
}
