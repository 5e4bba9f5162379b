import Glibc
import POSIX
import Synchronization

/// A thread that lives as long as the store.
final class BackgroundThread: Sendable {
    private struct State {
        var isClosed = false
        var isRunning = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Rung when the thread is closed, and by those that want it to hurry.
    let bell = Bell()

    var isClosed: Bool { self.state.withLock { $0.isClosed } }

    /// - Parameter body: returns soon after the bell was rung for the end (``isClosed``).
    /// - Returns: whether there is such a thread.
    func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard self.bell.isUsable else { return false }
        self.state.withLock { $0.isRunning = true }
        if startThread({ self.run(body) }) { return true }
        self.state.withLock { $0.isRunning = false }
        return false
    }

    /// Ends the thread.
    func close() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let isEnded = self.state.withLock { state in
                state.isClosed = true
                if state.isRunning { state.whenEnded.append(done) }
                return !state.isRunning
            }
            self.bell.ring()
            if isEnded { done.resume() }
        }
    }

    private func run(_ body: () -> Void) {
        body()
        let waiting = self.state.withLock { state in
            state.isRunning = false
            return state.whenEnded
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits on the thread until `end`, or until the bell is rung.
    func rest(until end: ContinuousClock.Instant) {
        var wanted = pollfd(fd: self.bell.descriptor, events: Int16(POLLIN), revents: 0)
        // An interrupted wait is a short one.
        _ = unsafe poll(&wanted, 1, ContinuousClock.now.milliseconds(until: end))
        if !self.isClosed { self.bell.hush() }
    }
}

extension ContinuousClock.Instant {
    /// How long to wait in poll(2) until `end`: rounded up, so that a wait for less than a millisecond is one.
    func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
        let time = max(.zero, self.duration(to: end)).components
        return Int32(clamping: time.seconds * 1000 + time.attoseconds / 1_000_000_000_000_000 + 1)
    }
}
