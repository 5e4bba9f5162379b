/// A moment by which something must be over, on a clock that cannot be set.
package struct Deadline: Sendable, Comparable {
    package let instant: ContinuousClock.Instant

    package init(after duration: Duration) {
        self.instant = .now + duration
    }

    /// The time that is left, never below zero.
    package var remaining: Duration {
        max(.zero, self.instant - .now)
    }

    package static func < (left: Deadline, right: Deadline) -> Bool {
        left.instant < right.instant
    }
}
