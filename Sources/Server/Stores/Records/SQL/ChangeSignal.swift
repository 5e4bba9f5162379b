import Synchronization

/// Wakes the callers of this process that wait for a change.
package final class ChangeSignal: Sendable {
    private struct State {
        /// How often the signal was given.
        var count: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How often the signal was given so far; what ``wait(since:atMost:)`` compares with.
    package var count: UInt64 { self.state.withLock { $0.count } }

    package func give() {
        let waiters = self.state.withLock { state in
            state.count &+= 1
            defer { state.waiters.removeAll(keepingCapacity: true) }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Returns when the signal was given after it had been given `count` times, after `limit`, or when the task is
    /// cancelled.
    package func wait(since count: UInt64, atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(since: count) }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(since count: UInt64) async {
        let place = self.state.withLock { state in
            defer { state.nextWaiter += 1 }
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = self.state.withLock { state in
                    // The handler of a task that was cancelled before ran already, so the task itself is asked.
                    if state.count != count || Task.isCancelled { return true }
                    state.waiters[place] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.state.withLock { $0.waiters.removeValue(forKey: place) }?.resume()
        }
    }
}
