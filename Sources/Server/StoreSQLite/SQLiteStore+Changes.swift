import Clientless
package import Entitlement

extension SQLiteStore {
    /// How long a change stays in the feed, by the time of the callers of ``purge(limit:now:)``. Whoever falls behind
    /// further than that has to forget all it remembers.
    package static let changeWindow: Duration = .seconds(3600)

    package func changes(
        after position: ChangePosition, limit: Int
    ) async throws(StoreError) -> [StoreChange] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                "SELECT position, kind, code, device FROM changes WHERE position > ?1 ORDER BY position LIMIT ?2",
                [.integer(position.number), .integer(Int64(max(limit, 0)))]
            ) { (row) throws(SQLiteFailure) in try row.change() }
        }
    }

    package func latestChange() async throws(StoreError) -> ChangePosition {
        try await self.read { (connection) throws(SQLiteFailure) in
            ChangePosition(number: try Self.latestPosition(on: connection))
        }
    }

    /// The newest position ever given out, also when its change was purged; 0 before the first.
    static func latestPosition(on connection: borrowing Connection) throws(SQLiteFailure) -> Int64 {
        try connection.first("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") {
            (row) throws(SQLiteFailure) in try row.integer()
        } ?? 0
    }
}
