// StoreRecords: all that is the same of stores that speak SQL. The columns of each record and both ways of their conversion; the
// tables with their keys, from which every schema is made; and the operations, each written once.
//
// It leaves to its neighbours: StoreSQLite and StorePostgres have connections, transactions, batches and the feed, by
// conforming to RecordStore, RecordSession and RecordRow; their Dialect says what the engines say differently. A statement's
// values are parameters (SQL); tables are in the schema `latchkey` everywhere.
