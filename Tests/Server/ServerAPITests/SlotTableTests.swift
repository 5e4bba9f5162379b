import Testing

@testable import ServerAPI

@Suite("A table of slots")
struct SlotTableTests {
    private struct Number: SlotValue, Equatable {
        var value: Int64
        var worth: Int64 { self.value }
    }

    @Test("keeps what was put under a key, zero included")
    func keeps() {
        let table = SlotTable<Number>(bound: 10_000, filler: Number(value: .min))
        for key in 0..<2_000 { table.update(key.hashValue, initial: Number(value: 0)) { $0.value = Int64(key) } }
        let kept = (0..<2_000).count { key in
            table.update(key.hashValue, initial: Number(value: -1)) { $0.value } == Int64(key)
        }
        // A set of eight places seldom overflows at a fifth of the bound.
        #expect(kept > 1_990)
        table.update(0, initial: Number(value: 7)) { _ in }
        #expect(table.update(0, initial: Number(value: 8)) { $0.value } == 7)
    }

    @Test("forgets what is worth least when its places are taken")
    func forgets() {
        let table = SlotTable<Number>(bound: 1, filler: Number(value: .min))
        // One set in each shard: equal upper bits are in each other's way.
        for value in 1...8 { table.update(value, initial: Number(value: Int64(value))) { _ in } }
        table.update(9, initial: Number(value: 9)) { _ in }
        for value in 2...9 {
            #expect(table.update(value, initial: Number(value: 0)) { $0.value } == Int64(value))
        }
        #expect(table.update(1, initial: Number(value: 0)) { $0.value } == 0)
    }
}
