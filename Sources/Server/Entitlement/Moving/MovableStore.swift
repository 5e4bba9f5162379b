/// A store whose rows can be carried to a store of another kind, and back.
package protocol MovableStore: ChangeFeed, Housekeeping {
    /// The tables that are moved: the audit log, then those that others refer to first. They leave out what belongs to
    /// one life of the data: the feed of changes, leases, marks of purges.
    var tables: [StoredTable] { get }

    /// The rows of a table behind a place, in the table's order, at most `limit`.
    /// - Parameter place: that of an earlier page; `nil` for the beginning.
    func rows(of table: StoredTable, after place: [StoredValue]?, limit: Int) async throws(StoreError) -> StoredPage

    /// Keeps rows as they are, all or none, behind those that the table has. The feed does not tell of them.
    /// - Throws: `.conflict` when a row has the key of one that is there.
    func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError)
}

package enum StoredValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Whether both are the same to the byte; texts that only look alike are not.
    package func isSame(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        case (.null, _), (.integer, _), (.text, _), (.blob, _): false
        }
    }
}

/// Some rows of a table, one after the other, each with a value for every column of ``StoredTable/columns``; and the place
/// of the last, which is the values that order the table. Without a row that is the place that was asked about.
package typealias StoredPage = (rows: [[StoredValue]], place: [StoredValue]?)

/// A table as every store has it that can be moved: names and kinds of columns, whatever else a store adds to them for
/// its own use.
package struct StoredTable: Sendable {
    package enum Kind: Hashable, Sendable {
        case integer, text, blob
    }

    package typealias Column = (name: String, kind: Kind)

    package let name: String
    /// How many columns, the first ones, are the key, in whose order the rows are; 0 for a table whose rows are in the
    /// order in which they were kept, which its column `sequence` says.
    package let keyLength: Int
    package let columns: [Column]

    package init(_ name: String, keyLength: Int, _ columns: [Column]) {
        self.name = name
        self.keyLength = keyLength
        self.columns = columns
    }

    package var order: [Column] {
        self.keyLength == 0 ? [("sequence", .integer)] : Array(self.columns.prefix(self.keyLength))
    }
}
