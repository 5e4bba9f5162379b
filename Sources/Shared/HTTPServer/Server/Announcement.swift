import Synchronization

/// A result that is announced once and awaited by any number of tasks. A cancelled task waits as well: the announcement is
/// near, and the task must not go on without it.
final class Announcement<Value: Sendable>: Sendable {
    private enum State {
        case awaited([CheckedContinuation<Value, any Error>])
        case made(Result<Value, any Error>)
    }

    private let state = Mutex(State.awaited([]))

    /// Announces; every later result is dropped.
    func make(_ result: Result<Value, any Error>) {
        let waiters: [CheckedContinuation<Value, any Error>] = self.state.withLock { state in
            guard case .awaited(let waiters) = state else { return [] }
            state = .made(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = self.state.withLock { state in
                    switch state {
                    case .awaited(let waiters):
                        state = .awaited(waiters + [continuation])
                        return nil
                    case .made(let result):
                        return result
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
