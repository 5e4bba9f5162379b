/// The guesses of one source in one window, as a value: a try under way takes a place, and so does a wrong one (rest-v1
/// 24.4).
///
/// All times are durations since the start of a monotonic clock.
struct AttemptSlots: Hashable, Sendable {
    private(set) var wrong = 0
    private(set) var pending = 0
    private var start: Duration = .zero
    private var closedUntil: Duration?

    /// Whether it is as it began, but for its time.
    var isIdle: Bool { self.wrong == 0 && self.pending == 0 && self.closedUntil == nil }

    /// How long the source is closed for at `now`; `nil` when it is open.
    func closed(at now: Duration) -> Duration? {
        guard let end = self.closedUntil, now < end else { return nil }
        return end - now
    }

    /// Takes a place at `now`.
    /// - Returns: `nil` when there was one, else how long to wait.
    mutating func reserve(at now: Duration, _ limit: AttemptLimit) -> Duration? {
        if let wait = self.closed(at: now) { return wait }
        self.renew(at: now, limit)
        // A node more has made the limit of each smaller.
        guard self.wrong < limit.failures else { return self.start + limit.window - now }
        // The places that are taken come free when the guesses under way are answered.
        guard self.wrong + self.pending < limit.failures else { return .seconds(1) }
        self.pending += 1
        return nil
    }

    /// Gives a place back, or keeps it for good when the guess was wrong.
    /// - Returns: whether this closed the source.
    mutating func settle(isWrong: Bool, at now: Duration, _ limit: AttemptLimit) -> Bool {
        self.pending = max(0, self.pending - 1)
        guard isWrong else { return false }
        self.renew(at: now, limit)
        self.wrong += 1
        guard self.wrong >= limit.failures, self.closed(at: now) == nil else { return false }
        self.closedUntil = now + limit.penalty
        self.wrong = 0
        self.start = now
        return true
    }

    private mutating func renew(at now: Duration, _ limit: AttemptLimit) {
        guard now >= self.start + limit.window else { return }
        self.start = now
        self.wrong = 0
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
