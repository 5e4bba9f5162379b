import AccessEnabler

/// Decides when to ask a server that did not answer again.
///
/// A value without clock and randomness. The pauses grow to a minute on average, and each is drawn from a range as wide as
/// itself: boxes that lost the server at one moment do not come back at one moment, but over a minute and a half.
struct ContactPlan: Sendable {
    /// Half of this to one and a half of it is the longest pause.
    static let longest: Duration = .seconds(60)
    /// Half of this to one and a half of it is the pause after a refusal that only an operator can change.
    static let patience: Duration = .seconds(1800)
    /// Calls of applications do not ask the server more often than this; so one plays within two seconds of its return.
    static let shortest: Duration = .milliseconds(1500)

    /// Half of this to one and a half of it is how long the server's configuration is taken for today's.
    static let freshness: Duration = .seconds(6 * 3600)

    private enum State: Sendable {
        case untried
        case reached(until: Duration)
        case failing(count: Int, error: EntitlementError, since: Duration)
    }

    private var state = State.untried
    /// Whether the server has answered since the agent started.
    private(set) var hasReached = false

    var isReached: Bool { if case .reached = self.state { true } else { false } }

    /// Why there is no contact, for a caller that asks too soon after the last attempt; `nil` when the server may be
    /// asked for it.
    func refusal(at now: Duration) -> EntitlementError? {
        if case .failing(_, let error, let since) = self.state, now - since < Self.shortest { error } else { nil }
    }

    /// Whether the server answered too long ago for its configuration to be taken for today's.
    func isOutdated(at now: Duration) -> Bool {
        if case .reached(let until) = self.state { now >= until } else { false }
    }

    /// - Parameters:
    ///   - now: on a clock that cannot be set.
    ///   - jitter: uniform from 0 up to, but not including, 1.
    /// - Returns: whether that is news: it failed before.
    mutating func reached(at now: Duration, jitter: Double) -> Bool {
        defer { (self.state, self.hasReached) = (.reached(until: now + Self.freshness * (0.5 + jitter)), true) }
        return if case .failing = self.state { true } else { false }
    }

    /// - Parameters:
    ///   - now: on a clock that cannot be set.
    ///   - jitter: uniform from 0 up to, but not including, 1.
    /// - Returns: the pause before the next attempt, and whether the failure is news: the first, or another than the last.
    mutating func failed(_ error: EntitlementError, at now: Duration, jitter: Double) -> (pause: Duration, isNews: Bool)
    {
        let count: Int
        let isNews: Bool
        switch self.state {
        case .untried, .reached: (count, isNews) = (0, true)
        case .failing(let former, let last, _): (count, isNews) = (former + 1, last.code != error.code)
        }
        self.state = .failing(count: count, error: error, since: now)
        // Only an operator changes these, and a caller that needs the server is not held up by the pause.
        let isFinal = error.code == .refused || error.code == .credentialsRefused || error.code == .notRegistered
        let base = isFinal ? Self.patience : count > 5 ? Self.longest : .seconds(1 << count)
        let pause = base * (0.5 + jitter)
        // Later than the server asked for, never sooner, and not all at one moment.
        guard let wish = error.retryAfter else { return (pause, isNews) }
        return (max(pause, wish * (1 + jitter)), isNews)
    }
}
