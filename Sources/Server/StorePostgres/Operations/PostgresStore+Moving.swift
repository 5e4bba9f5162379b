package import Entitlement

extension PostgresStore: MovableStore {
    package func rows(
        of table: StoredTable, after place: StoredPlace?, limit: Int
    ) async throws(StoreError) -> StoredPage {
        let order = table.order
        let names = order.map(\.name).joined(separator: ", ")
        // The names are constants of the domain.
        let condition = place.map { place in
            "WHERE (\(names)) > (\((1...place.values.count).map { "$\($0)" }.joined(separator: ", ")))"
        }
        let read = order + table.columns
        let sql = """
            SELECT \(read.map(\.name).joined(separator: ", ")) FROM latchkey.\(table.name) \(condition ?? "")
                ORDER BY \(names) LIMIT $\((place?.values.count ?? 0) + 1)
            """
        let values = (place?.values ?? []).map(SQLValue.init) + [.integer(Int64(max(limit, 0)))]
        let rows = try await self.read(sql, values) { (row) throws(PostgresFailure) -> [StoredValue] in
            var values: [StoredValue] = []
            for column in read { values.append(try row.storedValue(column.kind)) }
            return values
        }
        return StoredPage(
            rows: rows.map { Array($0.dropFirst(order.count)) },
            place: rows.last.map { StoredPlace(Array($0.prefix(order.count))) } ?? place)
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
    fileprivate mutating func storedValue(_ kind: StoredTable.Column.Kind) throws(PostgresFailure) -> StoredValue {
        switch kind {
        case .integer: try self.integerIfAny().map { .integer($0) } ?? .null
        case .text: try self.textIfAny().map { .text($0) } ?? .null
        case .blob: try self.blobIfAny().map { .blob($0) } ?? .null
        }
    }
}
