import Clientless
import Synchronization

/// How long ago memory was known to hold nothing that the store has changed since.
///
/// A node that was paused, or cut off from its store, learns of changes late. Its memory answers no poll until it has
/// caught up: such a poll asks the store.
package final class Freshness: Sendable {
    /// How old the last look at the feed of changes may be. It is looked at every second.
    package static let limit: Duration = .seconds(3)

    /// The time of the last look, by the clock of ``confirm(asOf:)``; the greatest number before ``begin()``.
    private let confirmed = Atomic(Int64.max)

    /// From now on memory answers only if it is confirmed to be in step, or the process is as young as a confirmation may
    /// be old.
    func begin() { _ = self.confirmed.compareExchange(expected: .max, desired: 0, ordering: .relaxed) }

    /// Notes that memory holds nothing that the store changed before `uptime`.
    /// - Parameter uptime: how long the process has run, by a clock that also runs while it is paused.
    func confirm(asOf uptime: Duration) { self.confirmed.store(uptime.wholeMilliseconds, ordering: .relaxed) }

    /// Whether memory may answer. Memory that no one keeps in step may: its domain is alone with its store.
    /// - Parameter isAlone: whether nothing but this domain changes what is asked for.
    func mayAnswer(at uptime: @autoclosure () -> Duration, isAlone: Bool = true) -> Bool {
        let confirmed = self.confirmed.load(ordering: .relaxed)
        if confirmed == .max { return isAlone }
        return uptime().wholeMilliseconds - confirmed <= Self.limit.wholeMilliseconds
    }
}
