import Entitlement

/// The generic cell rate algorithm as a value: one call per interval, and a tolerance for bursts (rest-v1 24.1, model B).
///
/// All times are integer milliseconds. A rejected call does not count.
package struct CellRate: Hashable, Sendable {
    /// When the next call would be due if all came evenly.
    private var theoreticalArrival: Int64

    /// - Parameter now: the time of the first call.
    package init(now: Int64) {
        self.theoreticalArrival = now
    }

    /// Takes the call of `now` into account if it may pass.
    /// - Returns: `nil` when it passes, else how many milliseconds are missing.
    package mutating func admit(at now: Int64, _ limit: ThrottleLimit) -> Int64? {
        if let missing = self.missing(at: now, limit) { return missing }
        self.theoreticalArrival = max(now, self.theoreticalArrival) + limit.interval
        return nil
    }

    /// Undoes the last admission.
    package mutating func takeBack(_ limit: ThrottleLimit) {
        self.theoreticalArrival -= limit.interval
    }

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
        return ThrottleLimit(
            interval: min(self.interval * Int64(nodes.count), longest), tolerance: self.tolerance)
    }
}
