import Synchronization

/// Ends one piece of work that runs beside the mailbox, such as a poll, without ending its task group.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isCancelled: Bool { self.state.withLock { $0.isCancelled } }

    func cancel() {
        let waiting = self.state.withLock { state in
            state.isCancelled = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Runs `work` in a task that is cancelled together with this.
    func guarding(_ work: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await work() }
            group.addTask { await self.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if !state.isCancelled, !Task.isCancelled { state.waiting.append(continuation) }
                    return state.isCancelled || Task.isCancelled
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.release()
        }
    }

    /// Lets who waits go: the work is done.
    private func release() {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
