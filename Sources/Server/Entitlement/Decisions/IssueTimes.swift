import Clientless
import Synchronization

/// The issue times of media tokens, so that no two tokens of one viewer are equal, also within one millisecond (rest-v1
/// 16).
///
/// A signature over equal bytes is equal, and a playback back end refuses a token it has seen. The table has a fixed
/// size: two viewers that share a slot move each other on by a millisecond, which harms neither.
final class IssueTimes: Sendable {
    private static let slots = 4096

    private let last = Mutex([Int64](repeating: .min, count: slots))

    /// `now`, or the millisecond after the slot's last time when that is later.
    func next(for userID: String, now: Timestamp) -> Timestamp {
        let slot = Int(UInt(bitPattern: userID.hashValue) % UInt(Self.slots))
        let time = self.last.withLock { last in
            // A clock that was set back a minute or more is followed; the tokens of the meantime have other ends.
            let earliest = last[slot] < now.milliseconds + 60_000 ? last[slot] &+ 1 : .min
            last[slot] = max(now.milliseconds, earliest)
            return last[slot]
        }
        return Timestamp(milliseconds: time)
    }
}
