import Synchronization

/// The element of a ``SlotTable``: small, and able to say how much would be lost without it.
protocol SlotValue: Sendable {
    /// The lower, the sooner it may be forgotten.
    var worth: Int64 { get }
}

/// Small values under hashed keys, in memory of a fixed size that a flood cannot make grow.
///
/// A key has eight places it may be in; when all are taken, the value worth least is forgotten. Looking up or changing
/// a value touches one short stretch of memory and allocates nothing, which matters where every call passes. Keys are
/// hashes under a key of this process: two rarely meet by chance, and no caller can make them meet.
///
/// A key stands beside its value, and a search begins at the place its hash prefers and ends at the first free one:
/// nothing is ever removed. So in a table that is not crowded a call waits for one line of memory. It waited for three
/// or four when keys and values were apart, and all eight keys were compared.
final class SlotTable<Value: SlotValue>: Sendable {
    private static var ways: Int { 8 }
    private static var shardCount: Int { 16 }

    private struct Slot: Sendable {
        /// 0 is a free place.
        var key: Int
        var value: Value
    }

    private final class Shard: Sendable {
        let slots: Mutex<[Slot]>

        init(sets: Int, filler: Value) {
            self.slots = Mutex(Array(repeating: Slot(key: 0, value: filler), count: sets * SlotTable.ways))
        }
    }

    private let shards: [Shard]
    /// Sets of places in each shard, less one; a power of two less one, so that it masks.
    private let setMask: Int

    /// - Parameters:
    ///   - bound: values kept, at least; rounded up.
    ///   - filler: stands in free places.
    init(bound: Int, filler: Value) {
        precondition(bound > 0, "a table keeps at least one value")
        let wanted = (bound + Self.shardCount * Self.ways - 1) / (Self.shardCount * Self.ways)
        var sets = 1
        while sets < wanted { sets *= 2 }
        self.setMask = sets - 1
        let fixed = sets
        self.shards = (0..<Self.shardCount).map { _ in Shard(sets: fixed, filler: filler) }
    }

    /// Changes the value of `hash` in place, starting from `initial` when the table has no value.
    func update<Result: Sendable>(_ hash: Int, initial: Value, _ change: (inout Value) -> Result) -> Result {
        let key = hash == 0 ? 1 : hash
        let bits = UInt(bitPattern: key)
        let shard = self.shards[Int(bits >> 60)]
        let first = (Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) & self.setMask) * Self.ways
        // Neither the bits that choose the shard nor those that choose the set.
        let preferred = Int(truncatingIfNeeded: bits >> 56)
        return shard.slots.withLock { slots in
            let index = Self.index(of: key, preferring: preferred, from: first, in: slots)
            if slots[index].key != key { slots[index] = Slot(key: key, value: initial) }
            return change(&slots[index].value)
        }
    }

    /// The index of `key`, or the index that it would get.
    private static func index(of key: Int, preferring preferred: Int, from first: Int, in slots: [Slot]) -> Int {
        for offset in 0..<self.ways {
            let index = first + (preferred + offset) & (self.ways - 1)
            if slots[index].key == key || slots[index].key == 0 { return index }
        }
        var victim = first
        for index in first + 1..<first + self.ways where slots[index].value.worth < slots[victim].value.worth {
            victim = index
        }
        return victim
    }
}
