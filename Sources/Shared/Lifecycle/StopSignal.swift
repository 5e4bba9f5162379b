import Synchronization

/// Tells a service to stop, once and for good.
///
/// A `ServiceGroup` gives each of its services a signal of its own, because they stop one after another. The service
/// finds it in `StopSignal.current`, so that `run()` is the same for all; outside a group there is a signal that
/// is never given.
package final class StopSignal: Sendable {
    @TaskLocal package static var current = StopSignal()

    private let state = Mutex(
        (isGiven: false, lastWaiter: 0, waiters: [Int: CheckedContinuation<Void, Never>]()))

    package init() {}

    package var isGiven: Bool { self.state.withLock { $0.isGiven } }

    /// Gives the signal. Every later call does nothing.
    package func give() {
        let waiters = self.state.withLock { state in
            state.isGiven = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the signal is given, or when the task is cancelled.
    package func wait() async {
        let number = self.state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    // The cancellation handler may have run before there was anything to resume.
                    if state.isGiven || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// Runs `work`, and cancels it once the service is to stop; returns then, also if it ended before.
    package static func cancelling(_ work: @escaping @Sendable () async -> Void) async {
        let stop = self.current
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await work() }
            await stop.wait()
            group.cancelAll()
        }
    }
}
