package import Clientless

/// Failures of one stranger in one window of time, as a value (rest-v1 24.4).
package struct AttemptWindow: Sendable {
    private var start: Timestamp
    private var failures = 0
    private var blockedUntil: Timestamp?

    package init(start: Timestamp) {
        self.start = start
    }

    /// How long the stranger still has to wait; none when they may try.
    package func waitingTime(at now: Timestamp) -> Duration? {
        guard let end = self.blockedUntil, now < end else { return nil }
        return end - now
    }

    /// Counts a failure at `now`; the one that reaches the limit closes the door for `limit.penalty`.
    package mutating func fail(at now: Timestamp, limit: AttemptLimit) {
        if now >= self.start + limit.window {
            self = AttemptWindow(start: now)
        }
        self.failures += 1
        if self.failures >= limit.failures {
            self = AttemptWindow(start: now)
            self.blockedUntil = now + limit.penalty
        }
    }
}

/// So many failures in so much time, and how long the door stays closed then.
package struct AttemptLimit: Hashable, Sendable {
    package let failures: Int
    package let window: Duration
    package let penalty: Duration

    package init(failures: Int, window: Duration, penalty: Duration) {
        precondition(failures > 0, "a limit of attempts admits at least one")
        self.failures = failures
        self.window = window
        self.penalty = penalty
    }
}
