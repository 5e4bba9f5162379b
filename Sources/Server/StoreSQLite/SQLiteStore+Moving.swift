import Clientless
package import Entitlement

extension SQLiteStore: MovableStore {
    package func rows(
        of table: StoredTable, after place: StoredPlace?, limit: Int
    ) async throws(StoreError) -> StoredPage {
        let order = table.order
        let names = order.map(\.name).joined(separator: ", ")
        // The names are constants of the domain.
        let condition = place.map { place in
            "WHERE (\(names)) > (\((1...place.values.count).map { "?\($0)" }.joined(separator: ", ")))"
        }
        let read = order + table.columns
        let sql = """
            SELECT \(read.map(\.name).joined(separator: ", ")) FROM \(table.name) \(condition ?? "")
                ORDER BY \(names) LIMIT ?\((place?.values.count ?? 0) + 1)
            """
        let values = (place?.values ?? []).map(SQLValue.init) + [.integer(Int64(max(limit, 0)))]
        let rows = try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(sql, values) { (row) throws(SQLiteFailure) in
                var values: [StoredValue] = []
                for column in read { values.append(try row.storedValue(column.kind)) }
                return values
            }
        }
        return StoredPage(
            rows: rows.map { Array($0.dropFirst(order.count)) },
            place: rows.last.map { StoredPlace(Array($0.prefix(order.count))) } ?? place)
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError) {
        var names = table.columns.map(\.name)
        let device = table == .codes ? names.firstIndex(of: CodeColumn.device.rawValue) : nil
        if device != nil { names.append(CodeColumn.deviceKey.rawValue) }
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

extension SQLValue {
    fileprivate init(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}

extension Row {
    fileprivate mutating func storedValue(_ kind: StoredTable.Column.Kind) throws(SQLiteFailure) -> StoredValue {
        switch kind {
        case .integer: try self.integerIfAny().map { .integer($0) } ?? .null
        case .text: try self.textIfAny().map { .text($0) } ?? .null
        case .blob: try self.blobIfAny().map { .blob($0) } ?? .null
        }
    }
}
