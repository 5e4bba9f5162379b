// StoreSQLite: Entitlement's store on SQLite. One writer with group commit, parallel readers, migrations in
// order. The only importer of CSQLite.
//
// It leaves to its neighbours: every rule, and nearly every statement (StoreRecords). It has what only this engine needs.
