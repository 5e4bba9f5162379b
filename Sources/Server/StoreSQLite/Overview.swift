// StoreSQLite: Entitlement's store on SQLite. One writer with group commit, parallel readers, migrations in
// order. The only importer of CSQLite.
//
// It leaves to its neighbours: every rule, and what a record is as a row (StoreRecords). It compares, swaps, keeps and
// finds.
