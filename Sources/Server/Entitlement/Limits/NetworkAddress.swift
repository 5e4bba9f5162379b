import TextCoding

/// The part of an address that limits look at.
///
/// Of an IPv6 address only the first 64 bits count: a household chooses the others as it likes.
package enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(high: UInt64)
    /// A Unix socket, or a caller whose address is not known.
    case local

    /// The networks that hold the address, from the widest to the address itself.
    var tiers: [NetworkTier] {
        switch self {
        case .v4: [.provider, .network, .address]
        case .v6: [.provider, .network, .subscriber, .address]
        case .local: [.address]
        }
    }

    func prefix(_ tier: NetworkTier) -> NetworkPrefix {
        let length =
            switch (self, tier) {
            case (.v4, .provider): 16
            case (.v4, .network): 24
            case (.v4, .subscriber), (.v4, .address): 32
            case (.v6, .provider): 32
            case (.v6, .network): 48
            case (.v6, .subscriber): 56
            case (.v6, .address): 64
            case (.local, _): 0
            }
        return NetworkPrefix(self, firstBits: length)
    }

    /// The network whose hosts are taken for neighbours: the /24 of IPv4, the /56 of IPv6.
    var neighbourhood: NetworkPrefix {
        switch self {
        case .v4: self.prefix(.network)
        case .v6: self.prefix(.subscriber)
        case .local: self.prefix(.address)
        }
    }
}

/// How wide a network is that limits count for.
package enum NetworkTier: String, Hashable, Sendable, CaseIterable {
    /// An IPv4 /16, an IPv6 /32.
    case provider
    /// An IPv4 /24, an IPv6 /48.
    case network
    /// An IPv6 /56, which is mostly one subscriber's.
    case subscriber
    /// An IPv4 address, an IPv6 /64.
    case address
}

/// A network by its first bits.
package struct NetworkPrefix: Hashable, Sendable {
    /// With zeros below the first bits.
    private let address: NetworkAddress
    let length: UInt8

    /// - Parameter length: as many bits as the address has at most.
    fileprivate init(_ address: NetworkAddress, firstBits length: Int) {
        self.address =
            switch address {
            case .v4(let word): .v4(word & ~(UInt32.max >> length))
            case .v6(let high): .v6(high: high & ~(UInt64.max >> length))
            case .local: .local
            }
        self.length = UInt8(length)
    }

    /// The network of an address.
    /// - Parameter length: in bits; at most 32 of IPv4 and 64 of IPv6.
    /// - Returns: `nil` for more bits, and for an address that is no one's.
    package init?(_ address: NetworkAddress, length: Int) {
        let isFit =
            switch address {
            case .v4: (0...32).contains(length)
            case .v6: (0...64).contains(length)
            case .local: false
            }
        guard isFit else { return nil }
        self.init(address, firstBits: length)
    }

    func contains(_ address: NetworkAddress) -> Bool { NetworkPrefix(address, length: Int(self.length)) == self }
}

extension NetworkPrefix: CustomStringConvertible {
    /// `192.0.2.0/24`, `2001:db8:0:0::/56` or `local`: safe for a log, as no host of a household is told apart.
    package var description: String {
        switch self.address {
        case .v4(let word): "\(DottedQuad.text(of: word))/\(self.length)"
        case .v6(let high):
            "\([48, 32, 16, 0].map { String(high >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":"))"
                + "::/\(self.length)"
        case .local: "local"
        }
    }
}
