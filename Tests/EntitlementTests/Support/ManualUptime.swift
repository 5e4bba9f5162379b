import Synchronization

/// A monotonic clock that goes on when the test says so.
final class ManualUptime: Sendable {
    private let time = Mutex<Duration>(.seconds(1000))

    var now: Duration { self.time.withLock { $0 } }

    func advance(by step: Duration) {
        self.time.withLock { $0 += step }
    }
}
