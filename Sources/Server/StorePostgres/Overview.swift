// StorePostgres: Entitlement's store on PostgreSQL, for many nodes. A few connections, each with a thread of its own that
// pipelines what callers ask for; several callers' changes go into one commit. The only importer of CPostgres.
//
// It leaves to its neighbours: every rule. It compares, swaps, keeps and finds.
//
// A change takes the advisory locks of its subjects first, in one order on every node, so that changes of one subject
// follow one another and no two wait for each other. A commit whose answer was lost is looked up by its transaction ID.
// Only where another server took over meanwhile the answer stays unknown; callers are then told that the store is
// unavailable, though the change may have been kept.
//
// Beside standard SQL it needs of PostgreSQL, or of what speaks its protocol: `INSERT … ON CONFLICT`, `RETURNING`, changes
// in `WITH`, arrays and `unnest`, `FOR UPDATE SKIP LOCKED`, `pg_advisory_xact_lock`, `pg_try_advisory_xact_lock`,
// `pg_current_xact_id`, `pg_snapshot_xmin` of `pg_current_snapshot`, `pg_xact_status`, `pg_walfile_name`, `pg_postmaster_start_time`, and for a quick
// wake-up `LISTEN` and `NOTIFY`.
