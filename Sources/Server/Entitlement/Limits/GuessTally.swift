import Synchronization

/// The counts of guesses since the start, for counters.
package struct GuessCounts: Hashable, Sendable {
    package var wrong = 0
    package var refused = 0

    package init() {}
}

/// Counts as they come, on any thread.
final class GuessTally: Sendable {
    let wrong = Atomic<Int>(0)
    let refused = Atomic<Int>(0)

    var counts: GuessCounts {
        var counts = GuessCounts()
        counts.wrong = self.wrong.load(ordering: .relaxed)
        counts.refused = self.refused.load(ordering: .relaxed)
        return counts
    }
}

/// A count that falls by itself, evenly, as a value.
///
/// Times are durations since a start that only a monotonic clock gives; one that lies before the last changes nothing.
struct LeakyCount: Hashable, Sendable {
    private var count: Double = 0
    private var time: Duration = .zero

    /// The count at `now`, when it falls by `leak` an hour.
    func value(at now: Duration, leak: Double) -> Double {
        guard now > self.time else { return self.count }
        return max(0, self.count - leak * ((now - self.time) / .seconds(3600)))
    }

    /// Adds `amount`, which may be negative, and never falls below zero or rises above `most`.
    mutating func add(_ amount: Double, at now: Duration, leak: Double, most: Double) {
        self.count = min(most, max(0, self.value(at: now, leak: leak) + amount))
        self.time = max(self.time, now)
    }
}
