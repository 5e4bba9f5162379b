import Synchronization

/// How many nodes serve, as far as this one knows, and so its part of each limit: they tell one another nothing else.
///
/// The part of one caller is five tries at least, so n nodes together allow a limit or five times n. Many callers
/// together (a network, an account that is guessed from anywhere) have at least a quarter as their part: one caller
/// with five tries does not close it for the others, and n nodes together allow a limit or a quarter of n times that. A
/// count stays as it is when the number of nodes changes.
package final class LivingNodes: Sendable {
    private static let leastTries = 5.0

    private let number = Atomic<Int>(1)

    package init() {}

    package var count: Int { self.number.load(ordering: .relaxed) }

    package func note(_ count: Int) { self.number.store(max(1, count), ordering: .relaxed) }
    func part(of tries: Double) -> Double { max(min(tries, Self.leastTries), tries / Double(self.count)) }
    func part(ofMany tries: Double) -> Double { max(self.part(of: tries), tries / 4) }

    func part(of limit: AttemptLimit) -> AttemptLimit {
        AttemptLimit(failures: Int(self.part(of: Double(limit.failures))), window: limit.window, penalty: limit.penalty)
    }

    func part(of budget: TierBudget) -> TierBudget {
        TierBudget(
            crowded: self.part(ofMany: budget.crowded), closing: budget.closing.map { self.part(ofMany: $0) },
            floor: self.part(ofMany: budget.floor), leak: self.part(ofMany: budget.leak))
    }

    func part(of rate: IssuanceLimiter.Rate) -> IssuanceLimiter.Rate {
        IssuanceLimiter.Rate(burst: self.part(of: rate.burst), perHour: self.part(of: rate.perHour))
    }

    func part(ofMany rate: IssuanceLimiter.Rate) -> IssuanceLimiter.Rate {
        IssuanceLimiter.Rate(burst: self.part(ofMany: rate.burst), perHour: self.part(ofMany: rate.perHour))
    }
}
