package import Entitlement

extension RecordStore {
    package var tables: [StoredTable] { Table.all.filter(\.isMoved).map(\.stored) }

    package func rows(
        of table: StoredTable, after place: StoredPlace?, limit: Int
    ) async throws(StoreError) -> StoredPage {
        // The columns that say where a row is, and behind them the table's.
        let order = table.order
        let names = order.map(\.name).joined(separator: ", ")
        let columns = order + table.columns
        let condition: SQL =
            if let place { "WHERE (\(raw: names)) > (\(place.values))" } else { "" }
        // The names are constants of this program.
        let found = try await self.read(
            """
            SELECT \(raw: columns.map(\.name).joined(separator: ", ")) FROM latchkey.\(raw: table.name) \(condition)
                ORDER BY \(raw: names) LIMIT \(max(limit, 0))
            """
        ) { (row) throws(Failure) in
            var values: [StoredValue] = []
            for column in columns { values.append(try row.storedValue(column.kind)) }
            return values
        }
        return StoredPage(
            rows: found.map { Array($0.dropFirst(order.count)) },
            place: found.last.map { StoredPlace(Array($0.prefix(order.count))) } ?? place)
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError) {
        let names = table.columns.map(\.name).joined(separator: ", ")
        var statements = rows.map { row -> SQL in
            "INSERT INTO latchkey.\(raw: table.name) (\(raw: names)) VALUES (\(row))"
        }
        // The raw data of these codes were not looked at by any purge of this store.
        if table.name == Table.codes.name { statements.append("UPDATE latchkey.store_state SET cleared_until = 0") }
        let insertions = statements
        _ = try await self.write([], isLong: true) { (session) throws(Failure) in try session.run(insertions) }
    }
}
