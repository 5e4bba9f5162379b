import AccessEnabler
import Synchronization

/// Delivers nothing until it is opened.
final class HeldDispatcher: AccessEnabler.CallbackDispatcher {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiting = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func deliver(_ callback: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        callback()
    }
}

/// Takes its time before and after every callback, and notices when it is asked for another one meanwhile.
final class UnhurriedDispatcher: AccessEnabler.CallbackDispatcher {
    private let state = Mutex((inside: 0, overlaps: 0, delivered: 0))

    var overlaps: Int { self.state.withLock(\.overlaps) }
    var delivered: Int { self.state.withLock(\.delivered) }

    func deliver(_ callback: @escaping @Sendable () -> Void) async {
        self.state.withLock { state in
            if state.inside > 0 { state.overlaps += 1 }
            state.inside += 1
        }
        for _ in 0..<50 { await Task.yield() }
        callback()
        for _ in 0..<50 { await Task.yield() }
        self.state.withLock { state in
            state.inside -= 1
            state.delivered += 1
        }
    }
}
