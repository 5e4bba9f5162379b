import CPostgres
import Glibc

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
