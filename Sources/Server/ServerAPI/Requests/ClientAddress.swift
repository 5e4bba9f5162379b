package import HTTPServer

/// The real caller, when proxies stand in between.
package enum ClientAddress {
    /// The address of the caller of `request`.
    ///
    /// `X-Forwarded-For` is read from the right, and only as long as a trusted proxy wrote the entry: everything
    /// further left is the caller's own claim, and a limit that believed it could be walked around with a made-up
    /// address. For an honest chain this finds the same address as reading from the left (rest-v1 24.3).
    /// - Parameter proxies: addresses of proxies the operator trusts; `IPAddress.unix` for a proxy on a Unix socket.
    package static func of(_ request: HTTPRequest, trusting proxies: AddressSet) -> IPAddress {
        var address = request.remoteAddress
        guard proxies.contains(address) else { return address }
        let hops = request.headers.all("X-Forwarded-For").joined(separator: ",").split(separator: ",").suffix(32)
        for hop in hops.reversed() {
            guard let next = Self.read(hop) else { return address }
            address = next
            guard proxies.contains(next) else { return next }
        }
        return address
    }

    /// The device's own address as a programmer's server forwards it: the leftmost public one (rest-v1 24.3, 28.2).
    ///
    /// Only for a caller that proved to be such a server. The list has the server's address at its end behind proxies
    /// of ours, so that it is not looked for there.
    /// - Returns: `nil` when none of the first 32 entries is a public address.
    package static func forwarded(by request: HTTPRequest) -> IPAddress? {
        let fields = request.headers.all("X-Forwarded-For")
        return fields.joined(separator: ",").split(separator: ",").prefix(32).lazy
            .compactMap { Self.read($0) }.first { $0.isPublic }
    }

    /// An entry: an address, in brackets or with a port as some proxies write it.
    private static func read(_ entry: Substring) -> IPAddress? {
        var text = entry.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") {
            return IPAddress(text[..<colon])
        }
        return IPAddress(text)
    }
}
