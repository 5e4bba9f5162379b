package import Clientless
import Synchronization

/// Held polls, woken when the code or device they asked about changes (sdk-services 8).
///
/// A waiter costs one small record and no task. A wake-up is a hint: the waiter looks again, and may wait on when
/// nothing it cares about has changed. At most sixteen wait for one code or device; a further one is refused. Wake-ups
/// of all waiters come in slices, and so many at most are answered at once that the store goes on answering others.
package final class WaitingRoom: Sendable {
    package enum Key: Hashable, Sendable {
        case code(RegistrationCodeText)
        case device(DeviceHash)
        /// A finished login whose box was not told yet.
        case login(AttemptID)
    }

    package enum WakeReason: Hashable, Sendable {
        case changed, timedOut, stopping
    }

    package typealias Resume = @Sendable (WakeReason) async -> Void

    /// A waiter's place in the room; later ones are greater.
    package struct Place: Hashable, Comparable, Sendable {
        fileprivate let id: UInt64
        package static func < (left: Place, right: Place) -> Bool { left.id < right.id }
    }

    private typealias Waiter = (keys: [Key], slot: Int64, resume: Resume)

    private struct State: Sendable {
        var waiters: [UInt64: Waiter] = [:]
        var waitersByKey: [Key: [UInt64]] = [:]
        /// Waiters by the tick in which they time out.
        var waitersBySlot: [Int64: [UInt64]] = [:]
        var nextSlot: Int64?
        /// Those of ``wakeAll()`` that were not woken yet.
        var sweep: [UInt64] = []
        var nextID: UInt64 = 0
        var isStopping = false
    }

    /// Deadlines are rounded up to this; a poll may be answered so much late, never early.
    package static let tick: Duration = .milliseconds(100)

    /// A box polls once at a time; a few more are reconnects whose old connection is not known to be gone.
    private static let waitersPerKey = 16
    /// How many waiters ``wakeAll()`` wakes in a tick.
    package static let slice = 500
    /// How many waiters look at once. Each may ask the store, which has a line of four times as many.
    package static let looking = 4096

    private let bound: Int
    private let uptime: Uptime
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<(Resume, WakeReason)>
    private let wakeUp: AsyncStream<(Resume, WakeReason)>.Continuation

    /// - Parameters:
    ///   - bound: the most waiters held; beyond it ``wait(on:for:resume:)`` refuses.
    ///   - uptime: the clock that deadlines go by.
    package init(bound: Int, uptime: @escaping Uptime) {
        self.bound = bound
        self.uptime = uptime
        // Never more elements than waiters, which are bounded.
        (self.wakeUps, self.wakeUp) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Calls `resume` once: at the first change of any of `keys`, after `time`, or when the room closes.
    ///
    /// Look once more after this returns a place: a change just before is not reported.
    /// - Returns: `nil` when the room is full or closing; `resume` is then never called and the caller answers at once.
    package func wait(on keys: [Key], for time: Duration, resume: @escaping Resume) -> Place? {
        let deadline = self.uptime() + time
        return self.state.withLock { state in
            guard !state.isStopping, state.waiters.count < self.bound,
                keys.allSatisfy({ (state.waitersByKey[$0]?.count ?? 0) < Self.waitersPerKey })
            else { return nil }
            let id = state.nextID
            state.nextID &+= 1
            let slot = Self.slot(of: deadline) + 1
            state.waiters[id] = (keys, slot, resume)
            for key in keys { state.waitersByKey[key, default: []].append(id) }
            state.waitersBySlot[slot, default: []].append(id)
            state.nextSlot = min(state.nextSlot ?? slot, slot)
            return Place(id: id)
        }
    }

    /// Gives a place back; its waiter is not called any more.
    package func leave(_ place: Place) { self.state.withLock { state in _ = Self.remove(place.id, from: &state) } }

    package var now: Duration { self.uptime() }
    package var count: Int { self.state.withLock { $0.waiters.count } }

    package func wake(_ key: Key) {
        self.state.withLock { state in
            self.tell((state.waitersByKey[key] ?? []).compactMap { Self.remove($0, from: &state) }, .changed)
        }
    }

    package func wake(_ place: Place) {
        self.state.withLock { state in
            self.tell([Self.remove(place.id, from: &state)].compactMap(\.self), .changed)
        }
    }

    /// Wakes every waiter, a ``slice`` with each ``expire()``: they all ask the store.
    package func wakeAll() { self.state.withLock { $0.sweep = Array($0.waiters.keys) } }

    /// Wakes every waiter whose deadline has come; call it once a ``tick``.
    package func expire() {
        let current = Self.slot(of: self.uptime())
        self.state.withLock { state in
            let swept = state.sweep.suffix(Self.slice)
            state.sweep.removeLast(swept.count)
            self.tell(swept.compactMap { Self.remove($0, from: &state) }, .changed)
            guard let next = state.nextSlot, next <= current else { return }
            // Far behind (a suspended machine): looking at the slots there are is cheaper than at all in between.
            let due =
                current - next > Int64(state.waitersBySlot.count)
                ? state.waitersBySlot.keys.filter { $0 <= current } : Array(next...current)
            let woken = due.flatMap { state.waitersBySlot[$0] ?? [] }.compactMap { Self.remove($0, from: &state) }
            for slot in due { state.waitersBySlot[slot] = nil }
            state.nextSlot = state.waitersBySlot.isEmpty ? nil : current + 1
            self.tell(woken, .timedOut)
        }
    }

    /// Wakes every waiter and admits no further one; ``deliver()`` ends when the last has been told.
    package func close() {
        self.state.withLock { state in
            state.isStopping = true
            self.tell(Self.removeAll(from: &state), .stopping)
            self.wakeUp.finish()
        }
    }

    /// Under the lock, or a waiter that was taken out could be told after the end, which is never. It only makes a task
    /// ready to run.
    private func tell(_ waiters: [Waiter], _ reason: WakeReason) {
        for waiter in waiters { self.wakeUp.yield((waiter.resume, reason)) }
    }

    /// Calls the waiters that were woken, until the room is closed and all have been called.
    package func deliver() async {
        // One that looks takes a place. A child that has ended is kept by every other kind of group, with its 16 KB, until the
        // next one waits for it.
        let (places, place) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<Self.looking { place.yield() }
        await withDiscardingTaskGroup { group in
            var free = places.makeAsyncIterator()
            // One child for each: a waiter that has to ask the store does not hold up the others.
            for await (resume, reason) in self.wakeUps {
                await free.next()
                group.addTask {
                    await resume(reason)
                    place.yield()
                }
            }
        }
    }

    private static func removeAll(from state: inout State) -> [Waiter] {
        let waiters = Array(state.waiters.values)
        state.waiters = [:]
        state.waitersByKey = [:]
        state.waitersBySlot = [:]
        return waiters
    }

    private static func slot(of moment: Duration) -> Int64 {
        moment.wholeMilliseconds / self.tick.wholeMilliseconds
    }

    private static func remove(_ id: UInt64, from state: inout State) -> Waiter? {
        guard let waiter = state.waiters.removeValue(forKey: id) else { return nil }
        for key in waiter.keys {
            state.waitersByKey[key]?.removeAll { $0 == id }
            if state.waitersByKey[key]?.isEmpty == true { state.waitersByKey[key] = nil }
        }
        // The slot keeps the id of a waiter that went early; the tick that clears the slot finds no waiter behind it.
        return waiter
    }
}
