import Synchronization

/// Says yes once.
final class Once: Sendable {
    private let isOver = Atomic<Bool>(false)

    func isFirst() -> Bool { !self.isOver.exchange(true, ordering: .relaxed) }
}
