import Clientless

/// The mark in a store that tells which master secret its hashes were made with.
///
/// It is kept as a task whose holder's time is over in the year 9999. A store that no server of this version served from
/// has none, and neither has a copy into another store.
package struct KeyMark: Sendable {
    private static let task = "master-secret"
    private static let time: Duration = .seconds(253_402_300_799)
    private static let start = Timestamp(seconds: 0)

    private let store: any Store
    private let keys: ServerKeys

    init(_ store: any Store, of keys: ServerKeys) {
        self.store = store
        self.keys = keys
    }

    /// Whether the mark is that of the keys; `nil` when the store has none.
    package func isOwn() async throws(EntitlementError) -> Bool? {
        let end = Self.start + Self.time
        let found = try await stored(await self.store.leases(end..<end + .seconds(1)))
        return found[Self.task].map { $0 == self.keys.mark }
    }

    /// Marks a store that has no mark.
    package func set() async throws(EntitlementError) {
        _ = try await stored(
            await self.store.takeLease(Self.task, holder: self.keys.mark, for: Self.time, now: Self.start))
    }
}
