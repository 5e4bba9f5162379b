/// Why the server could not start.
package struct HTTPServerError: Error, Hashable {
    package enum Code: String, Hashable, Sendable {
        case addressInUse
        case addressUnavailable
        case permissionDenied
        /// Not an IP address, a port out of range, a path too long for a socket.
        case badAddress
        /// The certificate or the key cannot be used, or they do not belong together.
        case badTLS
        case failed
    }

    package let code: Code
    /// The address it happened on, as the configuration spells it.
    package let address: String
    /// The system's number; 0 when the system gave no reason.
    package let errno: Int32
    package let detail: String?
}

extension HTTPServerError {
    static let tooManyFiles = HTTPServerError(
        code: .failed, address: "epoll", errno: 0, detail: "the process may open no more files")

    static let tooManyThreads = HTTPServerError(
        code: .failed, address: "threads", errno: 0, detail: "the process may have no more threads")

    static func badTLS(_ tls: HTTPServerConfiguration.TLS, address: String) -> HTTPServerError {
        HTTPServerError(code: .badTLS, address: address, errno: 0, detail: tls.likelyFault)
    }

    static func tooFewFiles(limit: Int, open: Int, reserve: Int) -> HTTPServerError {
        HTTPServerError(
            code: .failed, address: "sockets", errno: 0,
            detail: "the process may open \(limit) files, has \(open) open and needs \(reserve) in reserve, "
                + "which leaves too few for connections; raise LimitNOFILE or ulimit -n")
    }
}

extension HTTPServerError: CustomStringConvertible {
    package var description: String {
        let reason =
            switch self.code {
            case .addressInUse: "the address is in use"
            case .addressUnavailable: "the address is not one of this machine"
            case .permissionDenied: "permission denied"
            case .badAddress: "not an address to listen on"
            case .badTLS: "the certificate or its key cannot be used"
            default: "could not start"
            }
        return "\(self.address): \(reason)" + (self.detail.map { " (\($0))" } ?? "")
    }
}
