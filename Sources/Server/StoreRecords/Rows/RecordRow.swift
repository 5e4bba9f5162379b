/// One row of an answer, read from the left or by the names of a ``ColumnList``.
///
/// A reader of a record knows its columns but not the kind of row, so each value costs a call of these functions. The
/// code between them and a record is inlined there, or every column would be looked for in its list by further such
/// calls.
package protocol RecordRow: SendableMetatype {
    associatedtype Failure: RecordFailure

    /// The place of the next column from the left, which counts as read from then on.
    mutating func advance() -> Int

    // `nil` for NULL. Places are counted from 0.
    func integerIfAny(at place: Int) throws(Failure) -> Int64?
    func textIfAny(at place: Int) throws(Failure) -> String?
    func blobIfAny(at place: Int) throws(Failure) -> [UInt8]?
}

/// Why a row could not be read.
package protocol RecordFailure: Error {
    /// A stored value that this program cannot have written.
    static func nonsense(_ message: String) -> Self
}

/// Values that are there.
extension RecordRow {
    @inline(__always)
    func integer(at place: Int) throws(Failure) -> Int64 {
        guard let value = try self.integerIfAny(at: place) else { throw Self.missing(place) }
        return value
    }

    @inline(__always)
    func text(at place: Int) throws(Failure) -> String {
        guard let value = try self.textIfAny(at: place) else { throw Self.missing(place) }
        return value
    }

    @inline(__always)
    func blob(at place: Int) throws(Failure) -> [UInt8] {
        guard let value = try self.blobIfAny(at: place) else { throw Self.missing(place) }
        return value
    }

    @inline(never)
    private static func missing(_ place: Int) -> Failure { .nonsense("column \(place) is missing") }
}

/// Values from the left.
extension RecordRow {
    package mutating func integer() throws(Failure) -> Int64 { try self.integer(at: self.advance()) }

    package mutating func integerIfAny() throws(Failure) -> Int64? { try self.integerIfAny(at: self.advance()) }

    package mutating func text() throws(Failure) -> String { try self.text(at: self.advance()) }

    package mutating func textIfAny() throws(Failure) -> String? { try self.textIfAny(at: self.advance()) }

    package mutating func blob() throws(Failure) -> [UInt8] { try self.blob(at: self.advance()) }

    package mutating func blobIfAny() throws(Failure) -> [UInt8]? { try self.blobIfAny(at: self.advance()) }
}

/// Values by the names of their columns.
extension RecordRow {
    @inline(__always)
    package func integer(_ column: some ColumnList) throws(Failure) -> Int64 { try self.integer(at: column.place) }

    @inline(__always)
    package func text(_ column: some ColumnList) throws(Failure) -> String { try self.text(at: column.place) }

    @inline(__always)
    package func textIfAny(_ column: some ColumnList) throws(Failure) -> String? {
        try self.textIfAny(at: column.place)
    }

    @inline(__always)
    package func blob(_ column: some ColumnList) throws(Failure) -> [UInt8] { try self.blob(at: column.place) }

    @inline(__always)
    package func blobIfAny(_ column: some ColumnList) throws(Failure) -> [UInt8]? {
        try self.blobIfAny(at: column.place)
    }
}

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
    /// The column's place in ``names``, from 0.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The list of ``names``.
    package static var joinedNames: String { self.allCases.map(\.rawValue).joined(separator: ", ") }
}
