/// An address of a provider: `https`, a host, no user, no fragment, at most 2,048 bytes of printable ASCII.
package struct EndpointAddress: Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Policy: String, Sendable, Hashable, Codable {
        case secure
        /// Also `http` to an address of this machine, for providers that run beside this server and for tests.
        case secureOrLoopback
    }

    package let text: String

    package init?(_ text: String, policy: Policy) {
        guard (1...2_048).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.utf8.contains(where: { "\"<>\\^`{|}#".utf8.contains($0) })
        else { return nil }
        let rest: Substring
        let isSecure: Bool
        if text.hasPrefix("https://") {
            (rest, isSecure) = (text.dropFirst("https://".utf8.count), true)
        } else if text.hasPrefix("http://") {
            (rest, isSecure) = (text.dropFirst("http://".utf8.count), false)
        } else {
            return nil
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.utf8.contains(UInt8(ascii: "@")), let host = Self.host(of: authority)
        else { return nil }
        guard isSecure || (policy == .secureOrLoopback && Self.isLoopback(host)) else { return nil }
        self.text = text
    }

    /// The host of `host:port`; `nil` when the port is no number or the host is empty.
    private static func host(of authority: Substring) -> Substring? {
        if authority.hasPrefix("[") {
            guard let end = authority.lastIndex(of: "]") else { return nil }
            let port = authority[authority.index(after: end)...]
            return port.isEmpty || self.isPort(port.dropFirst()) && port.hasPrefix(":")
                ? authority[authority.startIndex...end] : nil
        }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].isEmpty, parts.count == 1 || self.isPort(parts[1]) else { return nil }
        return parts[0]
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(text) != nil
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        host == "localhost" || host == "[::1]" || host == "127.0.0.1"
    }

    package var description: String { self.text }

    /// The address with `query` behind the query it may have already (RFC 6749 3.1).
    package func appending(query: String) -> String {
        guard !query.isEmpty else { return self.text }
        guard self.text.utf8.contains(UInt8(ascii: "?")) else { return "\(self.text)?\(query)" }
        return self.text.hasSuffix("?") || self.text.hasSuffix("&") ? self.text + query : "\(self.text)&\(query)"
    }
}
