import Clientless
import Dispatch
import Synchronization

/// Wakes the callers of this process that wait for a change.
final class ChangeSignal: Sendable {
    private struct State {
        var count: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())
    private let timers = DispatchQueue(label: "latchkey.store.signal", qos: .userInitiated)

    /// How often the signal was given so far; what ``wait(since:atMost:)`` compares with.
    var count: UInt64 { self.state.withLock { $0.count } }

    func give() {
        let waiters = self.state.withLock { state in
            state.count &+= 1
            defer { state.waiters.removeAll(keepingCapacity: true) }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Returns when the signal was given after it had been given `count` times, after `limit`, or when the task is
    /// cancelled.
    func wait(since count: UInt64, atMost limit: Duration) async {
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
                if isOver { return continuation.resume() }
                // Two child tasks, of which one sleeps, would cost more than what a change makes readers look for.
                let end = DispatchTime.now() + .milliseconds(Int(clamping: limit.wholeMilliseconds) + 1)
                self.timers.asyncAfter(deadline: end) { self.end(place) }
            }
        } onCancel: {
            self.end(place)
        }
    }

    private func end(_ place: UInt64) { self.state.withLock { $0.waiters.removeValue(forKey: place) }?.resume() }
}
