import HTTPServer

/// The host by which people and boxes reach the server, to tell calls through a proxy from those of this machine.
struct PublicHost: Sendable {
    /// In lower case; `nil` when it is this machine's own name, which tells nothing.
    private let name: String?

    init(of publicURL: String) {
        let rest = publicURL.firstRange(of: "://").map { publicURL[$0.upperBound...] } ?? publicURL[...]
        let name = Self.name(of: rest.prefix { $0 != "/" })
        self.name = Self.isLoopback(name) ? nil : name
    }

    /// Whether `request` was sent to that host, whatever its port.
    func isAsked(by request: HTTPRequest) -> Bool {
        guard let name = self.name, let host = request.headers["Host"] else { return false }
        return Self.name(of: host[...]) == name
    }

    /// Whether `authority`, a host with or without a port, is a name of this machine for itself.
    static func isLoopback(authority: String) -> Bool { self.isLoopback(self.name(of: authority[...])) }

    private static func name(of authority: Substring) -> String {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : nil
        let host = end.map { authority[...$0] } ?? authority.prefix { $0 != ":" }
        return (host.hasSuffix(".") ? host.dropLast() : host).lowercased()
    }

    private static func isLoopback(_ name: String) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost")
            || IPAddress(name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name)?.isLoopback == true
    }
}

extension HTTPRequest {
    /// Whether a proxy says that it forwarded this.
    var isMarkedAsForwarded: Bool {
        self.headers.fields.contains { field in
            let name = field.name.lowercased()
            return ["via", "forwarded", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
        }
    }
}
