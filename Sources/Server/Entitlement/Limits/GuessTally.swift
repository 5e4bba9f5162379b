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
