package import HTTPServer

extension IPAddress {
    /// What limits recognise a caller by: an IPv4 address, or the /64 an IPv6 address is drawn from – a single
    /// household has 2^64 of those, and could be a new stranger with every call.
    package var limitName: String {
        self.family == .v6 ? self.prefix : self.description
    }

    /// The same as a number of this process, for tables that are asked with every call.
    var limitKey: Int {
        self.family == .v6 ? self.prefix.hashValue : self.hashValue
    }
}
