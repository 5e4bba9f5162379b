import CPostgres
import Glibc

/// One connection to the server in pipeline mode, closed when it goes out of scope. For one thread.
@safe
struct Connection: ~Copyable {
    private let handle: OpaquePointer
    /// The count of libpq's receiver of notices: it runs in calls on this connection alone, and so on its thread.
    private let warnings: UnsafeMutablePointer<UInt32>

    /// Takes over what an attempt made.
    init(_ attempt: ConnectionAttempt) throws(PostgresFailure) {
        guard let handle = unsafe attempt.release() else { throw .lost("there is no connection") }
        let warnings = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        unsafe warnings.initialize(to: 0)
        unsafe latchkey_pq_count_warnings(handle, warnings)
        // "PQenterPipelineMode returns 1 for success"; "PQsetnonblocking returns 0 if OK".
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
            let failure = unsafe Self.failure(of: handle)
            unsafe PQfinish(handle)
            unsafe warnings.deallocate()
            throw failure
        }
        unsafe self.handle = handle
        unsafe self.warnings = warnings
    }

    deinit {
        // Before the count, which libpq may add to until then.
        unsafe PQfinish(self.handle)
        unsafe self.warnings.deallocate()
    }

    borrowing func prepare(_ sql: String, as name: String) throws(PostgresFailure) {
        guard unsafe PQsendPrepare(self.handle, name, sql, 0, nil) == 1 else { throw self.failure() }
    }

    /// Queues the execution of a prepared statement.
    borrowing func send(_ name: String, _ values: EncodedValues) throws(PostgresFailure) {
        let (bytes, lengths) = (values.bytes, values.lengths)
        guard unsafe latchkey_pq_send(self.handle, name, bytes, lengths, Int32(values.count)) == 1 else {
            throw self.failure()
        }
    }

    /// Ends a pipeline: a failure skips what follows up to here.
    borrowing func synchronize() throws(PostgresFailure) {
        guard unsafe PQpipelineSync(self.handle) == 1 else { throw self.failure() }
    }

    /// Has the server send the answers it has, without the end of a pipeline.
    borrowing func requestAnswers() throws(PostgresFailure) {
        guard unsafe PQsendFlushRequest(self.handle) == 1 else { throw self.failure() }
    }

    /// Writes what is queued, as far as the socket takes it.
    /// - Returns: whether something is left.
    borrowing func flush() throws(PostgresFailure) -> Bool {
        // "Returns 0 if successful, -1 if it failed, 1 if it was unable to send all the data".
        let left = unsafe PQflush(self.handle)
        guard left >= 0 else { throw self.failure() }
        return left == 1
    }

    /// Reads what has come, and does not wait for more.
    borrowing func consume() throws(PostgresFailure) {
        guard unsafe PQconsumeInput(self.handle) == 1 else { throw self.failure() }
    }

    /// Whether asking for the next answer would block.
    borrowing func isBusy() -> Bool { unsafe PQisBusy(self.handle) == 1 }

    /// The next answer; `nil` after the last one of a statement.
    borrowing func nextAnswer() -> QueryResult? {
        guard let result = unsafe PQgetResult(self.handle) else { return nil }
        return unsafe QueryResult(result)
    }

    borrowing func isInTransaction() -> Bool { unsafe PQtransactionStatus(self.handle) != PQTRANS_IDLE }

    /// How many warnings the server sent with the answers that were taken so far.
    borrowing func warningCount() -> UInt32 { unsafe self.warnings.pointee }

    /// Takes one notification, of those that were read already.
    /// - Returns: whether there was one.
    borrowing func takeNotification() -> Bool {
        guard let notification = unsafe PQnotifies(self.handle) else { return false }
        // "After processing … be sure to free it with PQfreemem."
        unsafe PQfreemem(notification)
        return true
    }

    /// Waits until the socket can be read, or written when `isWriting`, or until the bell has rung.
    /// - Parameter bell: a descriptor; -1 for none, which poll(2) passes over.
    /// - Returns: whether the bell has rung.
    borrowing func wait(isWriting: Bool, bell: Int32 = -1, atMost limit: Duration) throws(PostgresFailure) -> Bool {
        let socket = unsafe PQsocket(self.handle)
        guard socket >= 0 else { throw self.failure() }
        let events = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
        var wanted = [
            pollfd(fd: socket, events: events, revents: 0), pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        let now = ContinuousClock.now
        // An interrupted or fruitless wait is no failure: the caller looks at the clock.
        _ = unsafe poll(&wanted, 2, now.milliseconds(until: now + limit))
        return wanted[1].revents != 0
    }

    private borrowing func failure() -> PostgresFailure { unsafe Self.failure(of: self.handle) }

    static func failure(of handle: OpaquePointer) -> PostgresFailure {
        // The text belongs to libpq and lasts until the next call on the connection; `String` copies it.
        let message = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? "no message"
        // Libpq indents the lines behind the first.
        let lines = message.split(separator: "\n").map { $0.drop { $0 == "\t" } }
        return .lost(lines.joined(separator: "; "))
    }
}

/// A connection that is being made to one server, given up when it is released. For one thread.
///
/// It never blocks, but where a host's name is looked up.
@safe
final class ConnectionAttempt {
    enum Progress {
        case made
        case failed(PostgresFailure)
        case waiting
    }

    private var handle: OpaquePointer?
    /// The direction in which the socket is waited for: "behave as if it last returned PGRES_POLLING_WRITING" before
    /// the first look.
    private var isWriting = true

    /// - Parameter takingWrites: whether a server that takes none is a failure.
    init(_ settings: ConnectionSettings, to host: ConnectionSettings.Host, takingWrites: Bool) {
        unsafe self.handle = latchkey_pq_start(
            settings.connection, settings.name, takingWrites ? "read-write" : "any", host.name, host.address, host.port)
    }

    // "Even if the server connection attempt fails, the application should call PQfinish".
    deinit { if let handle = unsafe self.handle { unsafe PQfinish(handle) } }

    /// The socket to wait for; `nil` when there is nothing.
    var wanted: pollfd? {
        guard let handle = unsafe self.handle, unsafe PQstatus(handle) != CONNECTION_BAD else { return nil }
        // It may be another one after each step.
        let socket = unsafe PQsocket(handle)
        return socket < 0 ? nil : pollfd(fd: socket, events: Int16(self.isWriting ? POLLOUT : POLLIN), revents: 0)
    }

    /// Goes on, once the socket is what ``wanted`` says or there was nothing to wait for.
    func proceed() -> Progress {
        guard let handle = unsafe self.handle else { return .failed(.lost("no memory for a connection")) }
        guard unsafe PQstatus(handle) != CONNECTION_BAD else { return unsafe .failed(Connection.failure(of: handle)) }
        let state = unsafe PQconnectPoll(handle)
        if state == PGRES_POLLING_OK { return .made }
        if state == PGRES_POLLING_FAILED { return unsafe .failed(Connection.failure(of: handle)) }
        self.isWriting = state == PGRES_POLLING_WRITING
        return .waiting
    }

    /// Hands the connection over; its new owner finishes it.
    func release() -> OpaquePointer? {
        defer { unsafe self.handle = nil }
        return unsafe self.handle
    }
}
