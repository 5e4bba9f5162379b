import CMicrohttpd
import Glibc

/// The TLS of one connection: its credentials, a handshake in which the client is silent, and a last answer.
///
/// libmicrohttpd 0.9.75 learns only from a read of its own that a socket has nothing to read. During a handshake GnuTLS
/// reads, so the thread would ask again and again, with all of a processor, until the client speaks. Hence GnuTLS reads
/// through here, and the connection is suspended meanwhile.
///
/// To be used on the connection's thread.
@safe final class TLSSession: Sendable {
    private nonisolated(unsafe) let connection: OpaquePointer
    private nonisolated(unsafe) let handle: OpaquePointer
    private let descriptor: Int32
    private let core: ServerCore
    private let credentials: TLSCredentials
    /// Whether a message of the client has come. GnuTLS names no last one before that, and none after the handshake.
    private nonisolated(unsafe) var hasBegun = false

    /// - Parameter connection: has just begun. It must end before this object does.
    init?(of connection: OpaquePointer, _ descriptor: Int32, _ core: ServerCore, _ credentials: TLSCredentials) {
        guard let handle = unsafe latchkey_tls_session(connection) else { return nil }
        unsafe self.connection = connection
        unsafe self.handle = handle
        self.descriptor = descriptor
        self.core = core
        self.credentials = credentials
        unsafe credentials.use(in: handle)
        unsafe gnutls_transport_set_ptr2(
            handle, Unmanaged.passUnretained(self).toOpaque(), gnutls_transport_get_ptr(handle))
        unsafe gnutls_transport_set_pull_function(handle) { session, bytes, size in
            guard let session = unsafe session else { return -1 }
            return unsafe Unmanaged<TLSSession>.fromOpaque(session).takeUnretainedValue().read(bytes, size)
        }
    }

    private func read(_ bytes: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        let isInHandshake = unsafe gnutls_handshake_get_last_in(self.handle).rawValue != UInt32.max
        unsafe self.hasBegun = self.hasBegun || isInHandshake
        let count = unsafe recv(self.descriptor, bytes, size, 0)
        guard count < 0, errno == EAGAIN else { return count }
        // Behind the handshake libmicrohttpd may have resumed the connection to answer, and asks for more by the way: suspended
        // again, it would keep the answer until its client speaks.
        if unsafe isInHandshake || !self.hasBegun { self.suspend() }
        unsafe gnutls_transport_set_errno(self.handle, EAGAIN)
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

    /// Sends `bytes` past libmicrohttpd, which must have nothing of its own to send, and that nothing follows them: what
    /// libmicrohttpd sends after that goes nowhere.
    /// - Returns: `false` when the socket does not take them all.
    func sendLast(_ bytes: [UInt8]) -> Bool {
        var unsent = bytes[...]
        while !unsent.isEmpty {
            // "The number of bytes sent, or a negative error code": a record holds 16 KiB at most.
            let count = unsafe unsent.withUnsafeBytes {
                unsafe gnutls_record_send(self.handle, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            unsent = unsent.dropFirst(count)
        }
        return unsafe gnutls_bye(self.handle, GNUTLS_SHUT_WR) == GNUTLS_E_SUCCESS
    }
}
