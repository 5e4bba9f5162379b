import CMicrohttpd
import Glibc

/// Suspends a connection whose client is silent in the middle of its handshake, and keeps the credentials of its TLS.
///
/// libmicrohttpd 0.9.75 learns only from a read of its own that a socket has nothing to read. During a handshake GnuTLS
/// reads, so the thread would ask again and again, with all of a processor, until the client speaks. Hence GnuTLS reads
/// through here.
@safe final class TLSHandshake: Sendable {
    private nonisolated(unsafe) let connection: OpaquePointer
    private nonisolated(unsafe) let session: OpaquePointer
    private let descriptor: Int32
    private let core: ServerCore
    private let credentials: TLSCredentials

    /// - Parameter connection: has just begun. It must end before this object does.
    init?(_ connection: OpaquePointer, of record: ConnectionRecord, _ core: ServerCore, _ credentials: TLSCredentials) {
        guard let session = unsafe latchkey_tls_session(connection) else { return nil }
        unsafe self.connection = connection
        unsafe self.session = session
        self.descriptor = record.descriptor
        self.core = core
        self.credentials = credentials
        unsafe credentials.use(in: session)
        unsafe gnutls_transport_set_ptr2(
            session, Unmanaged.passUnretained(self).toOpaque(), gnutls_transport_get_ptr(session))
        unsafe gnutls_transport_set_pull_function(session) { handshake, bytes, size in
            guard let handshake = unsafe handshake else { return -1 }
            return unsafe Unmanaged<TLSHandshake>.fromOpaque(handshake).takeUnretainedValue().read(bytes, size)
        }
    }

    private func read(_ bytes: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        let count = unsafe recv(self.descriptor, bytes, size, 0)
        guard count < 0, errno == EAGAIN else { return count }
        // After the client's last message libmicrohttpd reads.
        if unsafe gnutls_handshake_get_last_in(self.session) != GNUTLS_HANDSHAKE_FINISHED { self.suspend() }
        unsafe gnutls_transport_set_errno(self.session, EAGAIN)
        return count
    }

    /// Until there is something to read, or the connection has been shut down because its time is over.
    private func suspend() {
        unsafe MHD_suspend_connection(self.connection)
        let suspension = unsafe Suspension(self.connection, reply: nil, in: self.core.suspensions)
        guard self.core.suspensions.insert(suspension),
            self.core.lot.watch(suspension, on: self.descriptor, for: EventSet.readable)
        else { return suspension.send(ParkingLot.unavailable) }
    }
}
