import Glibc

/// A connection that was accepted; closed when it goes out of scope, unless it is released to another owner.
struct AcceptedSocket: ~Copyable {
    enum Outcome: ~Copyable {
        case accepted(AcceptedSocket)
        /// No client is waiting any more.
        case nothing
        /// The system has no descriptor or no memory for now.
        case refused
    }

    /// -1 once it is released.
    private(set) var descriptor: Int32
    private var storage: sockaddr_storage
    private let length: socklen_t

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    static func accept(from listener: ListenSocket) -> Outcome {
        while true {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe listener.accept($0, &length)
                }
            }
            if descriptor >= 0 {
                return .accepted(AcceptedSocket(descriptor: descriptor, storage: storage, length: length))
            }
            switch errno {
            case EAGAIN: return .nothing
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .refused
            // That connection failed; the next may be well (accept(2), "Error handling").
            default: continue
            }
        }
    }

    var remoteAddress: IPAddress {
        unsafe withUnsafePointer(to: self.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe IPAddress($0) }
        }
    }

    /// The peer's port; `nil` on a Unix socket.
    var remotePort: UInt16? {
        unsafe withUnsafePointer(to: self.storage) { pointer in
            switch Int32(self.storage.ss_family) {
            case AF_INET:
                unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe UInt16(bigEndian: $0.pointee.sin_port)
                }
            case AF_INET6:
                unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    unsafe UInt16(bigEndian: $0.pointee.sin6_port)
                }
            default: nil
            }
        }
    }

    /// Sends `bytes`, which fit into an empty socket buffer, and closes.
    ///
    /// Input that the client has sent by now is read first: closing a socket with unread input resets the connection,
    /// and the reset could overtake the answer.
    consuming func answer(_ bytes: [UInt8]) {
        var input = [UInt8](repeating: 0, count: 4096)
        _ = unsafe recv(self.descriptor, &input, input.count, Int32(MSG_DONTWAIT))
        _ = unsafe send(self.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        shutdown(self.descriptor, Int32(SHUT_WR))
    }

    /// Gives the descriptor away, with the address of the peer in the system's form.
    consuming func release<Result>(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let descriptor = self.descriptor
        self.descriptor = -1
        return unsafe withUnsafePointer(to: self.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body(descriptor, $0, self.length)
            }
        }
    }
}
