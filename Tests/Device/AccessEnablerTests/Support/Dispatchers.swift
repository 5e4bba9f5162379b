import AccessEnabler
import Synchronization
import TestSupport

/// Delivers nothing until it is opened.
final class HeldDispatcher: AccessEnabler.CallbackDispatcher {
    let latch = Latch()

    func deliver(_ callback: @escaping @Sendable () -> Void) async {
        await self.latch.wait()
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
