import Synchronization

/// Says whether the cancellation of a task that awaits a call must end that call: not before it was made, since its
/// end would then overtake it, and not after it ended by itself.
package final class CancellableWait: Sendable {
    private enum State {
        case notBegun, cancelledEarly, waiting, over
    }

    private let state = Mutex(State.notBegun)

    package init() {}

    /// The call was made. - Returns: whether it must be ended at once.
    package func begin() -> Bool {
        self.state.withLock { state in
            defer { if state == .notBegun { state = .waiting } }
            return state == .cancelledEarly
        }
    }

    /// The task was cancelled. - Returns: whether the call must be ended.
    package func cancel() -> Bool {
        self.state.withLock { state in
            if state == .notBegun { state = .cancelledEarly }
            return state == .waiting
        }
    }

    /// The call has ended.
    package func end() { self.state.withLock { $0 = .over } }
}
