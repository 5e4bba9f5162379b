import Synchronization

/// How long changes that are kept have waited to be told of, behind older transactions.
///
/// Each look notes the newest change that waits. Until that one is told, something has waited since that look, whatever
/// else was told meanwhile: one older transaction may follow another.
package final class FeedDelay: Sendable {
    /// How long a change may wait until readers are told that the feed stands still. No answer is older than five
    /// seconds while PostgreSQL answers a look within a tenth of a second, with the three seconds that memory answers
    /// after a look, and the time between looks. A look that takes longer may miss a change that came meanwhile, and
    /// adds its time.
    package static let limit: Duration = .milliseconds(1500)
    /// Looks that are closer than this to one another are one.
    private static let spacing: Duration = .milliseconds(50)
    /// The most looks that are remembered: enough for the limit.
    private static let most = 64

    private struct Look {
        /// The newest change that waited then.
        var newest: FeedPlace
        let time: ContinuousClock.Instant
    }

    private let looks = Mutex<[Look]>([])

    package init() {}

    /// - Parameters:
    ///   - told: the newest change that is told of.
    ///   - waiting: the newest that is kept and is not told of; `nil` when all are.
    /// - Returns: whether a change has waited for too long.
    package func look(told: FeedPlace, waiting: FeedPlace?, _ now: ContinuousClock.Instant) -> Bool {
        self.looks.withLock { looks in
            guard let waiting else {
                looks = []
                return false
            }
            looks.removeAll { $0.newest <= told }
            if let last = looks.indices.last, looks.count == Self.most || now - looks[last].time < Self.spacing {
                // It counts as waiting for a little longer than it does.
                looks[last].newest = max(looks[last].newest, waiting)
            } else if looks.last?.newest != waiting {
                looks.append(Look(newest: waiting, time: now))
            }
            return looks.first.map { now - $0.time > Self.limit } ?? false
        }
    }
}
