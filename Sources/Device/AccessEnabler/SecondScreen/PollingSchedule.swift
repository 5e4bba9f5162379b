package import Clientless

/// Decides when to ask "signed in yet?", and for how long the server may hold the question (rest-v1 28.3,
/// sdk-services 8).
///
/// A value without clock, randomness or network: it is told what came back and when, and says what comes next. A
/// server that holds questions is asked again at once; any other every ``interval``, twice that after five minutes.
/// Failures and 429 double the pause up to ``longestPause``; a server that asks for a longer one gets it. After repeated
/// failures each pause is drawn from a range as wide as itself, so that boxes that lost the server at one moment do not
/// come back at one moment.
package struct PollingSchedule: Sendable {
    package struct Poll: Sendable, Hashable {
        package let pause: Duration
        /// For how long to let the server hold it (`Prefer: wait`); `nil` not to ask for it.
        package let hold: Duration?
        /// When to give up on it.
        package let timeout: Duration
    }

    package enum Answer: Sendable, Hashable {
        /// Not yet. `heldFor` when the server applied the preference; `changed` when the code got further meanwhile.
        case pending(heldFor: Duration?, changed: Bool)
        case throttled(retryAfter: Duration?)
        /// 5xx, or no answer.
        case failed
        /// The same for a question that the server was asked to hold, this long after it was asked.
        case cut(after: Duration)
    }

    private enum Holding {
        case unknown, applied, ignored
    }

    /// sdk-services 8 allows 55 s.
    package static let longestHold: Duration = .seconds(50)
    package static let longestPause: Duration = .seconds(60)
    /// A failure that comes sooner says nothing of how long a question can be held.
    static let shortestHold: Duration = .seconds(5)
    private static let slowAfter: Duration = .seconds(300)
    private static let shortestEarlyPause: Duration = .milliseconds(100)
    /// Boxes whose held questions were cut off ask again within this time: a viewer hears of a lost connection soon.
    private static let spread: Duration = .seconds(3)

    package let interval: Duration
    package let expires: Timestamp
    private var holding = Holding.unknown
    private var delay: Duration
    private var startedAt: Timestamp?
    private var earlyAnswers = 0
    /// How long questions may be held; shortened where the way to the server does not last so long.
    private var longestHold = Self.longestHold
    /// How long the last question was held when it was cut off.
    private var lastCut: Duration?
    /// Whether the next question is not to be held: a viewer waits to hear that the connection is back.
    private var isProbing = false
    /// Failures since the last useful answer.
    package private(set) var failures = 0

    /// - Parameters:
    ///   - interval: brought to 1 to 60 s.
    ///   - expires: by the same clock as every `now`.
    package init(interval: Duration, expires: Timestamp) {
        self.interval = min(max(interval, .seconds(1)), .seconds(60))
        self.expires = expires
        self.delay = self.interval
    }

    /// The first question, at once: the viewer may have finished while the box was off.
    package mutating func begin(at now: Timestamp) -> Poll? {
        self.startedAt = now
        return self.poll(after: .zero, at: now)
    }

    /// The question that follows `answer`.
    /// - Parameter jitter: uniform from 0 up to, but not including, 1.
    /// - Returns: `nil` when the time of the code is over.
    package mutating func next(after answer: Answer, at now: Timestamp, jitter: Double) -> Poll? {
        switch answer {
        case .pending(let heldFor, let changed):
            self.failures = 0
            self.lastCut = nil
            self.delay = self.base(at: now)
            if self.isProbing {
                self.isProbing = false
                return self.poll(after: .zero, at: now)
            }
            self.holding = heldFor == nil ? .ignored : .applied
            guard let heldFor else { return self.poll(after: self.delay * (0.9 + 0.2 * jitter), at: now) }
            return self.poll(after: self.pause(afterHolding: heldFor, changed: changed), at: now)
        case .throttled(let retryAfter):
            self.delay = min(max(retryAfter ?? .zero, .seconds(1), self.delay * 2), Self.longestPause)
            let own = min(self.delay * (1 + 0.1 * jitter), Self.longestPause)
            // Only later, never sooner than the server asked for.
            return self.poll(after: max(own, (retryAfter ?? .zero) * (1 + 0.1 * jitter)), at: now)
        case .cut(let after) where after >= Self.shortestHold:
            self.failures += 1
            // Twice in a row is no node that stops: something on the way, such as a proxy, ends long questions.
            if let last = self.lastCut {
                self.longestHold = max(Self.shortestHold, min(last, after, self.longestHold) * 0.8)
            }
            self.lastCut = after
            (self.holding, self.isProbing) = (.unknown, false)
            return self.poll(after: min(self.interval, Self.spread) * jitter, at: now)
        case .failed, .cut:
            self.failures += 1
            self.isProbing = self.failures > 1
            // A node that stops drops every box it holds at once: they come back spread.
            if self.holding == .applied {
                self.holding = .unknown
                return self.poll(after: min(self.interval, Self.spread) * jitter, at: now)
            }
            self.holding = .unknown
            // One that failed is tried again at the next interval (access-enabler 9.3); only then it gets rarer.
            guard self.failures > 1 else { return self.poll(after: self.delay * (0.9 + 0.2 * jitter), at: now) }
            self.delay = min(self.delay * 2, Self.longestPause)
            return self.poll(after: self.delay * (0.5 + jitter), at: now)
        }
    }

    /// Nothing after a real hold. A server that says it waits but answers at once is asked more and more slowly, so
    /// that it is not asked without end.
    private mutating func pause(afterHolding heldFor: Duration, changed: Bool) -> Duration {
        if changed || heldFor >= self.interval {
            self.earlyAnswers = 0
            return .zero
        }
        let pause = min(Self.shortestEarlyPause * (1 << min(self.earlyAnswers, 10)), self.interval)
        self.earlyAnswers += 1
        return pause
    }

    private func base(at now: Timestamp) -> Duration {
        guard let startedAt = self.startedAt, now - startedAt > Self.slowAfter else { return self.interval }
        return self.interval * 2
    }

    private func poll(after pause: Duration, at now: Timestamp) -> Poll? {
        let left = self.expires - now
        guard left > .zero else { return nil }
        // Past the end there is nothing to learn; the pause ends there, and then no question follows.
        let pause = min(pause, left)
        guard self.holding != .ignored, !self.isProbing else {
            return Poll(pause: pause, hold: nil, timeout: .seconds(10))
        }
        // A second more than is left, so that the answer at the end is the server's "expired".
        let seconds = (left - pause).components.seconds + 1
        let hold = Duration.seconds(min(self.longestHold.components.seconds, seconds))
        return Poll(pause: pause, hold: hold, timeout: hold + .seconds(10))
    }
}
