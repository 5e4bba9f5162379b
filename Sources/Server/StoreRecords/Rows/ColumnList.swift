/// The columns of one record, named once: their names in SQL, their order in a statement and both directions of the
/// conversion come from this list.
///
/// A record's type switches over the list to write a column, without `default`, and reads each by name. So a new column
/// breaks the build until it is written, and the order of the cases is of no consequence.
package protocol ColumnList: CaseIterable, Hashable, RawRepresentable where RawValue == String, AllCases == [Self] {
    /// `a, b, c`. Kept by each list: it stands in statements that are made for each read.
    static var names: String { get }

    /// The type of the column.
    var type: ColumnType { get }
}

extension ColumnList {
    /// Where the column is in ``names``, from 0.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The list of ``names``.
    package static var joinedNames: String { self.allCases.map(\.rawValue).joined(separator: ", ") }
}
