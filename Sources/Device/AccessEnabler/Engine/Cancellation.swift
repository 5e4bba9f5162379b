import Synchronization

/// Ends one piece of work that runs beside the mailbox, such as a poll, without ending its task group.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var last = 0
        var released: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    var isCancelled: Bool { self.state.withLock { $0.isCancelled } }

    func cancel() {
        let waiting = self.state.withLock { state in
            state.isCancelled = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Runs `work` in a task that is cancelled together with this; not at all where this was cancelled before.
    /// - Returns: the result of `work`, also when it was cancelled.
    @discardableResult
    func guarding<Result: Sendable>(_ work: @escaping @Sendable () async -> Result?) async -> Result? {
        guard !self.isCancelled else { return nil }
        return await withTaskGroup(of: Result?.self) { group in
            group.addTask { await work() }
            group.addTask {
                await self.wait()
                return nil
            }
            var result: Result?
            for await item in group {
                result = item ?? result
                group.cancelAll()
            }
            return result
        }
    }

    /// Returns when this was cancelled, or the waiting task is.
    func wait() async {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if state.isCancelled || state.released.remove(number) != nil { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.release(number)
        }
    }

    /// Lets one waiter go: its work is done. Others go on.
    private func release(_ number: Int) {
        let waiting = self.state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: number)
            if waiting == nil, !state.isCancelled { state.released.insert(number) }
            return waiting
        }
        waiting?.resume()
    }
}
