import Synchronization

/// How long the oldest change that is kept has waited to be told of, behind an older transaction.
package final class FeedDelay: Sendable {
    /// How long a change may wait until readers are told that the feed stands still.
    package static let limit: Duration = .seconds(2)

    private let waiting = Mutex<(place: FeedPlace, since: ContinuousClock.Instant)?>(nil)

    package init() {}

    /// - Parameter place: the oldest change that waits; `nil` when none does.
    /// - Returns: whether it has waited for too long.
    package func look(at place: FeedPlace?, _ now: ContinuousClock.Instant) -> Bool {
        self.waiting.withLock { waiting in
            guard let place else {
                waiting = nil
                return false
            }
            if let waiting, waiting.place == place { return waiting.since.duration(to: now) > Self.limit }
            waiting = (place, now)
            return false
        }
    }
}
