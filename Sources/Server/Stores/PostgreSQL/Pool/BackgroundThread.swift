import Dispatch
import Glibc
import POSIX
import Synchronization

/// A thread that lives as long as the store.
final class BackgroundThread: Sendable {
    private let closed = Atomic<Bool>(false)
    private let running = DispatchGroup()
    /// Rung when the thread is closed, and by those that want it to hurry.
    let bell = Bell()

    var isClosed: Bool { self.closed.load(ordering: .acquiring) }

    /// - Parameter body: returns soon after the bell was rung for the end (``isClosed``).
    /// - Returns: whether there is such a thread.
    func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard self.bell.isUsable else { return false }
        self.running.enter()
        let isStarted = startThread {
            body()
            self.running.leave()
        }
        if !isStarted { self.running.leave() }
        return isStarted
    }

    func close() async {
        self.closed.store(true, ordering: .releasing)
        self.bell.ring()
        await self.running.ended()
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

/// Hears of other nodes' changes, and wakes those that wait for one. It only shortens the wait: what changed, readers
/// find in the feed, also when nothing was heard.
final class ChangeListener: Sendable {
    private let finder: PrimaryFinder
    private let signal: ChangeSignal
    private let thread = BackgroundThread()

    init(_ finder: PrimaryFinder, signal: ChangeSignal) {
        self.finder = finder
        self.signal = signal
    }

    /// - Returns: whether there is a thread that listens.
    func start() -> Bool {
        self.thread.start {
            while !self.thread.isClosed {
                do throws(PostgresFailure) {
                    try self.listen()
                } catch {
                    // Readers look by themselves meanwhile.
                    self.signal.give()
                    self.thread.rest(until: .now + .seconds(1))
                }
            }
        }
    }

    func close() async { await self.thread.close() }

    /// Listens until the listener is closed or the connection is lost.
    private func listen() throws(PostgresFailure) {
        let session = try Session(self.finder, by: ContinuousClock.now + .seconds(2))
        _ = try session.send("LISTEN latchkey_changes")
        try session.synchronize()
        try session.receiveAll()
        // This connection heard of no change before it listened.
        self.signal.give()
        // A server that was replaced may never say a word again.
        while !self.thread.isClosed, session.isCurrent {
            let isNotified = try session.waitForNotification(bell: self.thread.bell.descriptor, atMost: .seconds(1))
            if isNotified { self.signal.give() }
        }
    }
}
