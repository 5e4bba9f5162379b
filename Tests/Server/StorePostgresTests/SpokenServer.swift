import Glibc
import POSIX
import Synchronization

/// A listener on an address of the loopback network that says of PostgreSQL's protocol what a test wants, up to the end of
/// signing in.
final class SpokenServer: Sendable {
    enum Manner: Sendable {
        /// Takes connections, and says nothing.
        case silent
        /// Signs everyone in, as a server that takes writes.
        case primary
        /// Signs everyone in, as a server that takes no writes.
        case standby
        /// Agrees to TLS, keeps what the caller says then, and ends the connection.
        case overheard
    }

    struct Failure: Error {
        let code: Int32
    }

    let port: UInt16
    private let descriptor: Int32
    private let isSilent: Bool
    private let heard = Mutex<[[UInt8]]>([])
    private let welcomed = Mutex(0)

    /// What callers said after they were told that TLS may begin.
    var overheard: [[UInt8]] { self.heard.withLock { $0 } }

    /// How many callers were signed in, or are in a moment.
    var callers: Int { self.welcomed.withLock { $0 } }

    /// - Parameters:
    ///   - last: the last number of the address 127.0.0.…
    ///   - port: 0 for a free one.
    init(_ manner: Manner, at last: UInt8, port: UInt16 = 0) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (0x7F00_0000 + UInt32(last)).bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
                guard unsafe bind(descriptor, pointer, length) == 0, listen(descriptor, 16) == 0 else { return -1 }
                return unsafe getsockname(descriptor, pointer, &length)
            }
        }
        guard code == 0 else { throw Failure(code: errno) }
        self.port = UInt16(bigEndian: address.sin_port)
        self.isSilent = manner == .silent
        guard manner != .silent else { return }
        _ = startThread { [weak self] in
            Self.serve(descriptor, manner, welcome: { self?.welcomed.withLock { $0 += 1 } }, note: { self?.note($0) })
        }
    }

    // Ends the accept, after which the thread closes it; a silent one has no thread.
    deinit {
        shutdown(self.descriptor, Int32(SHUT_RDWR))
        if self.isSilent { close(self.descriptor) }
    }

    private func note(_ bytes: [UInt8]) { self.heard.withLock { $0.append(bytes) } }

    private static func serve(_ listener: Int32, _ manner: Manner, welcome: () -> Void, note: ([UInt8]) -> Void) {
        defer { close(listener) }
        var open: [Int32] = []
        defer { for connection in open { close(connection) } }
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            // Either a request for TLS or the start-up message comes first.
            _ = Self.read(connection)
            if manner == .overheard {
                Self.send(Array("S".utf8), to: connection)
                note(Self.read(connection))
                close(connection)
            } else {
                welcome()
                Self.send(Self.greeting(isStandby: manner == .standby), to: connection)
                open.append(connection)
            }
        }
    }

    /// AuthenticationOk, what the server says of itself, and ReadyForQuery (PostgreSQL, 55.7).
    private static func greeting(isStandby: Bool) -> [UInt8] {
        var bytes: [UInt8] = [0x52, 0, 0, 0, 8, 0, 0, 0, 0]
        for (name, value) in [
            ("server_version", "15.0"), ("in_hot_standby", isStandby ? "on" : "off"),
            ("default_transaction_read_only", "off"),
        ] {
            let text = Array(name.utf8) + [0] + Array(value.utf8) + [0]
            bytes += [0x53, 0, 0, 0, UInt8(text.count + 4)] + text
        }
        return bytes + [0x5A, 0, 0, 0, 5, 0x49]
    }

    private static func read(_ connection: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe recv(connection, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(count, 0)))
    }

    private static func send(_ bytes: [UInt8], to connection: Int32) {
        _ = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
