package import Entitlement

/// A table that every store has: its columns, what its rows are known by, and what finds them.
package struct Table: Sendable {
    package let name: String
    package let columns: [TableColumn]
    /// The columns of the primary key; empty for a table whose rows are known by a number, `sequence`, which counts them in the
    /// order in which they were kept.
    let key: [String]
    var unique: [[String]] = []
    /// A row goes with the row of the other table that has the same values in these columns.
    var owner: (columns: [String], table: String, key: [String])?
    var indexes: [TableIndex] = []
    /// Whether a move to another store carries the rows; it does not carry what belongs to one life of the data.
    var isMoved = true

    init(_ name: String, _ columns: [TableColumn], key: [String] = []) {
        self.name = name
        self.columns = columns
        self.key = key
    }

    init<Columns: ColumnList>(_ name: String, _: Columns.Type, key: [Columns] = []) {
        let columns = Columns.allCases.map { TableColumn(name: $0.rawValue, type: $0.type) }
        self.init(name, columns, key: key.map(\.rawValue))
    }

    var order: String { self.key.isEmpty ? "sequence" : self.key.joined(separator: ", ") }

    /// The table as the domain moves it: the columns of the key first.
    package var stored: StoredTable {
        let first = self.key.compactMap { name in self.columns.first { $0.name == name } }
        let columns = first + self.columns.filter { !self.key.contains($0.name) }
        return StoredTable(
            self.name, keyLength: self.key.count,
            columns.map { (name: $0.name, kind: $0.type.kind) })
    }

    /// The statement that adds a column to a table of an older program.
    package func adding(_ column: some ColumnList, _ dialect: Dialect) -> String {
        "ALTER TABLE \(dialect.prefix)\(self.name) ADD COLUMN \(column.rawValue) \(dialect.name(of: column.type))"
    }

    /// The statements that make it.
    /// - Parameter later: the columns that a later step of the schema adds.
    package func making(_ dialect: Dialect, without later: Set<String> = []) -> [String] {
        var parts = self.columns.filter { !later.contains($0.name) }.map { "\($0.name) \(dialect.name(of: $0.type))" }
        if self.key.isEmpty {
            parts.insert(dialect.sequence, at: 0)
        } else {
            parts.append("PRIMARY KEY (\(self.key.joined(separator: ", ")))")
        }
        parts += self.unique.map { "UNIQUE (\($0.joined(separator: ", ")))" }
        if let (columns, table, key) = self.owner {
            parts.append(
                """
                FOREIGN KEY (\(columns.joined(separator: ", ")))
                    REFERENCES \(dialect.prefix)\(table) (\(key.joined(separator: ", "))) ON DELETE CASCADE
                """)
        }
        let ending = self.key.isEmpty ? dialect.endingOfSequence : dialect.endingOfKey
        let table =
            "CREATE TABLE \(dialect.prefix)\(self.name) (\n    \(parts.joined(separator: ",\n    "))\n)\(ending)"
        return [table] + self.indexes.map { $0.making(of: self.name, dialect) }
    }
}

package struct TableColumn: Sendable {
    package let name: String
    package let type: ColumnType
}

/// The type of a column: one of three kinds, or nothing where that is allowed.
package struct ColumnType: Hashable, Sendable {
    package let kind: StoredTable.Kind
    package let isOptional: Bool

    static let text = ColumnType(kind: .text, isOptional: false)
    static let integer = ColumnType(kind: .integer, isOptional: false)
    static let blob = ColumnType(kind: .blob, isOptional: false)
}

struct TableIndex: Sendable {
    /// Behind the table's name.
    let name: String
    let columns: [String]
    /// The column without which a row is not in it.
    var partial: String?
    /// A column that is in it as well, without ordering by it where the engine can do that.
    var including: String?

    func making(of table: String, _ dialect: Dialect) -> String {
        let others = self.including.map { [$0] } ?? []
        let columns = (self.columns + (dialect.includesColumns ? [] : others)).joined(separator: ", ")
        let included = dialect.includesColumns ? others.map { " INCLUDE (\($0))" }.joined() : ""
        let condition = self.partial.map { " WHERE \($0) IS NOT NULL" } ?? ""
        return "CREATE INDEX \(table)_\(self.name) ON \(dialect.prefix)\(table) (\(columns))\(included)\(condition)"
    }
}

package struct Dialect: Sendable {
    /// In front of the name of a table that is made; statements on rows name the schema in every store.
    let prefix: String
    let text: String
    let integer: String
    let blob: String
    /// The column that counts the rows of a table without a key.
    let sequence: String
    var endingOfSequence = ""
    var endingOfKey = ""
    /// Whether an index may hold a column that it is not in the order of.
    var includesColumns = false
    /// Behind a question for a row: it does not go before the end of the transaction.
    var keyShare = ""
    /// Behind a question for rows: those that another transaction changes are passed over.
    var skipLocked = ""
    let hexOfDevice: String

    func name(of type: ColumnType) -> String {
        let name =
            switch type.kind {
            case .text: self.text
            case .integer: self.integer
            case .blob: self.blob
            }
        return type.isOptional ? name : "\(name) NOT NULL"
    }
}
