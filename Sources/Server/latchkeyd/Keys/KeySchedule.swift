package import Clientless

/// Which keys of one use sign and which are still accepted, as time goes by (sdk-services 7).
///
/// The newest key signs once it has been published for a while. An older one is accepted until everything it signed is
/// over. The oldest key of a folder has always been there: a set-up of one key signs from its first moment.
package struct KeySchedule: Hashable, Sendable {
    /// By how much clocks of nodes may differ, and how long a node may take to see a new file.
    private static let margin: Duration = .seconds(300)

    /// When each key was made, in the order of the keys: newest first.
    private let made: [Timestamp]
    private let lead: Duration
    /// The longest life of what the keys sign; `nil` when it has no end.
    private let longestLife: Duration?

    /// - Precondition: there is at least one key.
    package init(made: [Timestamp], lead: Duration, longestLife: Duration?) {
        precondition(!made.isEmpty, "every use has a key")
        self.made = made
        self.lead = lead
        self.longestLife = longestLife
    }

    package func signing(at now: Timestamp) -> Int {
        self.made.indices.first { self.begins($0) <= now } ?? self.made.count - 1
    }

    /// The places of the keys whose signatures count at `now`: the one that signs first, since simple verifiers take no
    /// other, then from the newest on; those that do not sign yet are among them.
    package func accepted(at now: Timestamp) -> [Int] {
        let signing = self.signing(at: now)
        let others = self.made.indices.filter { place in
            guard place != signing else { return false }
            guard let life = self.longestLife, let end = self.ends(place) else { return true }
            return now < end + life + Self.margin
        }
        return [signing] + others
    }

    private func begins(_ place: Int) -> Timestamp {
        place == self.made.count - 1 ? Timestamp(milliseconds: .min) : self.made[place] + self.lead
    }

    /// When a key stops signing, because a newer one begins.
    private func ends(_ place: Int) -> Timestamp? { self.made.indices.prefix(place).map { self.begins($0) }.min() }
}
