import Lifecycle
import Synchronization

/// Counts the requests that are being answered, held ones only under TLS.
final class InFlight: Sendable {
    private let count = Atomic<Int>(0)
    private let isDraining = Atomic<Bool>(false)
    private let drained = StopSignal()

    func begin() { self.count.add(1, ordering: .sequentiallyConsistent) }

    func end() {
        let left = self.count.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left == 0, self.isDraining.load(ordering: .sequentiallyConsistent) { self.drained.give() }
    }

    var value: Int { self.count.load(ordering: .relaxed) }

    /// Returns once nothing has been in flight for a moment, or when the task is cancelled.
    func drain() async {
        self.isDraining.store(true, ordering: .sequentiallyConsistent)
        if self.count.load(ordering: .sequentiallyConsistent) == 0 { return }
        await self.drained.wait()
    }
}
