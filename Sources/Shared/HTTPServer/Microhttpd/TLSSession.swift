import CMicrohttpd

/// The TLS of one connection, for a last answer that does not pass through libmicrohttpd.
///
/// To be used on the connection's thread, and only while libmicrohttpd has nothing of its own to send.
@safe struct TLSSession {
    private let handle: OpaquePointer

    /// - Returns: `nil` when the connection does not use TLS.
    init?(of connection: OpaquePointer) {
        guard let handle = unsafe latchkey_tls_session(connection) else { return nil }
        unsafe self.handle = handle
    }

    /// Sends `bytes`, and that nothing follows them: what libmicrohttpd sends after that goes nowhere.
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
