package import Clientless

/// Decides whether the wall clock is to be believed before anything is erased on its word.
///
/// A clock that jumped ahead makes everything look over, and what was erased is gone. So the time is compared with two
/// things that a jump does not move: how long this process has run, and the moment of the last purge, which the store
/// keeps. A time that fits neither is believed when it has gone on steadily for a day, or when an operator vouches for
/// it (which sets the moment that the store keeps). The records stay meanwhile; rows only stay longer.
package struct PurgeClock: Sendable {
    /// Why nothing is erased.
    package enum Doubt: Hashable, Sendable {
        /// The clock is `ahead` of the time it should show (behind, when negative), and will be believed after `wait`.
        case jumped(ahead: Duration, wait: Duration)
        /// The clock is `ahead` of that of the machine that the store is on (behind, when negative). It is not believed
        /// for as long as that lasts: the other nodes' rows are at stake, too.
        case disagreeing(ahead: Duration)
    }

    /// How far the wall clock may leave the time that passed: more than any correction of a clock that works.
    package static let tolerance: Duration = .seconds(3600)
    /// How long a server may have been off without a doubt about its clock when it starts again.
    package static let absence: Duration = .seconds(7 * 24 * 3600)
    /// How long a new time has to go on steadily.
    package static let probation: Duration = .seconds(24 * 3600)
    /// How long a process runs with a believed clock until its start no longer counts.
    package static let settling: Duration = .seconds(3600)

    /// A wall clock time, and how long the process had run then.
    private struct Sighting {
        var wall: Timestamp
        var uptime: Duration

        /// How far `wall` is ahead of what this sighting makes expected.
        func lead(of wall: Timestamp, at uptime: Duration) -> Duration {
            .milliseconds(wall.milliseconds - self.wall.milliseconds) - (uptime - self.uptime)
        }
    }

    private var believed: Sighting?
    private var candidate: Sighting?
    /// Until this uptime the start counts, and the believed clock may be wrong by ``absence``.
    private var settled: Duration?

    package init() {}

    /// Looks at the clocks.
    /// - Parameters:
    ///   - wall: the wall clock.
    ///   - uptime: how long the process has run, by a clock that no one sets.
    ///   - lastPurge: what the store says (``Housekeeping/lastPurge()``).
    ///   - storeClock: the clock of the machine that the store is on, where that is another one.
    /// - Returns: `nil` for a clock that is believed.
    package mutating func look(
        wall: Timestamp, uptime: Duration, lastPurge: Timestamp?, storeClock: Timestamp? = nil
    ) -> Doubt? {
        if let storeClock {
            let ahead: Duration = .milliseconds(wall.milliseconds - storeClock.milliseconds)
            guard ahead.magnitude <= Self.tolerance else { return .disagreeing(ahead: ahead) }
        }
        let now = Sighting(wall: wall, uptime: uptime)
        if self.isPlausible(now, lastPurge: lastPurge) {
            if self.believed == nil { self.settled = uptime + Self.settling }
            self.believed = now
            self.candidate = nil
            return nil
        }
        let start =
            self.candidate.flatMap { $0.lead(of: wall, at: uptime).magnitude <= Self.tolerance ? $0 : nil } ?? now
        self.candidate = start
        let wait = Self.probation - (uptime - start.uptime)
        guard wait <= .zero else { return .jumped(ahead: self.ahead(of: now, lastPurge: lastPurge), wait: wait) }
        self.believed = now
        self.candidate = nil
        return nil
    }

    /// How far a clock that is believed at `uptime` may be ahead all the same. Over a start that is ``absence``: what
    /// such a clock calls over a moment ago may have days to go. An hour later the short-lived rows of before the start
    /// are over by any clock.
    package func slack(at uptime: Duration) -> Duration {
        if let settled = self.settled, uptime < settled { Self.absence } else { Self.tolerance }
    }

    private func isPlausible(_ now: Sighting, lastPurge: Timestamp?) -> Bool {
        if let believed = self.believed, believed.lead(of: now.wall, at: now.uptime).magnitude <= Self.tolerance {
            return true
        }
        guard let lastPurge else { return self.believed == nil }
        let since: Duration = .milliseconds(now.wall.milliseconds - lastPurge.milliseconds)
        // Only a process that has just started cannot know how long it was away.
        return since >= .zero - Self.tolerance && since <= (self.believed == nil ? Self.absence : Self.tolerance)
    }

    private func ahead(of now: Sighting, lastPurge: Timestamp?) -> Duration {
        if let believed = self.believed { return believed.lead(of: now.wall, at: now.uptime) }
        return .milliseconds(now.wall.milliseconds - (lastPurge ?? now.wall).milliseconds)
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}

/// How many rows of each kind one batch of a purge erases, as a value.
///
/// Small bites, so that no caller waits long behind one; and smaller ones if the store is slow, so that one ends long
/// before the node's lease, after which another node would purge.
package struct PurgeBatch: Hashable, Sendable {
    /// The most, and where it begins.
    package static let most = 500
    /// The least: with fewer a purge would not keep up with new rows.
    package static let least = 8
    /// A batch that takes longer is followed by smaller ones: an eighth of ``Upkeep/lease``.
    package static let long: Duration = .seconds(15)
    /// After one that takes less the next may be larger.
    package static let short: Duration = .seconds(2)

    package private(set) var limit = Self.most

    package init() {}

    package mutating func note(taking time: Duration) {
        if time > Self.long { self.noteFailure() }
        if time < Self.short { self.limit = min(self.limit * 2, Self.most) }
    }

    /// A batch failed, and may have done so because it took too long.
    package mutating func noteFailure() { self.limit = max(self.limit / 4, Self.least) }
}
