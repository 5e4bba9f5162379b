/// The columns of one record, named once: their names in SQL, their order in a statement and both directions of the
/// conversion come from this list.
///
/// A record's type switches over the list to write a column, without `default`, and reads each by name. So a new column
/// breaks the build until it is written, and the order of the cases is of no consequence.
protocol ColumnList: CaseIterable, Hashable, RawRepresentable where RawValue == String, AllCases == [Self] {}

extension ColumnList {
    /// Where the column is in ``names``, from 0.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// `a, b, c`
    static var names: String { self.allCases.map(\.rawValue).joined(separator: ", ") }

    /// `$1, $2, $3`
    static var placeholders: String { (1...self.allCases.count).map { "$\($0)" }.joined(separator: ", ") }
}

/// The typed values of columns by name.
extension Row {
    mutating func integer(_ column: some ColumnList) throws(PostgresFailure) -> Int64 {
        self.go(to: column)
        return try self.integer()
    }

    mutating func text(_ column: some ColumnList) throws(PostgresFailure) -> String {
        self.go(to: column)
        return try self.text()
    }

    mutating func textIfAny(_ column: some ColumnList) throws(PostgresFailure) -> String? {
        self.go(to: column)
        return try self.textIfAny()
    }

    mutating func blob(_ column: some ColumnList) throws(PostgresFailure) -> [UInt8] {
        self.go(to: column)
        return try self.blob()
    }

    mutating func blobIfAny(_ column: some ColumnList) throws(PostgresFailure) -> [UInt8]? {
        self.go(to: column)
        return try self.blobIfAny()
    }
}
