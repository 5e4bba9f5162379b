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

/// Finds the callers that the other nodes have to know of.
///
/// Boxes that poll now and then are not told of, or a sheet would have to hold them all: a caller is from the call on by
/// which it has used a quarter of its rate here within eight seconds. So n nodes admit no more than the rate of one and a
/// quarter for each other node, as long as no more callers than a sheet holds (``NotedCounts/bound``) come so often between
/// two exchanges; beyond those, the loudest are told of first and the others in the seconds after, up to
/// ``NotedCounts/mostWaiting``. A caller beyond them has the rate of each node.
final class CallSharing: Sendable {
    /// Calls of one caller in one stretch of time.
    private struct Count: SlotValue {
        /// Which stretch.
        var worth: Int64
        var calls: Int64
    }

    /// In milliseconds.
    private static let stretch: Int64 = 8000

    private let counts: SlotTable<Count>
    private let notebook = Notebook<CallNotes>(isOpen: true)
    /// Calls of one stretch that no one is told of.
    private let quiet: Int64

    init(_ limit: ThrottleLimit, bound: Int) {
        self.counts = SlotTable(bound: bound, filler: Count(worth: .min, calls: 0))
        self.quiet = Self.stretch / limit.interval / 4
    }

    /// Notes a call that was admitted at `now`.
    /// - Parameter hash: of the caller, as tables know it.
    func note(_ hash: Int, at now: Int64, _ caller: () -> CallNotes.Caller?) {
        let stretch = now / Self.stretch
        let calls = self.counts.update(hash, initial: Count(worth: stretch, calls: 0)) { count in
            if count.worth != stretch { count = Count(worth: stretch, calls: 0) }
            count.calls += 1
            return count.calls
        }
        guard calls > self.quiet, let caller = caller() else { return }
        self.notebook.write { $0.calls.add(caller) }
    }

    func take() -> CallNotes { self.notebook.take() }
}
