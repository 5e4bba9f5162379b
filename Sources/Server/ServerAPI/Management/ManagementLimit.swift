import Clientless
import HTTPServer

/// So many calls a minute from one address (rest-v1 25): all of them at once if they like, and then one at a time as
/// the minute goes by.
final class ManagementLimit: Sendable {
    private let limit: ThrottleLimit
    /// Operators are few; whoever floods this makes it forget addresses that were quiet.
    private let addresses = SlotTable<CellRate>(bound: 10_000, filler: CellRate(now: .min))

    /// - Precondition: from 1 to 60,000.
    init(callsPerMinute calls: Int) {
        precondition((1...60_000).contains(calls), "a limit of calls admits some")
        let interval = Int64(60_000 / calls)
        self.limit = ThrottleLimit(interval: interval, tolerance: interval * Int64(calls - 1))
    }

    /// Counts a call; a refused one does not count.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    func admit(_ address: IPAddress, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let missing = self.addresses.update(address.limitKey, initial: CellRate(now: now)) {
            $0.admit(at: now, self.limit)
        }
        return missing.map { .milliseconds($0) }
    }
}
