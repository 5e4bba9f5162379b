// StoreRecords: the domain's records as rows, for every store that speaks SQL. Which columns a record has and in which
// order, what value each is given, and how the record is read again.
//
// It leaves to its neighbours: StoreSQLite and StorePostgres have the statements, the columns that only one of them has, and
// what gives a row. They name theirs by conforming to RecordRow; each column that is read costs one call of it.
