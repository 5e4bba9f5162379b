package import HTTPServer

/// Places by address: 8 bytes for a range of IPv4, 12 for one of IPv6, and each place once.
package struct PlaceTable: Sendable {
    /// The most places that differ.
    package static let maximumPlaces = 1_000_000

    private var v4 = AddressRanges<UInt32>()
    /// By the first 64 bits: one subscriber has all addresses behind them.
    private var v6 = AddressRanges<UInt64>()
    /// The first is nowhere.
    private var places: [Place?] = [nil]
    private var numbers: [Place: UInt32] = [:]

    package init() {}

    /// How many places differ.
    package var count: Int { self.places.count - 1 }

    /// Appends the range from `start` to `end` of one family, behind all others of it.
    /// - Parameter place: `nil` for addresses of which nothing is known.
    /// - Returns: `false` when there are too many places.
    mutating func append(_ start: IPAddress, through end: IPAddress, _ place: Place?) -> Bool {
        guard let number = self.number(of: place) else { return false }
        switch start.family {
        case .v4:
            self.v4.append(
                UInt32(truncatingIfNeeded: start.low), through: UInt32(truncatingIfNeeded: end.low), place: number)
        case .v6: self.v6.append(start.high, through: end.high, place: number)
        case .unix: break
        }
        return true
    }

    private mutating func number(of place: Place?) -> UInt32? {
        guard let place else { return 0 }
        if let number = self.numbers[place] { return number }
        guard self.count < Self.maximumPlaces else { return nil }
        let number = UInt32(self.places.count)
        self.places.append(place)
        self.numbers[place] = number
        return number
    }

    /// Gives back what is needed only while ranges are appended.
    mutating func finish() {
        self.v4.finish()
        self.v6.finish()
        self.numbers = [:]
    }

    /// Where `address` is used; `nil` where that is not known, and for addresses that are not of the Internet.
    package func place(of address: IPAddress) -> Place? {
        guard address.isPublic else { return nil }
        return switch address.family {
        case .v4: self.places[Int(self.v4.place(of: UInt32(truncatingIfNeeded: address.low)))]
        case .v6: self.places[Int(self.v6.place(of: address.high))]
        case .unix: nil
        }
    }
}
