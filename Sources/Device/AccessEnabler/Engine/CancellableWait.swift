import Synchronization

/// Says whether the cancellation of a task that awaits a call must end that call: not before it was made, since its
/// end would then overtake it, and not after it ended by itself.
final class CancellableWait: Sendable {
    private enum State {
        case notBegun, cancelledEarly, waiting, over
    }

    private let state = Mutex(State.notBegun)

    /// The call was made. - Returns: whether it must be ended at once.
    func begin() -> Bool {
        self.state.withLock { state in
            defer { if state == .notBegun { state = .waiting } }
            return state == .cancelledEarly
        }
    }

    /// The task was cancelled. - Returns: whether the call must be ended.
    func cancel() -> Bool {
        self.state.withLock { state in
            if state == .notBegun { state = .cancelledEarly }
            return state == .waiting
        }
    }

    /// The call has ended.
    func end() { self.state.withLock { $0 = .over } }
}
