package import Clientless
import Entitlement
package import HTTPServer

/// So many calls from one address: all of a burst at once if it likes, and then one at a time as time goes by.
package final class AddressRate: Sendable {
    private let limit: ThrottleLimit
    /// A flood makes it forget addresses that were quiet.
    private let addresses: SlotTable<CellRate>
    /// `nil` where there are no other nodes.
    private let sharing: CallSharing?

    /// - Parameters:
    ///   - bound: the most addresses remembered.
    ///   - isShared: whether other nodes are to be told.
    package init(_ limit: ThrottleLimit, bound: Int, isShared: Bool = false) {
        self.limit = limit
        self.sharing = isShared ? CallSharing(limit, bound: bound) : nil
        self.addresses = SlotTable(bound: bound, filler: CellRate(now: .min))
    }

    /// So many calls a minute, for the few who run a server (rest-v1 25).
    /// - Precondition: from 1 to 60,000.
    package convenience init(callsPerMinute calls: Int, isShared: Bool = false) {
        precondition((1...60_000).contains(calls), "a limit of calls admits some")
        let interval = Int64(60_000 / calls)
        self.init(
            ThrottleLimit(interval: interval, tolerance: interval * Int64(calls - 1)), bound: 10_000,
            isShared: isShared)
    }

    /// Counts a call; a refused one does not count.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(_ address: IPAddress, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let key = address.limitKey
        let missing = self.addresses.update(key, initial: CellRate(now: now)) { $0.admit(at: now, self.limit) }
        if let missing { return .milliseconds(missing) }
        self.sharing?.note(key, at: now) { CallNotes.Caller(address) }
        return nil
    }
}

// What other nodes admitted is not told on.
extension AddressRate: SharedLimit {
    package func takeNotes(at uptime: Duration) -> CallNotes { self.sharing?.take() ?? CallNotes() }

    package func count(_ notes: CallNotes, at uptime: Duration, now: Timestamp) {
        let now = now.milliseconds
        for (caller, calls) in notes.calls.counts {
            guard let address = caller.address else { continue }
            self.addresses.update(address.limitKey, initial: CellRate(now: now)) {
                $0.countElsewhere(calls, at: now, self.limit)
            }
        }
    }
}
