package enum HTTPListenerAddress: Hashable, Sendable, CustomStringConvertible {
    /// `host` is an IPv4 or IPv6 address, or empty for every address of the machine; port 0 lets the system choose.
    case tcp(host: String, port: Int)
    /// A socket file with these permissions (for example `0o660`). A stale file of an earlier run is replaced, a file
    /// on which a process listens is not.
    case unix(path: String, mode: UInt32 = 0o660)

    package var port: Int? {
        switch self {
        case .tcp(_, let port): port
        case .unix: nil
        }
    }

    /// Whether it is another one and leaves `other` none of its connections: the same port of every address.
    package func covers(_ other: HTTPListenerAddress) -> Bool {
        guard case .tcp(let host, let port) = self, case .tcp(let otherHost, port) = other, port != 0, self != other
        else { return false }
        return switch host {
        case "": true
        case "0.0.0.0": !otherHost.isEmpty && !otherHost.contains(":")
        case "::": otherHost.contains(":")
        default: false
        }
    }

    /// `127.0.0.1:8080`, `[::1]:8080`, `*:8080` or `unix:/path`.
    package var description: String {
        switch self {
        case .tcp(let host, let port) where host.isEmpty: "*:\(port)"
        case .tcp(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .tcp(let host, let port): "\(host):\(port)"
        case .unix(let path, _): "unix:\(path)"
        }
    }
}
