package import Clientless
package import Entitlement

extension PostgresStore {
    /// The number of the lock that the one purging node holds.
    private static let purgeLock: Int64 = 0x4C74_6B79_0000_0002

    package var isShared: Bool { true }

    package func clock() async throws(StoreError) -> Timestamp? {
        try await self.read("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint") {
            (row) throws(PostgresFailure) in try row.timestamp()
        }.first
    }

    /// The lock is held for as long as a purge's transaction lives, also when its node lost its lease or its connection.
    package func mayPurge(_ session: Session) throws(PostgresFailure) -> Bool {
        try session.first(
            "SELECT CASE WHEN pg_try_advisory_xact_lock(\(Self.purgeLock)) THEN 1::bigint ELSE 0 END"
        ) { (row) throws(PostgresFailure) in try row.flag() } == true
    }

    /// A job that made more changes than `limit` loses them together.
    package func purgeChanges(
        olderThan end: Timestamp, limit: Int, now: Timestamp, _ session: Session
    ) throws(PostgresFailure) -> Int {
        let latest = try session.feedState().latest
        if latest.transaction > 0 {
            let place: SQL = "\(latest.transaction)::bigint, \(latest.part)::bigint"
            try session.run(
                """
                INSERT INTO latchkey.change_marks (transaction, part, moment) SELECT \(place), \(now)::bigint
                    WHERE NOT EXISTS (SELECT 1 FROM latchkey.change_marks WHERE (transaction, part) >= (\(place)))
                """)
        }
        let mark = try session.first(
            """
            SELECT transaction, part FROM latchkey.change_marks WHERE moment <= \(end)
                ORDER BY transaction DESC, part DESC LIMIT 1
            """
        ) { (row) throws(PostgresFailure) in try row.feedPlace() }
        guard let mark else { return 0 }
        // The mark itself stays: it says up to where nothing is left to do once the rest is erased.
        try session.run(
            "DELETE FROM latchkey.change_marks WHERE (transaction, part) < (\(mark.transaction), \(mark.part))")
        let last = try session.first(
            """
            SELECT transaction::text::bigint, part FROM (SELECT transaction, part FROM latchkey.changes
                WHERE (transaction, part) <= \(mark.sql) ORDER BY transaction, part, place LIMIT \(limit))
                AS found ORDER BY found.transaction DESC, found.part DESC LIMIT 1
            """
        ) { (row) throws(PostgresFailure) in try row.feedPlace() }
        guard let last else { return 0 }
        // Readers that are not beyond it meet a gap from now on.
        try session.run(
            """
            UPDATE latchkey.store_state SET purged_transaction = \(last.transaction), purged_part = \(last.part)
            """)
        return try session.run("DELETE FROM latchkey.changes WHERE (transaction, part) <= \(last.sql)")
    }
}
