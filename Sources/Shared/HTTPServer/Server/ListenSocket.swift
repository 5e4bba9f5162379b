import CMicrohttpd
import Glibc
import Synchronization

/// A bound, listening socket; closed, and its socket file removed, by `stop` or with the last reference to it.
final class ListenSocket: Sendable {
    /// -1 once it is closed.
    private let descriptor: Atomic<Int32>
    /// The address that it listens on, with the port the system chose.
    let address: HTTPListenerAddress
    /// Whether the socket file is this socket's.
    private let ownsFile = Atomic<Bool>(false)

    private init(adopting descriptor: Int32, address: HTTPListenerAddress) {
        self.descriptor = Atomic(descriptor)
        self.address = address
    }

    deinit { self.stop() }

    /// From now on no client can connect. Not to be called while a thread is in `accept`.
    func stop() {
        let descriptor = self.descriptor.exchange(-1, ordering: .sequentiallyConsistent)
        guard descriptor >= 0 else { return }
        if self.ownsFile.load(ordering: .relaxed), case .unix(let path, _) = self.address { unsafe unlink(path) }
        close(descriptor)
    }

    /// Reports connections that wait.
    func watch(in events: borrowing EventSet, tag: UInt64) -> Bool {
        events.add(self.descriptor.load(ordering: .relaxed), EventSet.readable, tag: tag)
    }

    /// As accept4(2); the connection does not block and is not inherited.
    func accept(_ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t) -> Int32 {
        unsafe accept4(self.descriptor.load(ordering: .relaxed), address, &length, Self.flags)
    }

    static func listening(on address: HTTPListenerAddress) throws(HTTPServerError) -> ListenSocket {
        switch address {
        case .tcp(let host, let port): try self.tcp(host: host, port: port, address)
        case .unix(let path, let mode): try self.unix(path: path, mode: mode, address)
        }
    }

    // MARK: TCP

    private static func tcp(
        host: String, port: Int, _ address: HTTPListenerAddress
    ) throws(HTTPServerError) -> ListenSocket {
        guard let port = UInt16(exactly: port) else { throw .bad(address, "the port is out of range") }
        guard let ip = host.isEmpty ? IPAddress(v6High: 0, low: 0) : IPAddress(host) else {
            throw .bad(address, "the host is not an IP address")
        }
        let family = ip.family == .v4 ? AF_INET : AF_INET6
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        guard descriptor >= 0 else { throw .system(errno, address) }
        Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        // Every address of the machine means those of both families.
        if family == AF_INET6 { Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host.isEmpty ? 0 : 1) }
        var storage = SocketAddress(ip, port: port)
        guard storage.bind(descriptor), listen(descriptor, Self.backlog) == 0 else {
            let number = errno
            close(descriptor)
            throw .system(number, address)
        }
        let bound = HTTPListenerAddress.tcp(host: host, port: SocketAddress.localPort(of: descriptor) ?? Int(port))
        return ListenSocket(adopting: descriptor, address: bound)
    }

    private static let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    private static let backlog: Int32 = 4096

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        // An option that cannot be set only costs comfort; `bind` and `listen` report what matters.
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: Unix

    private static func unix(
        path: String, mode: UInt32, _ address: HTTPListenerAddress
    ) throws(HTTPServerError) -> ListenSocket {
        guard var storage = SocketAddress(unixPath: path) else {
            throw .bad(address, "the path of a socket has 1 to 107 bytes")
        }
        try self.clear(path, &storage, address)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        guard descriptor >= 0 else { throw .system(errno, address) }
        let listener = ListenSocket(adopting: descriptor, address: address)
        // Linux creates the file with the permissions of the socket: no client can connect before they are as asked.
        guard fchmod(descriptor, mode & 0o600) == 0, storage.bind(descriptor) else { throw .system(errno, address) }
        listener.ownsFile.store(true, ordering: .relaxed)
        guard unsafe chmod(path, mode) == 0, listen(descriptor, Self.backlog) == 0 else {
            throw .system(errno, address)
        }
        return listener
    }

    /// Removes the socket file of a server that is gone. Any other file stays.
    private static func clear(
        _ path: String, _ storage: inout SocketAddress, _ address: HTTPListenerAddress
    ) throws(HTTPServerError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw HTTPServerError(
                code: .addressInUse, address: address.description, errno: EEXIST, detail: "a file is in the way")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        guard probe >= 0 else { throw .system(errno, address) }
        defer { close(probe) }
        guard !storage.connect(probe) else { throw .system(EADDRINUSE, address) }
        guard errno == ECONNREFUSED else { throw .system(errno == EAGAIN ? EADDRINUSE : errno, address) }
        unsafe unlink(path)
    }
}

extension HTTPServerError {
    static func bad(_ address: HTTPListenerAddress, _ detail: String) -> HTTPServerError {
        HTTPServerError(code: .badAddress, address: address.description, errno: 0, detail: detail)
    }

    static func system(_ number: Int32, _ address: HTTPListenerAddress) -> HTTPServerError {
        let code: Code =
            switch number {
            case EADDRINUSE: .addressInUse
            case EADDRNOTAVAIL: .addressUnavailable
            case EACCES, EPERM: .permissionDenied
            case ENOENT, ENOTDIR: .badAddress
            default: .failed
            }
        let detail = unsafe String(cString: strerror(number))
        return HTTPServerError(code: code, address: address.description, errno: number, detail: detail)
    }
}
