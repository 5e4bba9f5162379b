package import Clientless
import Entitlement
package import HTTPServer

/// So many calls from one address: all of a burst at once if it likes, and then one at a time as time goes by.
package final class AddressRate: Sendable {
    private let rates: CallerRates

    /// - Parameters:
    ///   - bound: the most addresses remembered.
    ///   - isShared: whether other nodes are to be told.
    package init(_ limit: ThrottleLimit, bound: Int, isShared: Bool = false) {
        self.rates = CallerRates(limit, bound: bound, isShared: isShared)
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
        switch self.rates.admit(address.limitKey, at: now.milliseconds) {
        case .wait(let missing): return .milliseconds(missing)
        case .admitted(let isTold):
            if isTold { self.rates.tell(of: CallNotes.Caller(address)) }
            return nil
        }
    }
}

extension AddressRate: SharedLimit {
    package func takeNotes(at uptime: Duration) -> CallNotes { self.rates.take() }

    package func count(_ notes: CallNotes, at uptime: Duration, now: Timestamp) {
        self.rates.count(notes, at: now.milliseconds) { $0.address?.limitKey }
    }
}
