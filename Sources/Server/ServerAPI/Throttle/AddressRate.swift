package import Clientless
package import Entitlement
package import HTTPServer

/// So many calls from one address: all of a burst at once if it likes, and then one at a time as time goes by.
package final class AddressRate: Sendable {
    private let whole: ThrottleLimit
    private let nodes: LivingNodes
    private let entries: SlotTable<CellRate>

    /// - Parameters:
    ///   - limit: for all nodes together, of which this one allows its part.
    ///   - bound: the most callers remembered; a flood makes it forget those that called least.
    package init(_ limit: ThrottleLimit, bound: Int, nodes: LivingNodes = LivingNodes()) {
        self.whole = limit
        self.nodes = nodes
        self.entries = SlotTable(bound: bound, filler: CellRate(now: .min))
    }

    /// So many calls a minute, for the few who run a server (rest-v1 25).
    /// - Precondition: from 1 to 60,000.
    package convenience init(callsPerMinute calls: Int, nodes: LivingNodes = LivingNodes()) {
        precondition((1...60_000).contains(calls), "a limit of calls admits some")
        let interval = Int64(60_000 / calls)
        self.init(
            ThrottleLimit(interval: interval, tolerance: interval * Int64(calls - 1)), bound: 10_000, nodes: nodes)
    }

    /// Counts a call; a refused one does not count.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(_ address: IPAddress, now: Timestamp) -> Duration? {
        self.admit(address.limitKey, at: now.milliseconds).map { .milliseconds($0) }
    }

    /// Counts a call of the caller of `hash`, if it may pass.
    /// - Returns: `nil` when it may, else how many milliseconds are missing.
    func admit(_ hash: Int, at now: Int64) -> Int64? {
        let limit = self.whole.part(for: self.nodes)
        return self.entries.update(hash, at: now, initial: CellRate(now: now)) { $0.admit(at: now, limit) }
    }

    /// Undoes the last admission of a caller.
    func takeBack(_ hash: Int, at now: Int64) {
        let limit = self.whole.part(for: self.nodes)
        self.entries.update(hash, at: now, initial: CellRate(now: now)) { $0.takeBack(limit) }
    }
}
