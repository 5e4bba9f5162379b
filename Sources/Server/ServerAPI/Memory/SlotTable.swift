import Synchronization

/// The element of a ``SlotTable``: small, and able to say how long it is needed.
protocol SlotValue: Sendable {
    /// Milliseconds of the time that `update` is given. Once they are over, nothing is lost with the value; before, the
    /// value that is needed longest is worth most.
    var neededUntil: Int64 { get }
}

/// Small values under hashed keys, in memory that a flood cannot make grow beyond its bound.
///
/// A key has eight places it may be in. When all are taken, it gets the place of a value that is no longer needed. If
/// there is none, the part of the table that the key is in doubles; once it has its full size, the value that is needed
/// for the shortest time is forgotten. Looking up or changing a value touches one short stretch of memory and, but for
/// the few doublings, allocates nothing, which matters where every call passes. Keys are hashes under a key of this
/// process: two rarely meet by chance, and no caller can make them meet.
///
/// A key stands beside its value, and a search begins at the place its hash prefers and ends at the first free one:
/// nothing is ever removed. So in a table that is not crowded a call waits for one line of memory. It waited for three
/// or four when keys and values were apart, and all eight keys were compared.
final class SlotTable<Value: SlotValue>: Sendable {
    private static var ways: Int { 8 }
    private static var shardCount: Int { 16 }

    struct Slot: Sendable {
        /// 0 is a free place.
        var key: Int
        var value: Value
    }

    final class Shard: Sendable {
        let slots: Mutex<[Slot]>

        init(filler: Value) {
            self.slots = Mutex(Array(repeating: Slot(key: 0, value: filler), count: SlotTable.ways))
        }
    }

    let shards: [Shard]
    /// The most places of a shard. Each shard's number of places is a power of two, so that it masks.
    private let limit: Int
    private let filler: Value

    /// - Parameters:
    ///   - bound: values kept, at least; rounded up.
    ///   - filler: stands in free places.
    init(bound: Int, filler: Value) {
        precondition(bound > 0, "a table keeps at least one value")
        var limit = Self.ways
        while limit * Self.shardCount < bound { limit *= 2 }
        self.limit = limit
        self.filler = filler
        self.shards = (0..<Self.shardCount).map { _ in Shard(filler: filler) }
    }

    /// Changes the value of `hash` in place, starting from `initial` when the table has no value.
    func update<Result: Sendable>(
        _ hash: Int, at now: Int64, initial: Value, _ change: (inout Value) -> Result
    ) -> Result {
        let key = hash == 0 ? 1 : hash
        let shard = self.shards[Int(UInt(bitPattern: key) >> 60)]
        return shard.slots.withLock { slots in
            var index = Self.index(of: key, in: slots)
            if slots[index].key != key {
                while slots[index].key != 0, slots[index].value.neededUntil >= now, slots.count < self.limit {
                    slots = self.doubled(slots, at: now)
                    index = Self.index(of: key, in: slots)
                }
                slots[index] = Slot(key: key, value: initial)
            }
            return change(&slots[index].value)
        }
    }

    private func doubled(_ slots: [Slot], at now: Int64) -> [Slot] {
        var result = Array(repeating: Slot(key: 0, value: self.filler), count: slots.count * 2)
        for slot in slots where slot.key != 0 && slot.value.neededUntil >= now {
            result[Self.index(of: slot.key, in: result)] = slot
        }
        return result
    }

    /// The index of `key`, or the index that it would get.
    private static func index(of key: Int, in slots: [Slot]) -> Int {
        let bits = UInt(bitPattern: key)
        let first = Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) * self.ways & (slots.count - 1)
        // Neither the bits that choose the shard nor those that choose the set.
        let preferred = Int(truncatingIfNeeded: bits >> 56)
        for offset in 0..<self.ways {
            let index = first + (preferred + offset) & (self.ways - 1)
            if slots[index].key == key || slots[index].key == 0 { return index }
        }
        var victim = first
        for index in first + 1..<first + self.ways
        where slots[index].value.neededUntil < slots[victim].value.neededUntil {
            victim = index
        }
        return victim
    }
}
