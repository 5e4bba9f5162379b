import Glibc

/// A socket whose answer is written, or nearly: kept until the client has read it.
///
/// Closing a socket with unread input resets the connection, and a reset can overtake the answer. So the rest of the
/// answer is sent, our side is closed, and what still comes is thrown away until the client closes too.
struct LingeringSocket {
    let socket: Int32
    let tag: UInt64
    let remoteAddress: IPAddress
    /// Microseconds of `MonotonicTime`.
    let deadline: Int
    private(set) var unsent: ArraySlice<UInt8>

    static let patience = 2_000_000

    /// Which events are waited for.
    var interest: UInt32 { self.unsent.isEmpty ? EventSet.readable | EventSet.peerClosed : EventSet.writable }

    /// Sends what the socket takes. - Returns: `false` when the connection is of no more use.
    mutating func send() -> Bool {
        while !self.unsent.isEmpty {
            let count = unsafe self.unsent.withUnsafeBytes {
                unsafe Glibc.send(
                    self.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN
            }
            self.unsent = self.unsent.dropFirst(count)
        }
        shutdown(self.socket, Int32(SHUT_WR))
        return true
    }

    /// Throws away what has come, though not so much that other sockets wait. - Returns: `false` when the client has
    /// closed.
    func discardInput() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<16 {
            let count = unsafe recv(self.socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { continue }
            return count < 0 && (errno == EAGAIN || errno == EINTR)
        }
        return true
    }
}
