import Synchronization

/// A request that a ``ScriptedService`` holds back, at most half a minute.
package final class HeldRequest: Sendable {
    private let arrival = Signal<Void>()
    private let gate = Gate()
    private let isOver = Atomic<Bool>(false)

    /// Whether it is still to come or held.
    package var isHeld: Bool { !self.isOver.load(ordering: .acquiring) }

    /// Returns once the request has come; awaited once.
    package func reached() async { _ = await self.arrival.next() }

    /// Lets it go.
    package func open() { self.gate.open() }

    func wait() {
        self.arrival.send(())
        self.gate.wait()
        self.isOver.store(true, ordering: .releasing)
    }
}
