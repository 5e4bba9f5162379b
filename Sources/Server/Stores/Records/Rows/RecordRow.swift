import Clientless
package import Entitlement

/// One row of an answer, read from the left or by the names of a ``ColumnList``.
///
/// A reader of a record knows its columns but not the kind of row, so each value costs a call of these functions. The
/// code between them and a record is inlined there, or every column would be looked for in its list by further such
/// calls.
package protocol RecordRow: SendableMetatype {
    associatedtype Failure: RecordFailure

    /// The place of the next column from the left, which counts as read from then on.
    mutating func advance() -> Int

    /// The place of the first column of the record that is read, from 0.
    var start: Int { get set }

    // `nil` for NULL. Places are counted from ``start``.
    func integerIfAny(at place: Int) throws(Failure) -> Int64?
    func textIfAny(at place: Int) throws(Failure) -> String?
    func blobIfAny(at place: Int) throws(Failure) -> [UInt8]?
}

package protocol RecordFailure: Error {
    /// A stored value that this program cannot have written.
    static func nonsense(_ message: String) -> Self

    var storeError: StoreError { get }
}

extension RecordFailure {
    /// Runs `body`, whose failure the domain takes as ``storeError``.
    static func told<Value>(_ body: () throws(Self) -> Value) throws(StoreError) -> Value {
        do throws(Self) {
            return try body()
        } catch {
            throw error.storeError
        }
    }
}

/// The values of the domain. A text that does not have the form that was checked before it was stored is damage.
extension RecordRow {
    @inline(__always)
    func value<Value: SQLConvertible>(_ column: some ColumnList) throws(Failure) -> Value {
        try self.value(at: column.place)
    }

    /// - Returns: `nil` for NULL.
    @inline(__always)
    func valueIfAny<Value: SQLConvertible>(_ column: some ColumnList) throws(Failure) -> Value? {
        try Value.read(self, at: column.place)
    }

    /// The next value from the left.
    package mutating func value<Value: SQLConvertible>() throws(Failure) -> Value {
        return try self.value(at: self.advance())
    }

    /// - Returns: `nil` for NULL.
    package mutating func valueIfAny<Value: SQLConvertible>() throws(Failure) -> Value? {
        return try Value.read(self, at: self.advance())
    }

    package mutating func integer() throws(Failure) -> Int64 { try self.value() }
    package mutating func text() throws(Failure) -> String { try self.value() }

    @inline(__always)
    private func value<Value: SQLConvertible>(at place: Int) throws(Failure) -> Value {
        guard let value = try Value.read(self, at: place) else { throw Self.missing(place) }
        return value
    }

    @inline(never)
    private static func missing(_ place: Int) -> Failure { .nonsense("column \(place) is missing") }

    /// A value as it is carried to another store.
    mutating func storedValue(_ kind: StoredTable.Kind) throws(Failure) -> StoredValue {
        let place = self.advance()
        return switch kind {
        case .integer: try self.integerIfAny(at: place).map { .integer($0) } ?? .null
        case .text: try self.textIfAny(at: place).map { .text($0) } ?? .null
        case .blob: try self.blobIfAny(at: place).map { .blob($0) } ?? .null
        }
    }

    /// Goes on with the record whose columns follow those of `columns`.
    mutating func begin(after columns: (some ColumnList).Type) { self.start += columns.allCases.count }
}

/// The columns of one record, named once: their names in SQL, their order in a statement and both directions of the
/// conversion come from this list.
///
/// A record's type switches over the list to write a column, without `default`, and reads each by name. So a new column
/// breaks the build until it is written, and the order of the cases is of no consequence.
package protocol ColumnList: CaseIterable, Hashable, RawRepresentable
where RawValue == String, AllCases == [Self] {
    associatedtype Record

    /// Kept by each list: it stands in statements that are made for each read.
    static var listed: Listed<Self> { get }

    /// The column's type, and its value of a record.
    var field: Field<Record> { get }
}

package struct Listed<Columns: ColumnList>: Sendable {
    package let names = Columns.allCases.map(\.rawValue).joined(separator: ", ")
    fileprivate let fields = Columns.allCases.map(\.field)
    fileprivate let insertion: String

    /// - Parameters:
    ///   - table: has a row for each record; empty for a list of which statements of its own tell.
    ///   - conflict: what becomes of a record whose key is taken.
    init(_ table: String = "", _ conflict: String = "") {
        let values = (1...Columns.allCases.count).map { "$\($0)" }.joined(separator: ", ")
        self.insertion = "INSERT INTO latchkey.\(table) (\(self.names)) VALUES (\(values)) \(conflict)"
    }
}

/// The type of a column, and its value of a record.
package struct Field<Record>: Sendable {
    package let type: ColumnType
    fileprivate let value: @Sendable (Record) -> SQLValue

    init<Value: SQLConvertible>(_ value: @escaping @Sendable (Record) -> Value) {
        self.type = ColumnType(kind: Value.kind, isOptional: false)
        self.value = { value($0).sqlValue }
    }

    init<Value: SQLConvertible>(_ value: @escaping @Sendable (Record) -> Value?) {
        self.type = ColumnType(kind: Value.kind, isOptional: true)
        self.value = { value($0)?.sqlValue ?? .null }
    }
}

extension ColumnList {
    package static var names: String { self.listed.names }

    package static func values(of record: Record) -> [SQLValue] { self.listed.fields.map { $0.value(record) } }

    /// Keeps `record` in a row of its own. The text is long, and made once.
    static func insertion(of record: Record) -> SQL { SQL(raw: self.listed.insertion, self.values(of: record)) }

    package var type: ColumnType { self.field.type }

    func value(of record: Record) -> SQLValue { self.field.value(record) }

    /// The column's place in ``names``, from 0.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
