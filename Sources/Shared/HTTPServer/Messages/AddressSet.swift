/// The addresses whose first bits are those of one address: `10.0.0.0/8`, `2001:db8::/32`.
package struct IPNetwork: Hashable, Sendable {
    package let address: IPAddress
    /// How many bits count: of the 32 of IPv4, the 128 of IPv6, and none of the Unix socket's.
    package private(set) var length: Int

    package init(_ address: IPAddress) {
        self.address = address
        self.length =
            switch address.family {
            case .v4: 32
            case .v6: 128
            case .unix: 0
            }
    }

    /// Reads `10.0.0.0/8`, `2001:db8::/32`, a single address, or `unix`.
    /// - Returns: `nil` also when a bit behind the length is set: then one of the two is mistyped.
    package init?(_ text: String) {
        guard text != "unix" else {
            self.init(.unix)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        self.init(address)
        guard parts.count == 2 else { return }
        guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1]), length <= self.length,
            // An IPv4 address in IPv6 clothing was undressed; its length counts other bits.
            first.contains(":") == (address.family == .v6)
        else { return nil }
        guard address.cut(to: length) == address else { return nil }
        self.length = length
    }

    /// Whether it is one address and no more.
    package var single: IPAddress? { self == IPNetwork(self.address) ? self.address : nil }

    package func contains(_ other: IPAddress) -> Bool {
        other.family == self.address.family && other.cut(to: self.length) == self.address
    }
}

extension IPNetwork: CustomStringConvertible {
    package var description: String {
        self.single == nil ? "\(self.address)/\(self.length)" : self.address.description
    }
}

extension IPAddress {
    /// The address with all bits behind the first `length` cleared.
    fileprivate func cut(to length: Int) -> IPAddress {
        func mask(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : bits >= 64 ? .max : ~(UInt64.max >> UInt64(bits)) }
        return switch self.family {
        case .unix: self
        case .v4: IPAddress(v4: self.v4Word & UInt32(truncatingIfNeeded: mask(length + 32)))
        case .v6: IPAddress(family: .v6, high: self.high & mask(length), low: self.low & mask(length - 64))
        }
    }
}

/// Addresses and networks, such as the proxies an operator trusts. Asked for every request, and there are a few.
package struct AddressSet: Hashable, Sendable {
    private let networks: [IPNetwork]

    package init(_ networks: [IPNetwork]) { self.networks = networks }

    package var isEmpty: Bool { self.networks.isEmpty }

    package func contains(_ address: IPAddress) -> Bool { self.networks.contains { $0.contains(address) } }
}

extension AddressSet: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: IPAddress...) { self.init(elements.map { IPNetwork($0) }) }
}
