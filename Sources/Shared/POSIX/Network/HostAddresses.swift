import Glibc

/// The addresses of a host's name, as the system is set up to find them: `/etc/hosts`, DNS and what nsswitch.conf(5) names.
package enum HostAddresses {
    /// Looks a name up, and blocks its thread for as long as the resolver is patient (resolv.conf(5)): half a minute where
    /// no server answers.
    /// - Parameter limit: how many addresses at most.
    /// - Returns: numeric addresses, each once, in the order in which they are to be tried (RFC 6724); one at least.
    package static func lookUp(_ name: String, limit: Int) throws(UnknownHost) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(name, nil, &hints, &found)
        guard code == 0 else { throw UnknownHost(code: code) }
        defer { unsafe freeaddrinfo(found) }
        var addresses: [String] = []
        var next = unsafe found
        while let entry = unsafe next, addresses.count < limit {
            if let address = unsafe self.text(of: entry.pointee), !addresses.contains(address) {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw UnknownHost(code: EAI_NONAME) }
        return addresses
    }

    /// Whether a text is an address, and no resolver has to be asked.
    package static func isAddress(_ text: String) -> Bool {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(text, nil, &hints, &found) == 0 else { return false }
        unsafe freeaddrinfo(found)
        return true
    }

    private static func text(of entry: addrinfo) -> String? {
        // NI_MAXHOST, which is not imported: the longest name, and a NUL.
        var buffer = [CChar](repeating: 0, count: 1025)
        let code = unsafe getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard code == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}

/// A name that no address was found of.
package struct UnknownHost: Error, Hashable, Sendable {
    /// The result of getaddrinfo(3).
    package let code: Int32

    /// There is no such name, or it has no address.
    package static let absent = UnknownHost(code: EAI_NONAME)

    /// No answer was to be had, and one may be later.
    package static let noAnswer = UnknownHost(code: EAI_AGAIN)

    /// Whether that is an answer: the name is known to have none. Else no answer was to be had.
    package var isAnswer: Bool {
        // -5 is EAI_NODATA, which the C library shows only where everything of GNU is asked for.
        self.code == EAI_NONAME || self.code == -5
    }
}

extension UnknownHost: CustomStringConvertible {
    /// The reason in the words of the C library.
    package var description: String { unsafe gai_strerror(self.code).map { unsafe String(cString: $0) } ?? "unknown" }
}
