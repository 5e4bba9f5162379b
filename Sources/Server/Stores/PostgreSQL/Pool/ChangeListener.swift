import POSIX

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

    /// Ends the thread and its connection.
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
            let isNotified = try session.waitForNotification(
                bell: self.thread.bell.descriptor, atMost: .seconds(1))
            if isNotified { self.signal.give() }
        }
    }
}
