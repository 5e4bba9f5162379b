package import Clientless
package import Entitlement
package import HTTPServer

/// So many calls from one address: all of a burst at once if it likes, and then one at a time as time goes by.
package final class AddressRate: Sendable {
    private let rates: CallerRates

    /// - Parameters:
    ///   - limit: for all nodes together.
    ///   - bound: the most addresses remembered.
    package init(_ limit: ThrottleLimit, bound: Int, nodes: LivingNodes = LivingNodes()) {
        self.rates = CallerRates(limit, bound: bound, nodes: nodes)
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
        self.rates.admit(address.limitKey, at: now.milliseconds).map { .milliseconds($0) }
    }
}
