import Synchronization

/// How often a signal came.
final class SignalCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Counts one more.
    func next() -> Int {
        self.count.add(1, ordering: .relaxed).newValue
    }
}
