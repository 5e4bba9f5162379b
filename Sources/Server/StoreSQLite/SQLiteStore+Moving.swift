import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore: MovableStore {
    package func rows(
        of table: StoredTable, after place: StoredPlace?, limit: Int
    ) async throws(StoreError) -> StoredPage {
        let selection = StoredSelection(of: table, after: place, limit: limit, "?")
        let rows = try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(selection.sql, selection.values) { (row) throws(SQLiteFailure) in
                try selection.row(from: &row)
            }
        }
        return selection.page(of: rows)
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError) {
        var names = table.columns.map(\.name)
        let device = table == .codes ? names.firstIndex(of: CodeColumn.device.rawValue) : nil
        if device != nil { names.append(CodeColumn.deviceKey) }
        let insertion = """
            INSERT INTO \(table.name) (\(names.joined(separator: ", ")))
                VALUES (\((1...names.count).map { "?\($0)" }.joined(separator: ", ")))
            """
        try await self.write { (connection) throws(SQLiteFailure) in
            for row in rows {
                var values = row.map(SQLValue.init)
                if let device, case .blob(let bytes) = row[device] {
                    values.append(.integer(CodeColumn.key(of: DeviceHash(bytes: bytes))))
                }
                try connection.run(insertion, values)
            }
            // The raw data of these codes were not looked at by any purge of this store.
            if device != nil { try connection.run("UPDATE store_state SET cleared_until = 0") }
        }
    }
}
