package import Entitlement
package import HTTPServer

extension IPAddress {
    /// The mark by which limits on guessing recognise a caller.
    package var network: NetworkAddress {
        switch self.family {
        case .v4: .v4(UInt32(truncatingIfNeeded: self.low))
        case .v6: .v6(high: self.high)
        case .unix: .local
        }
    }

    /// An IPv4 address, or the /64 an IPv6 address is drawn from, as a number of this process: for tables that are asked
    /// with every call.
    var limitKey: Int {
        self.family == .v6 ? self.prefix.hashValue : self.hashValue
    }
}

extension IPAddress {
    /// Whether a caller on the internet may have this address: it is not one of a private network, of this machine or
    /// unspecified (RFC 6890, RFC 6598). Ranges reserved for documentation count as public: no caller has one.
    var isPublic: Bool {
        switch self.family {
        case .unix: false
        case .v4: Self.isPublic(v4: self.description.split(separator: ".").compactMap { UInt8($0) })
        case .v6: Self.isPublic(v6: self.description)
        }
    }

    private static func isPublic(v4 bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 else { return false }
        return switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168), (224..., _): false
        default: true
        }
    }

    /// By the first group of the canonical text (RFC 5952): unspecified and loopback have no first group.
    private static func isPublic(v6 text: String) -> Bool {
        guard let group = UInt16(text.prefix { $0 != ":" }, radix: 16) else { return false }
        // fc00::/7, fe80::/10 and the old fec0::/10, ff00::/8; and ::/16, which is not assigned.
        return group != 0 && group & 0xFE00 != 0xFC00 && group & 0xFF80 != 0xFE80 && group & 0xFF00 != 0xFF00
    }
}
