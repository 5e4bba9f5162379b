import Entitlement
import Glibc
import POSIX
import StoreRecords
import Synchronization

/// Hears of other nodes' changes, and wakes those that wait for one. It only shortens the wait: what changed, readers
/// find in the feed, also when nothing was heard.
final class ChangeListener: Sendable {
    private struct State {
        var isClosed = false
        var isRunning = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let finder: PrimaryFinder
    private let signal: ChangeSignal
    private let state = Mutex(State())
    /// Wakes the thread when the listener is closed.
    private let bell = Bell()

    init(_ finder: PrimaryFinder, signal: ChangeSignal) {
        self.finder = finder
        self.signal = signal
    }

    /// - Returns: whether there is a thread that listens.
    func start() -> Bool {
        guard self.bell.isUsable else { return false }
        self.state.withLock { $0.isRunning = true }
        if startThread({ self.run() }) { return true }
        self.state.withLock { $0.isRunning = false }
        return false
    }

    /// Ends the thread and its connection.
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

    private var isClosed: Bool { self.state.withLock { $0.isClosed } }

    private func run() {
        while !self.isClosed {
            do throws(PostgresFailure) {
                try self.listen()
            } catch {
                // Readers look by themselves meanwhile.
                self.rest()
            }
        }
        let waiting = self.state.withLock { state in
            state.isRunning = false
            return state.whenEnded
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Listens until the listener is closed or the connection is lost.
    private func listen() throws(PostgresFailure) {
        let session = try Session(self.finder, by: ContinuousClock.now + .seconds(2))
        _ = try session.send("LISTEN latchkey_changes")
        try session.synchronize()
        try session.receiveAll()
        // What changed before this connection listened, it did not hear of.
        self.signal.give()
        // A server that was replaced may never say a word again.
        while !self.isClosed, session.isCurrent {
            if try session.waitForNotification(bell: self.bell.descriptor, atMost: .seconds(1)) { self.signal.give() }
        }
    }

    /// Waits a second, or until the listener is closed.
    private func rest() {
        self.signal.give()
        var wanted = pollfd(fd: self.bell.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&wanted, 1, 1000)
    }
}
