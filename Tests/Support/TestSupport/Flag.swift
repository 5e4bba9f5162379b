import Synchronization

/// Tells tasks to end.
package final class Flag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isUp: Bool { self.state.load(ordering: .relaxed) }

    package func raise() { self.state.store(true, ordering: .relaxed) }
}
