package import Entitlement

extension PostgresStore: CheckableStore {
    package func integrityCheck() async throws(StoreError) -> [String] {
        try await self.read(SQL(raw: Self.faults)) { (row) throws(PostgresFailure) -> String in try row.text() }
    }

    /// Settings of this server for this role that may lose an acknowledged change; indexes that a failed `REINDEX
    /// CONCURRENTLY` left behind, which each change pays for and no statement uses; constraints that were never
    /// checked; rights that were lost, as with a dump that is put back without them. PostgreSQL's own
    /// tools check its pages.
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
