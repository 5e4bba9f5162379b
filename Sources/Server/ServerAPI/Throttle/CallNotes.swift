import Entitlement
import HTTPServer

/// What a node tells others of calls: how often those callers came that use much of their rate.
package struct CallNotes: LimitNotes, Hashable {
    /// An address, or a device at one. Of an IPv6 address it is the /64, as limits count by: a caller who draws a new
    /// address for each call stays one caller.
    package struct Caller: Hashable, Codable, Sendable {
        let family: UInt8
        let high: UInt64
        let low: UInt64
        let device: String?

        /// Longer names of devices are told to no one.
        private static let longestDevice = 256

        init?(_ address: IPAddress, device: String? = nil) {
            guard device?.utf8.count ?? 0 <= Self.longestDevice else { return nil }
            (self.family, self.high) = (address.family.rawValue, address.high)
            self.low = address.family == .v6 ? 0 : address.low
            self.device = device
        }

        var address: IPAddress? {
            switch IPAddress.Family(rawValue: self.family) {
            case .v4: IPAddress(v4: UInt32(truncatingIfNeeded: self.low))
            case .v6: IPAddress(v6High: self.high, low: self.low)
            case .unix: .unix
            case nil: nil
            }
        }
    }

    var calls = NotedCounts<Caller>()

    package init() {}

    package var isEmpty: Bool { self.calls.isEmpty }

    package mutating func takeSheet() -> Self {
        var sheet = Self()
        sheet.calls = self.calls.takeSheet()
        return sheet
    }
}
