package import Clientless
package import Entitlement

extension PostgresStore {
    /// The number of the lock that the one purging node holds.
    private static let purgeLock: Int64 = 0x4C74_6B79_0000_0002

    package var isShared: Bool { true }

    package func clock() async throws(StoreError) -> Timestamp? {
        try await self.read("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint") {
            (row) throws(PostgresFailure) -> Timestamp in try row.value()
        }.first
    }

    /// The lock is held for as long as a purge's transaction lives, also when its node lost its lease or its connection.
    package func mayPurge(_ session: Session) throws(PostgresFailure) -> Bool {
        try session.first(
            "SELECT CASE WHEN pg_try_advisory_xact_lock(\(Self.purgeLock)) THEN 1::bigint ELSE 0 END"
        ) { (row) throws(PostgresFailure) -> Bool in try row.value() } == true
    }

    /// A job that made more changes than `limit` loses them together.
    package func purgeChanges(
        olderThan end: Timestamp, limit: Int, now: Timestamp, _ session: Session
    ) throws(PostgresFailure) -> Int {
        try self.markChanges(now: now, session)
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
            "UPDATE latchkey.store_state SET purged_transaction = \(last.transaction), purged_part = \(last.part)")
        return try session.run("DELETE FROM latchkey.changes WHERE (transaction, part) <= \(last.sql)")
    }

    /// Keeps up to where the feed reaches now, unless that is known already.
    private func markChanges(now: Timestamp, _ session: Session) throws(PostgresFailure) {
        let latest = try session.feedState().latest
        guard latest.transaction > 0 else { return }
        let place: SQL = "\(latest.transaction)::bigint, \(latest.part)::bigint"
        try session.run(
            """
            INSERT INTO latchkey.change_marks (transaction, part, moment) SELECT \(place), \(now)::bigint
                WHERE NOT EXISTS (SELECT 1 FROM latchkey.change_marks WHERE (transaction, part) >= (\(place)))
            """)
    }

    /// How many pages of the table are looked at where not every code is counted, about.
    private static let sampledPages: Int64 = 2000

    package func liveCodeCount(now: Timestamp) async throws(StoreError) -> Int {
        // Answered from the index alone: it holds what is open until when, too.
        let counted = try await self.count(
            """
            SELECT count(*) FROM (SELECT FROM latchkey.codes WHERE expires > \(now) AND open_until IS NOT NULL
                LIMIT \(self.mostCounted)) AS open
            """)
        return try await counted < self.mostCounted ? counted : max(counted, self.estimatedCodeCount(now: now))
    }

    /// How many codes are open, from so many pages of the table that they are soon read, however large it is.
    private func estimatedCodeCount(now: Timestamp) async throws(StoreError) -> Int {
        // A table that is split has no pages of its own, and a whole one has no partitions.
        let pages: SQL = """
            ((pg_relation_size('latchkey.codes') + coalesce((SELECT sum(pg_relation_size(relid))
                FROM pg_partition_tree('latchkey.codes')), 0))::bigint / current_setting('block_size')::bigint)
            """
        // Codes of one time stand together, so that a page is as a rule wholly open or wholly over: of two thousand
        // pages a tenth that is open is found within some percent of it.
        return try await self.count(
            """
            SELECT (count(*) * greatest(1, \(pages) / \(Self.sampledPages)::bigint::float8))::bigint FROM latchkey.codes
                TABLESAMPLE SYSTEM (least(100, 100 * \(Self.sampledPages)::bigint::float8 / greatest(1, \(pages))))
                WHERE expires > \(now) AND open_until IS NOT NULL
            """)
    }
}

extension PostgresStore: CheckableStore {
    package func integrityCheck() async throws(StoreError) -> [String] {
        try await self.read(SQL(raw: Self.faults)) { (row) throws(PostgresFailure) -> String in try row.text() }
    }

    /// Settings of this server for this role that may lose an acknowledged change; indexes that a failed `REINDEX
    /// CONCURRENTLY` left behind, which each change pays for and no statement uses; constraints never checked; rights
    /// that were lost, as with a dump that is put back without them. PostgreSQL's own tools check its pages.
    private static let faults = """
        SELECT name || ' is off: acknowledged changes are lost when the server or its machine stops' FROM pg_settings
            WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'
        UNION ALL
        SELECT 'index ' || relname || ' is not valid' FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE relnamespace = 'latchkey'::regnamespace AND NOT (indisvalid AND indisready)
        UNION ALL
        SELECT 'constraint ' || conname || ' was never checked' FROM pg_constraint
            WHERE connamespace = 'latchkey'::regnamespace AND NOT convalidated
        UNION ALL
        \(ServerRights.faults)
        """
}
