import Dispatch
import Glibc
import HTTPServer
import Synchronization

/// A client that sends exactly the bytes it is told, and tells exactly what came back.
///
/// Its calls block, so they run on threads of their own: the pool's threads are the server's `.later` handlers'.
final class RawClient: Sendable {
    struct Failure: Error {
        let call: String
        let errno: Int32
    }

    private let socket: Int32
    private let received = Mutex<[UInt8]>([])
    private let queue = DispatchQueue(label: "client")

    /// - Parameter patience: seconds until a call that waits for the server gives up.
    init(_ address: HTTPListenerAddress, patience: Int = 120) throws {
        // Assigned once it is connected: when an initializer throws after that, `deinit` closes too.
        self.socket = try Self.connect(to: address)
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        unsafe setsockopt(self.socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(self.socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(self.socket) }

    private static func connect(to address: HTTPListenerAddress) throws -> Int32 {
        switch address {
        case .tcp(let host, let port):
            precondition(host == "127.0.0.1")
            var storage = sockaddr_in()
            storage.sin_family = sa_family_t(AF_INET)
            storage.sin_port = in_port_t(port).bigEndian
            storage.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            return try self.connect(AF_INET, &storage)
        case .unix(let path, _):
            var storage = sockaddr_un()
            storage.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &storage.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            return try self.connect(AF_UNIX, &storage)
        }
    }

    private static func connect<Address>(_ family: Int32, _ address: inout Address) throws -> Int32 {
        // Not for the servers that other tests start as processes: they count their descriptors.
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(call: "socket", errno: errno) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0 else {
            let number = errno
            close(socket)
            throw Failure(call: "connect", errno: number)
        }
        return socket
    }

    func send(_ text: String) async throws { try await self.send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await self.onQueue {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(self.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(call: "send", errno: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Sends everything, or as much as the server lets us.
    func sendWhatGoes(_ bytes: [UInt8]) async { try? await self.send(bytes) }

    func closeWriting() { shutdown(self.socket, Int32(SHUT_WR)) }

    /// The next answer. - Parameter isHead: whether it answers a `HEAD`, whose length announces what does not come.
    func answer(to request: String? = nil, isHead: Bool = false) async throws -> Answer {
        if let request { try await self.send(request) }
        return try await self.onQueue {
            while true {
                let answer = self.received.withLock { Answer.cut(from: &$0, isHead: isHead) }
                if let answer { return answer }
                guard try self.receiveMore() else { throw Failure(call: "recv", errno: 0) }
            }
        }
    }

    /// Returns when what has come begins with `text`.
    func untilReceived(_ text: String) async throws {
        try await self.onQueue {
            while !self.received.withLock({ $0.starts(with: text.utf8) }) {
                guard try self.receiveMore() else { throw Failure(call: "recv", errno: 0) }
            }
        }
    }

    /// Everything until the server closes the connection. A reset counts as closing.
    func rest() async throws -> [UInt8] {
        try await self.onQueue {
            do {
                while try self.receiveMore() {}
            } catch let failure as Failure where failure.errno == ECONNRESET {
            }
            return self.received.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
        }
    }

    private func receiveMore() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(self.socket, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", errno: errno) }
        self.received.withLock { $0 += buffer.prefix(count) }
        return count > 0
    }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            self.queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
