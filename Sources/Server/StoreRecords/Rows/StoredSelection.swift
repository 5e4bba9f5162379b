package import Entitlement

/// The question for one page of the rows of a table that is moved, and what its answer becomes.
package struct StoredSelection: Sendable {
    package let sql: String
    package let values: [SQLValue]
    private let place: StoredPlace?
    /// How many of the columns say where a row is; the others are the table's.
    private let orderLength: Int
    private let columns: [StoredTable.Column]

    /// - Parameters:
    ///   - place: that of an earlier page; `nil` for the beginning.
    ///   - prefix: what the store writes before a table's name.
    ///   - sign: what the store writes before a parameter's number.
    package init(
        of table: StoredTable, after place: StoredPlace?, limit: Int, prefix: String = "", _ sign: Character
    ) {
        let order = table.order
        let names = order.map(\.name).joined(separator: ", ")
        self.columns = order + table.columns
        self.orderLength = order.count
        self.place = place
        self.values = (place?.values ?? []).map(SQLValue.init) + [.integer(Int64(max(limit, 0)))]
        let parameters = self.values.indices.map { "\(sign)\($0 + 1)" }
        // The names are constants of the domain.
        let condition = place == nil ? "" : "WHERE (\(names)) > (\(parameters.dropLast().joined(separator: ", ")))"
        self.sql = """
            SELECT \(self.columns.map(\.name).joined(separator: ", ")) FROM \(prefix)\(table.name) \(condition)
                ORDER BY \(names) LIMIT \(parameters[parameters.count - 1])
            """
    }

    /// A row of the answer: its place, and behind it the values of its columns.
    package func row<Row: RecordRow & ~Copyable>(from row: inout Row) throws(Row.Failure) -> [StoredValue] {
        var values: [StoredValue] = []
        for column in self.columns { values.append(try row.storedValue(column.kind)) }
        return values
    }

    package func page(of rows: [[StoredValue]]) -> StoredPage {
        StoredPage(
            rows: rows.map { Array($0.dropFirst(self.orderLength)) },
            place: rows.last.map { StoredPlace(Array($0.prefix(self.orderLength))) } ?? self.place)
    }
}
