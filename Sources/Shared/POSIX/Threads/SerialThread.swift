import Synchronization

/// Runs work that blocks, one piece after the other, on a thread that lasts as long as there is some.
package final class SerialThread: Sendable {
    private let state = Mutex((waiting: [@Sendable () -> Void](), isRunning: false))

    package init() {}

    /// Runs `work` after all that was given before. If the process may have no more threads, it runs on this one.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let isIdle = self.state.withLock { state in
            state.waiting.append(work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isIdle, !startThread({ self.runAll() }) { self.runAll() }
    }

    private func runAll() { while let work = self.next() { work() } }

    private func next() -> (@Sendable () -> Void)? {
        self.state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
