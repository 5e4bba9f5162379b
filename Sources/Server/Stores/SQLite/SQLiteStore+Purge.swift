package import Clientless
package import Entitlement

extension SQLiteStore {
    /// One node has a file to itself.
    package var isShared: Bool { false }

    package func clock() async throws(StoreError) -> Timestamp? { nil }

    /// Others that open the file take turns with their commits.
    package func mayPurge(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Bool { true }

    package func purgeChanges(
        olderThan end: Timestamp, limit: Int, now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Int {
        let latest = try connection.latestPosition()
        try connection.run(
            """
            INSERT INTO latchkey.change_marks (position, moment) SELECT \(latest), \(now)
                WHERE \(latest) > (SELECT coalesce(max(position), 0) FROM latchkey.change_marks)
            """)
        let horizon = try connection.first(
            "SELECT position FROM latchkey.change_marks WHERE moment <= \(end) ORDER BY position DESC LIMIT 1"
        ) { (row) throws(SQLiteFailure) in try row.integer() }
        guard let horizon else { return 0 }
        // The mark itself stays: it says up to where nothing is left to do once the rest is erased.
        try connection.run("DELETE FROM latchkey.change_marks WHERE position < \(horizon)")
        let last = try connection.first(
            """
            SELECT max(position) FROM
                (SELECT position FROM latchkey.changes WHERE position <= \(horizon) ORDER BY position LIMIT \(limit))
            """
        ) { (row) throws(SQLiteFailure) in try row.integerIfAny() }
        guard case let last?? = last else { return 0 }
        // Readers that are not beyond it meet a gap from now on.
        try connection.run("UPDATE latchkey.store_state SET purged_position = \(last)")
        return try connection.run("DELETE FROM latchkey.changes WHERE position <= \(last)")
    }
}
