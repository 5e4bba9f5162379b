import CMicrohttpd
import POSIX
import Synchronization

/// The requests of one daemon whose fields libmicrohttpd still reads.
///
/// libmicrohttpd 0.9.75 answers some fields by itself, and writes the head of that answer twice:
/// `parse_connection_headers` queues the answer and goes on as if it had not, and `START_REPLY` builds the head again. So
/// it does with a `Content-Length` that is no number, and with a `Cookie` too long for its memory. It calls nothing but
/// its logger in between; then the request at fault is the one whose fields were read to their end, and we answer.
///
/// Sendable by argument: as with `ResponseStock`, only the thread of the daemon touches what is kept here. The logger
/// alone may be called on other threads, which `refuse` finds out.
@safe final class UnreadHeads: @unchecked Sendable {
    @safe private struct Head {
        let exchange: Exchange
        let connection: OpaquePointer
    }

    /// What libmicrohttpd's logger is given. It lives as long as this object, and this as long as the daemon.
    let logger = UnsafeMutablePointer<latchkey_logger>.allocate(capacity: 1)

    /// Nearly always the fields have come with the request line, and the one is gone before the next comes.
    private var latest: Head?
    private var others: [ObjectIdentifier: Head] = [:]
    /// The daemon's thread, 0 before its first connection.
    private let thread = Atomic<UInt64>(0)
    /// How often libmicrohttpd has logged on the daemon's thread.
    private(set) var logCount = 0

    init() {
        unsafe self.logger.initialize(
            to: latchkey_logger(log: logCallback, context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { unsafe self.logger.deallocate() }

    /// A connection begins, on the daemon's thread.
    func begin(_ connection: ConnectionRecord) {
        if self.thread.load(ordering: .relaxed) == 0 {
            self.thread.store(ThisProcess.threadNumber, ordering: .relaxed)
        }
        connection.awaitFirstRequest(self.logCount)
    }

    /// Whether libmicrohttpd closes the connection because its first line has no blank in it: then it answers nothing, and
    /// so we do. Elsewhere it answers by itself and logs, so where it has logged meanwhile, about this connection or
    /// another, the answer is `false`.
    func isClosedUnanswered(_ connection: ConnectionRecord, requestTime: Int) -> Bool {
        connection.isAwaitingFirstRequest(self.logCount)
            && !connection.isLate(at: MonotonicTime.now() + requestTime) && connection.hasPeer
    }

    /// The request line has come.
    func add(_ exchange: Exchange, _ connection: OpaquePointer) {
        if let latest { self.others[ObjectIdentifier(latest.exchange)] = latest }
        self.latest = unsafe Head(exchange: exchange, connection: connection)
    }

    /// The fields have been read, or the request has ended.
    func remove(_ exchange: Exchange) {
        if let latest, latest.exchange === exchange {
            self.latest = nil
        } else if !self.others.isEmpty {
            self.others[ObjectIdentifier(exchange)] = nil
        }
    }

    /// Refuses the request whose fields libmicrohttpd is about to answer, if there is one.
    func refuse() {
        guard self.thread.load(ordering: .relaxed) == ThisProcess.threadNumber else { return }
        self.logCount += 1
        if let latest { self.refuse(latest) }
        for head in self.others.values { self.refuse(head) }
    }

    private func refuse(_ head: Head) {
        // Known from the end of the fields on, and then `remove` is called unless something is wrong.
        if unsafe latchkey_header_size(head.connection) > 0 { head.exchange.refuseAhead() }
    }
}
