package import Entitlement
package import HTTPServer

extension IPAddress {
    /// What limits on guessing recognise a caller by.
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
