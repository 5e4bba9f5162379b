package import Clientless
package import Entitlement
package import HTTPServer
import TextCoding

/// Limits how often one device may call, and one address whatever devices it names (rest-v1 24.1).
///
/// Its memory is bounded; a flood of new addresses makes it forget those that called least, whose
/// allowance is then whole again.
package final class Throttle: Sendable {
    package struct Settings: Hashable, Sendable {
        /// For one device at one address.
        package var device = ThrottleLimit(interval: 1000, tolerance: 10_000)
        /// For one address, against callers that name a new device each time.
        package var address = ThrottleLimit(interval: 100, tolerance: 10_000)
        /// For one browser's address, on pages and on the addresses that pages and providers send it to.
        package var browser = ThrottleLimit(interval: 200, tolerance: 10_000)
        /// For one address that brings notices of providers, which tell of many viewers when they end sessions.
        package var notice = ThrottleLimit(interval: 100, tolerance: 20_000)
        /// The most devices and addresses remembered, each.
        package var bound = 200_000

        package init() {}
    }

    private let devices: AddressRate
    private let addresses: AddressRate

    /// - Parameter settings: for all nodes together.
    package init(_ settings: Settings, nodes: LivingNodes = LivingNodes()) {
        self.devices = AddressRate(settings.device, bound: settings.bound, nodes: nodes)
        self.addresses = AddressRate(settings.address, bound: settings.bound, nodes: nodes)
    }

    /// Counts a call.
    /// - Parameter device: the device ID the caller names, if any.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(address: IPAddress, device: ArraySlice<UInt8>?, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let addressKey = address.limitKey
        let deviceKey = device.map { $0.span.keyedHash(with: addressKey) } ?? addressKey
        if let missing = self.devices.admit(deviceKey, at: now) { return .milliseconds(missing) }
        guard let missing = self.addresses.admit(addressKey, at: now) else { return nil }
        // A refused call counts nowhere, so the device gets its call back.
        self.devices.takeBack(deviceKey, at: now)
        return .milliseconds(missing)
    }
}

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

    func takeBack(_ hash: Int, at now: Int64) {
        let limit = self.whole.part(for: self.nodes)
        self.entries.update(hash, at: now, initial: CellRate(now: now)) { $0.takeBack(limit) }
    }
}

/// The generic cell rate algorithm as a value: one call per interval, and a tolerance for bursts (rest-v1 24.1, model B).
///
/// All times are integer milliseconds. A rejected call does not count.
package struct CellRate: Hashable, Sendable {
    /// When the next call would be due if all came evenly.
    private var theoreticalArrival: Int64

    package init(now: Int64) { self.theoreticalArrival = now }

    /// Takes the call of `now` into account if it may pass.
    /// - Returns: `nil` when it passes, else how many milliseconds are missing.
    package mutating func admit(at now: Int64, _ limit: ThrottleLimit) -> Int64? {
        if let missing = self.missing(at: now, limit) { return missing }
        self.theoreticalArrival = max(now, self.theoreticalArrival) + limit.interval
        return nil
    }

    package mutating func takeBack(_ limit: ThrottleLimit) { self.theoreticalArrival -= limit.interval }

    /// Whether a call at `now` would have to wait, and how long.
    private mutating func missing(at now: Int64, _ limit: ThrottleLimit) -> Int64? {
        // Further ahead than calls can bring it: the clock was set back, and would keep the caller out for as long.
        if self.theoreticalArrival > now + limit.tolerance + limit.interval { self.theoreticalArrival = now }
        let earliest = self.theoreticalArrival - limit.tolerance
        return now < earliest ? earliest - now : nil
    }
}

extension CellRate: SlotValue {
    /// A caller whose next call is due is as good as one that never called.
    var neededUntil: Int64 { self.theoreticalArrival }
}

/// One rate with its burst, in milliseconds.
package struct ThrottleLimit: Hashable, Sendable {
    /// T, between calls that come evenly.
    package let interval: Int64
    /// τ, how far ahead of that a burst may run.
    package let tolerance: Int64

    package init(interval: Int64, tolerance: Int64) {
        precondition(interval > 0 && tolerance >= 0, "a throttle's interval is positive, its tolerance not negative")
        self.interval = interval
        self.tolerance = tolerance
    }

    /// The part that one of several nodes allows: its part, and in the time of a burst no less than five calls, or all.
    func part(for nodes: LivingNodes) -> ThrottleLimit {
        guard nodes.count > 1 else { return self }
        let longest = max(self.interval, self.tolerance / 4)
        return ThrottleLimit(interval: min(self.interval * Int64(nodes.count), longest), tolerance: self.tolerance)
    }
}
