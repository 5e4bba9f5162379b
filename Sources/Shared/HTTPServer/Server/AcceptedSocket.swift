import Glibc

/// A connection that was accepted; closed when it goes out of scope, unless somebody adopts it.
struct AcceptedSocket: ~Copyable {
    enum Outcome: ~Copyable {
        case accepted(AcceptedSocket)
        /// Nobody is waiting any more.
        case nothing
        /// The system will not, for now.
        case refused
    }

    /// -1 once somebody has adopted it.
    private var descriptor: Int32
    private var storage: sockaddr_storage
    private let length: socklen_t

    private init(adopting descriptor: Int32, _ storage: sockaddr_storage, _ length: socklen_t) {
        self.descriptor = descriptor
        self.storage = storage
        self.length = length
    }

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
            if descriptor >= 0 { return .accepted(AcceptedSocket(adopting: descriptor, storage, length)) }
            switch errno {
            case EAGAIN: return .nothing
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .refused
            // Whatever befell that connection, the next may be well (accept(2), "Error handling").
            default: continue
            }
        }
    }

    var remoteAddress: IPAddress {
        unsafe withUnsafePointer(to: self.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe IPAddress($0) }
        }
    }

    /// Gives the descriptor away, with the address of the peer in the system's form.
    consuming func release(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void) {
        let descriptor = self.descriptor
        self.descriptor = -1
        unsafe withUnsafePointer(to: self.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body(descriptor, $0, self.length)
            }
        }
    }
}
