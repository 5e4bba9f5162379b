package import Entitlement
import StoreRecords

extension PostgresStore: MovableStore {
    package func rows(
        of table: StoredTable, after place: StoredPlace?, limit: Int
    ) async throws(StoreError) -> StoredPage {
        let selection = StoredSelection(of: table, after: place, limit: limit, prefix: "latchkey.", "$")
        let rows = try await self.read(selection.sql, selection.values) { (row) throws(PostgresFailure) in
            try selection.row(from: &row)
        }
        return selection.page(of: rows)
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError) {
        let names = table.columns.map(\.name)
        let insertion = """
            INSERT INTO latchkey.\(table.name) (\(names.joined(separator: ", ")))
                VALUES (\((1...names.count).map { "$\($0)" }.joined(separator: ", ")))
            """
        try await self.write([], isLong: true) { (session) throws(PostgresFailure) -> Void in
            var tickets: [Ticket] = []
            for row in rows { tickets.append(try session.send(insertion, row.map(SQLValue.init))) }
            // The raw data of these codes were not looked at by any purge of this store.
            if table == .codes { tickets.append(try session.send("UPDATE latchkey.store_state SET cleared_until = 0")) }
            for ticket in tickets { _ = try session.count(of: ticket) }
        }
    }
}
