import HTTPServer

extension IPAddress {
    /// Whether an address may be somebody's on the internet, and not one of a private network, of this machine or of
    /// none (RFC 6890, RFC 6598). Ranges reserved for documentation count as public: nobody has them, nobody is hidden
    /// by them.
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

    /// By the first group of the canonical text (RFC 5952): unspecified and loopback begin with none.
    private static func isPublic(v6 text: String) -> Bool {
        guard let group = UInt16(text.prefix { $0 != ":" }, radix: 16) else { return false }
        // fc00::/7, fe80::/10 and the old fec0::/10, ff00::/8; and ::/16, which is nobody's.
        return group != 0 && group & 0xFE00 != 0xFC00 && group & 0xFF80 != 0xFE80 && group & 0xFF00 != 0xFF00
    }
}
