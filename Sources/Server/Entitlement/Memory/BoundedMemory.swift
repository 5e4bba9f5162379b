public import Synchronization

/// A table that never grows past its bound: when it is full, it forgets what was not asked for longest, roughly.
///
/// Each shard keeps two generations; a key that is found in the old one moves to the young one, and when the young one
/// is full the old one is dropped. So a flood of strangers' keys costs memory up to the bound, never more.
///
/// Looks are public and inlinable, so that other modules get them for their own keys: what is of the package alone they
/// call as it is, for keys of any kind, which takes seven times as long.
public final class BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The state of a shard when a reader set out to fetch a value; see ``remember(_:for:since:)``.
    package struct Ticket: Sendable {
        let count: UInt64
    }

    @usableFromInline struct Generations: Sendable {
        @usableFromInline var young: [Hashed<Key>: Value] = [:]
        @usableFromInline var old: [Hashed<Key>: Value] = [:]
        /// How many keys were forgotten on purpose; makes a slow reader's stale value recognisable.
        @usableFromInline var invalidations: UInt64 = 0
    }

    @usableFromInline final class Shard: Sendable {
        @usableFromInline let generations: Mutex<Generations> = Mutex(Generations())
    }

    @usableFromInline let shards: [Shard]
    @usableFromInline let youngLimit: Int

    /// - Parameter bound: the most entries kept, rounded up to a multiple of twice the number of shards.
    package init(bound: Int, shards: Int = 16) {
        precondition(bound > 0 && shards > 0, "a bounded memory holds at least one entry")
        self.shards = (0..<shards).map { _ in Shard() }
        self.youngLimit = max(1, (bound + 2 * shards - 1) / (2 * shards))
    }

    @inlinable func shard(of key: Hashed<Key>) -> Shard {
        self.shards[Int(truncatingIfNeeded: UInt(bitPattern: key.hash) % UInt(self.shards.count))]
    }

    @inlinable public subscript(key: Key) -> Value? {
        let (key, limit) = (Hashed(key), self.youngLimit)
        return self.shard(of: key).generations.withLock { generations in
            if let value = generations.young[key] { return value }
            guard let value = generations.old[key] else { return nil }
            Self.keep(value, for: key, in: &generations, limit: limit)
            return value
        }
    }

    /// Call before fetching a value elsewhere; hand it to ``remember(_:for:since:)`` afterwards.
    package func ticket(for key: Key) -> Ticket {
        self.shard(of: Hashed(key)).generations.withLock { Ticket(count: $0.invalidations) }
    }

    /// Keeps a fetched value unless something in its shard was forgotten on purpose since `ticket`: the value may have
    /// been read before that change. Not keeping it costs one more fetch, keeping a stale one costs a wrong answer.
    package func remember(_ value: Value, for key: Key, since ticket: Ticket) {
        let (key, limit) = (Hashed(key), self.youngLimit)
        self.shard(of: key).generations.withLock { generations in
            guard generations.invalidations == ticket.count else { return }
            Self.keep(value, for: key, in: &generations, limit: limit)
        }
    }

    /// Forgets `key`, and makes every fetch under way for it worthless.
    package func forget(_ key: Key) { self.replace(key, since: nil) { _ in nil } }

    /// Keeps a value that was just written elsewhere, and makes every fetch under way for it worthless. The key is
    /// forgotten where something in its shard was forgotten or replaced since `ticket`, taken before the write: no one
    /// knows then whose write was the last.
    /// - Parameter value: makes it from the former one; `nil` forgets.
    package func replace(_ key: Key, since ticket: Ticket?, with value: (_ former: Value?) -> Value?) {
        let (key, limit) = (Hashed(key), self.youngLimit)
        self.shard(of: key).generations.withLock { generations in
            let isLast = generations.invalidations == ticket?.count
            generations.invalidations &+= 1
            let former = generations.young.removeValue(forKey: key) ?? generations.old.removeValue(forKey: key)
            guard isLast, let value = value(former) else { return }
            Self.keep(value, for: key, in: &generations, limit: limit)
        }
    }

    /// Forgets everything, and makes every fetch under way worthless.
    package func forgetAll() {
        for shard in self.shards {
            shard.generations.withLock { generations in
                generations.invalidations &+= 1
                generations.young = [:]
                generations.old = [:]
            }
        }
    }

    /// Forgets what was not asked for since the call before the last one.
    package func age() {
        for shard in self.shards {
            // The table that goes is released without the lock.
            _ = shard.generations.withLock { generations in
                defer { (generations.old, generations.young) = (generations.young, [:]) }
                return generations.old
            }
        }
    }

    /// Changes the value of `key` in place, starting from `initial` when there is none; `change` says what comes of it.
    /// - Parameter isIdle: whether a value says no more than none does; it is not kept.
    package func update<Result: Sendable>(
        _ key: Key, initial: @autoclosure () -> Value, isIdle: (Value) -> Bool = { _ in false },
        _ change: (inout Value) -> Result
    ) -> Result {
        let (key, limit) = (Hashed(key), self.youngLimit)
        return self.shard(of: key).generations.withLock { generations in
            if let place = generations.young.index(forKey: key) {
                // In place: each look for a key hashes it.
                let result = change(&generations.young.values[place])
                if isIdle(generations.young.values[place]) { generations.young.remove(at: place) }
                return result
            }
            var value = generations.old.removeValue(forKey: key) ?? initial()
            let result = change(&value)
            if !isIdle(value) { Self.keep(value, for: key, in: &generations, limit: limit) }
            return result
        }
    }

    /// How many entries are kept now; at most the bound.
    package var count: Int {
        self.shards.reduce(0) { sum, shard in sum + shard.generations.withLock { $0.young.count + $0.old.count } }
    }

    @inlinable static func keep(_ value: Value, for key: Hashed<Key>, in generations: inout Generations, limit: Int) {
        generations.old[key] = nil
        generations.young[key] = value
        guard generations.young.count >= limit else { return }
        generations.old = generations.young
        generations.young = [:]
    }
}

/// A key with its hash, which is made once: for the shard and both generations, or for several tables.
@usableFromInline struct Hashed<Key: Hashable & Sendable>: Hashable, Sendable {
    /// Compared first.
    @usableFromInline let hash: Int
    @usableFromInline let key: Key

    @inlinable init(_ key: Key) {
        self.key = key
        self.hash = key.hashValue
    }

    /// The hash as it is, where a dictionary would hash it once more. The low bits chose the shard, and say nothing in it.
    @inlinable func _rawHashValue(seed: Int) -> Int { self.hash.byteSwapped }
}
