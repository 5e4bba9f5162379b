import Synchronization

/// Holds tasks until it is opened, whatever is cancelled.
package final class Latch: Sendable {
    private let state = Mutex<(isOpen: Bool, held: [CheckedContinuation<Void, Never>])>((false, []))

    package init() {}

    package var isOpen: Bool { self.state.withLock { $0.isOpen } }

    package func open() {
        let held = self.state.withLock { state in
            defer { state = (true, []) }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// - Parameter signal: is sent a value if the latch holds the task.
    package func wait(telling signal: Signal<Void>? = nil) async {
        await withCheckedContinuation { continuation in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.held.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() } else { signal?.send(()) }
        }
    }
}
