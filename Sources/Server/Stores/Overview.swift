// Stores: Entitlement's store on SQLite and on PostgreSQL.
//
// `Records` has all that is the same of stores that speak SQL. The columns of each record and both ways of their conversion; the
// tables with their keys, from which every schema is made; and the operations, each written once. A statement's values are
// parameters (SQL); tables are in the schema `latchkey` everywhere.
//
// `SQLite` and `PostgreSQL` have connections, transactions, batches and the feed, by conforming to RecordStore, RecordSession and
// RecordRow; their Dialect says what the engines say differently. Each is the only importer of its C library.
//
// It leaves to its neighbours: every rule.
