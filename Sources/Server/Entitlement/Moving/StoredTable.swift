/// A table as every store has it that can be moved: names and kinds of columns, whatever else a store adds to them for
/// its own use.
package struct StoredTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case integer, text, blob
        }

        package let name: String
        package let kind: Kind

        package init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

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

    /// The columns that the rows are in the order of.
    package var order: [Column] {
        self.keyLength == 0 ? [Column(name: "sequence", kind: .integer)] : Array(self.columns.prefix(self.keyLength))
    }
}
