package import Clientless
package import HTTPServer

/// So many calls from one address: all of a burst at once if it likes, and then one at a time as time goes by.
package final class AddressRate: Sendable {
    private let limit: ThrottleLimit
    /// A flood makes it forget addresses that were quiet.
    private let addresses: SlotTable<CellRate>

    /// - Parameter bound: the most addresses remembered.
    package init(_ limit: ThrottleLimit, bound: Int) {
        self.limit = limit
        self.addresses = SlotTable(bound: bound, filler: CellRate(now: .min))
    }

    /// So many calls a minute, for the few who run a server (rest-v1 25).
    /// - Precondition: from 1 to 60,000.
    package convenience init(callsPerMinute calls: Int) {
        precondition((1...60_000).contains(calls), "a limit of calls admits some")
        let interval = Int64(60_000 / calls)
        self.init(ThrottleLimit(interval: interval, tolerance: interval * Int64(calls - 1)), bound: 10_000)
    }

    /// Counts a call; a refused one does not count.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(_ address: IPAddress, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let missing = self.addresses.update(address.limitKey, initial: CellRate(now: now)) {
            $0.admit(at: now, self.limit)
        }
        return missing.map { .milliseconds($0) }
    }
}
