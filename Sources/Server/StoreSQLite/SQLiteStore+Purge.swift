package import Clientless
package import Entitlement

extension SQLiteStore {
    /// How long a code stays after its time is over. One that ended earlier stays as long: its end is not stored.
    private static let codeRetention: Duration = .seconds(24 * 3600)
    /// How long an AuthN record stays after its expiry, so that "expired" can be told from "never" (rest-v1 9).
    private static let authenticationRetention: Duration = .seconds(30 * 24 * 3600)

    /// How long a degradation rule stays after its end, for whoever asks for the history (rest-v1 25).
    private static let ruleRetention: Duration = .seconds(30 * 24 * 3600)

    package func purge(limit: Int, now: Timestamp) async throws(StoreError) -> Int {
        let limit = SQLValue.integer(Int64(max(limit, 0)))
        let keptEntries = self.options.maximumAuditEntries
        return try await self.write { (connection) throws(SQLiteFailure) in
            var erased = 0
            // Each walks its index over time from the old end, so its cost is what it erases.
            for (statement, end) in [
                (
                    """
                    DELETE FROM codes WHERE sequence IN
                        (SELECT sequence FROM codes WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                    """, now - Self.codeRetention
                ),
                (
                    """
                    DELETE FROM attempts WHERE id IN
                        (SELECT id FROM attempts WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                    """, now
                ),
                (
                    """
                    DELETE FROM authentications WHERE sequence IN
                        (SELECT sequence FROM authentications WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                    """, now - Self.authenticationRetention
                ),
                (
                    """
                    DELETE FROM nonces WHERE (public_key, nonce) IN
                        (SELECT public_key, nonce FROM nonces WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                    """, now
                ),
                (
                    """
                    DELETE FROM degradation_rules WHERE id IN
                        (SELECT id FROM degradation_rules WHERE ends <= ?1 ORDER BY ends LIMIT ?2)
                    """, now - Self.ruleRetention
                ),
            ] {
                erased += try connection.run(statement, [.time(end), limit])
            }
            erased += try connection.run(
                """
                DELETE FROM audit_log WHERE sequence IN (SELECT sequence FROM audit_log
                    WHERE sequence <= (SELECT max(sequence) FROM audit_log) - ?1 ORDER BY sequence LIMIT ?2)
                """, [.integer(Int64(max(keptEntries, 0))), limit])
            // Minutes that are over are in no sum any more; there is one row a minute at most.
            try connection.run("DELETE FROM open_codes WHERE minute < ?1", [.integer(now.milliseconds / 60_000)])
            return erased + (try Self.purgeChanges(limit: limit, now: now, on: connection))
        }
    }

    /// Erases changes that were there at a purge a whole window ago, and leaves a mark for later purges.
    private static func purgeChanges(
        limit: SQLValue, now: Timestamp, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Int {
        let latest = try self.latestPosition(on: connection)
        try connection.run(
            """
            INSERT INTO change_marks (position, moment) SELECT ?1, ?2
                WHERE ?1 > (SELECT coalesce(max(position), 0) FROM change_marks)
            """, [.integer(latest), .time(now)])
        let horizon = try connection.first(
            "SELECT position FROM change_marks WHERE moment <= ?1 ORDER BY position DESC LIMIT 1",
            [.time(now - self.changeWindow)]
        ) { (row) throws(SQLiteFailure) in try row.integer() }
        guard let horizon else { return 0 }
        // The mark itself stays: it says up to where nothing is left to do once the rest is erased.
        try connection.run("DELETE FROM change_marks WHERE position < ?1", [.integer(horizon)])
        return try connection.run(
            """
            DELETE FROM changes WHERE position IN
                (SELECT position FROM changes WHERE position <= ?1 ORDER BY position LIMIT ?2)
            """, [.integer(horizon), limit])
    }
}
