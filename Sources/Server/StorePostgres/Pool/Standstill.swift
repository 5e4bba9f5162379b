import Synchronization

/// Whether the server waits with every commit for a standby that is gone.
///
/// It does so for as long as the standby is away, and each commit that is given up keeps a connection of the server until
/// then. So one is tried at times, and the other callers are refused at once: else they would use up all connections.
final class Standstill: Sendable {
    /// How long after one commit was given up the next is tried.
    private static let pause: Duration = .seconds(2)

    private let next = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether a commit may be tried now. Of callers at the end of a pause one may.
    func admits(at now: ContinuousClock.Instant) -> Bool {
        self.next.withLock { next in
            guard let time = next else { return true }
            guard now >= time else { return false }
            next = now + Self.pause
            return true
        }
    }

    /// A commit waited for a standby until its time was over.
    func begin(at now: ContinuousClock.Instant) {
        self.next.withLock { $0 = now + Self.pause }
    }

    /// A commit was kept, or the server is another one or gone.
    func end() {
        self.next.withLock { $0 = nil }
    }
}
