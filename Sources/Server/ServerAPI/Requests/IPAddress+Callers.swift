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
        case .v4:
            switch self.firstBytes {
            case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168), (224..., _): false
            default: true
            }
        case .v6:
            switch self.high >> 48 {
            // ::/16, which is not assigned; fc00::/7, fe80::/10 and the old fec0::/10, ff00::/8.
            case 0, 0xFC00...0xFDFF, 0xFE80...0xFEFF, 0xFF00...0xFFFF: false
            default: true
            }
        }
    }

    /// The first two of the four bytes of an IPv4 address.
    var firstBytes: (UInt64, UInt64) { (self.low >> 24, self.low >> 16 & 0xFF) }
}
