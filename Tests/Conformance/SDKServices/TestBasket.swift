import Synchronization

/// What a test puts by while its server runs, to compare it with what another server says.
final class TestBasket<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { self.values.withLock { $0 } }

    func add(_ value: Value) { self.values.withLock { $0.append(value) } }
}
