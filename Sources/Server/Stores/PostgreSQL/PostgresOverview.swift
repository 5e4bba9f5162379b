// The store on PostgreSQL, for many nodes. A few connections, each with a thread of its own that pipelines what callers ask
// for; several callers' changes go into one commit.
//
// A change takes the advisory locks of its subjects first, in one order on every node, so that changes of one subject
// follow one another and no two wait for each other. A commit whose answer was lost is looked up by its transaction ID.
// Only where another server took over meanwhile the answer stays unknown; callers are then told that the store is
// unavailable, though the change may have been kept.
//
// This list names what the store needs beyond standard SQL (ISO/IEC 9075) of PostgreSQL, from 13 on, or of what speaks
// its protocol. `deploy/check/house` holds the list to the statements of this folder and of the records.
//
// - The protocol in version 3, pipelined, with prepared statements and values in binary form.
// - Everywhere: `LIMIT` and `OFFSET`, casts by `::`, the types `text`, `bytea`, `float8`, and arrays: `ANY (ARRAY …)`, `unnest`.
// - Changes: `INSERT … ON CONFLICT` with `DO NOTHING` or `DO UPDATE`, `RETURNING`, changes in `WITH`, `FOR KEY SHARE`,
//   `pg_advisory_xact_lock`, `pg_try_advisory_xact_lock`; for a purge `FOR UPDATE SKIP LOCKED`.
// - The feed: the type `xid8`, `pg_current_xact_id`, `pg_snapshot_xmin`, `pg_snapshot_xmax` of `pg_current_snapshot`,
//   `pg_walfile_name` of `pg_current_wal_lsn`, `substr`, `decode`; for a quick wake-up `LISTEN` and `NOTIFY`.
// - Which server it is: `pg_is_in_recovery`, `pg_postmaster_start_time`, `pg_control_system`.
// - A commit whose answer was lost or that waits: `pg_xact_status`, `pg_stat_activity` with `wait_event` and `usename`,
//   `clock_timestamp`; `SET LOCAL synchronous_commit` where it need not wait.
// - Estimates: `pg_relation_size`, `pg_partition_tree`, `current_setting` of `block_size`, `greatest`, `least`; `encode`.
// - Tables: `ALTER TABLE … ADD COLUMN`, `CREATE INDEX` with `INCLUDE` or `WHERE`, `gen_random_uuid`, `replace`.
// - Migrating and checking alone: `CREATE SCHEMA`, `GRANT`, `REVOKE … ON ALL TABLES` and `SEQUENCES`, `DO` with `IF`,
//   `to_regclass`, `to_regnamespace`, `regclass`, `regnamespace`, `pg_roles`, `pg_has_role`, `has_table_privilege`, `pg_class`,
//   `pg_constraint`, `pg_index`, `pg_settings`, `lock_timeout`.
