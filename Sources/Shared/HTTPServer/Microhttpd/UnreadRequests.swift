import CMicrohttpd
import POSIX
import Synchronization

/// The requests of one daemon of which libmicrohttpd still reads what we do not see: the fields, and the lines of chunks.
///
/// libmicrohttpd 0.9.75 answers some faults by itself, and not as it should. It writes the head of an answer to the fields
/// twice: `parse_connection_headers` queues the answer and goes on as if it had not, and `START_REPLY` builds the head
/// again. So it does with a `Content-Length` that is no number, and with a `Cookie` too long for its memory. And it takes
/// the line of a chunk that is too long for its memory for a fault of the server. It calls nothing but its logger in
/// between; then we find the request at fault, and answer before it does.
///
/// Sendable by argument: as with `ResponseStock`, only the thread of the daemon touches what is kept here. The logger
/// alone may be called on other threads, which `refuse` finds out.
@safe final class UnreadRequests: @unchecked Sendable {
    @safe private struct Request {
        let exchange: Exchange
        let connection: OpaquePointer

        /// Whether its fields have been read to their end: as long as it is among the heads, the request is at fault.
        var hasAllFields: Bool { unsafe latchkey_header_size(self.connection) > 0 }

        /// Whether it has used all the memory that libmicrohttpd allows it. If not, it has a little less afterwards: to
        /// ask for some is the only way to know.
        var isOutOfMemory: Bool {
            unsafe MHD_set_connection_value(self.connection, .POSTDATA_KIND, nil, nil) == .NO
        }
    }

    /// The argument of libmicrohttpd's logger. It lives as long as this object, and this as long as the daemon.
    let logger = UnsafeMutablePointer<latchkey_logger>.allocate(capacity: 1)

    /// Nearly always the fields have come with the request line, and the one is gone before the next comes.
    private var latestHead: Request?
    private var otherHeads: [ObjectIdentifier: Request] = [:]
    private var chunks: [ObjectIdentifier: Request] = [:]
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
    func addHead(_ exchange: Exchange, _ connection: OpaquePointer) {
        if let latestHead { self.otherHeads[ObjectIdentifier(latestHead.exchange)] = latestHead }
        self.latestHead = unsafe Request(exchange: exchange, connection: connection)
    }

    /// The fields have been read, or the request has ended.
    func removeHead(_ exchange: Exchange) {
        if let latestHead, latestHead.exchange === exchange {
            self.latestHead = nil
        } else if !self.otherHeads.isEmpty {
            self.otherHeads[ObjectIdentifier(exchange)] = nil
        }
    }

    /// The fields have been read, and chunks follow.
    func addChunks(_ exchange: Exchange, _ connection: OpaquePointer) {
        self.chunks[ObjectIdentifier(exchange)] = unsafe Request(exchange: exchange, connection: connection)
    }

    /// The request has ended.
    func removeChunks(_ exchange: Exchange) {
        if !self.chunks.isEmpty { self.chunks[ObjectIdentifier(exchange)] = nil }
    }

    /// Refuses the request that libmicrohttpd is about to answer, if there is one.
    /// - Parameter status: of its answer; 0 when it logs something else.
    func refuse(before status: UInt32) {
        guard self.thread.load(ordering: .relaxed) == ThisProcess.threadNumber else { return }
        self.logCount += 1
        // One at most: nothing of it can be read any more, and the others are asked only then.
        if status == MHD_HTTP_INTERNAL_SERVER_ERROR,
            let request = self.chunks.values.first(where: { $0.isOutOfMemory })
        {
            request.exchange.refuseAhead()
            return
        }
        if let latestHead, latestHead.hasAllFields { latestHead.exchange.refuseAhead() }
        for head in self.otherHeads.values where head.hasAllFields { head.exchange.refuseAhead() }
    }
}
