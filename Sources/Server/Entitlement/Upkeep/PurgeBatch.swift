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
        if time > Self.long { self.limit = max(self.limit / 4, Self.least) }
        if time < Self.short { self.limit = min(self.limit * 2, Self.most) }
    }

    /// A batch failed, and may have done so because it took too long.
    package mutating func noteFailure() { self.limit = max(self.limit / 4, Self.least) }
}
