import Synchronization

/// What happened, in order.
package final class Notes<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    package init() {}

    package var all: [Value] { self.kept.withLock { $0 } }

    package func add(_ value: Value) { self.kept.withLock { $0.append(value) } }
}
