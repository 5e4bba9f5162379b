import CSQLite

/// The row a statement stands on, read from the left or by the names of a ``ColumnList``.
@safe
struct Row: ~Copyable {
    private let statement: OpaquePointer
    private var next: Int32 = 0

    /// - Parameter statement: has a row; it is not stepped or reset while this value is in use.
    init(of statement: OpaquePointer) {
        unsafe self.statement = statement
    }

    /// Goes to a column; what is read next is its value.
    mutating func go<Column: ColumnList>(to column: Column) {
        self.next = Int32(column.place)
    }

    private mutating func advance() -> Int32 {
        defer { self.next += 1 }
        return self.next
    }

    mutating func integerIfAny() throws(SQLiteFailure) -> Int64? {
        let column = self.advance()
        switch unsafe sqlite3_column_type(self.statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return unsafe sqlite3_column_int64(self.statement, column)
        default: throw .nonsense("column \(column) is not an integer")
        }
    }

    mutating func textIfAny() throws(SQLiteFailure) -> String? {
        let column = self.advance()
        switch unsafe sqlite3_column_type(self.statement, column) {
        case SQLITE_NULL:
            return nil
        case SQLITE_TEXT:
            // The pointer is asked for before the length, as the manual orders, and both before anything else.
            guard let start = unsafe sqlite3_column_text(self.statement, column) else {
                throw SQLiteFailure(code: SQLITE_NOMEM, message: "no memory for a column")
            }
            let bytes = unsafe UnsafeBufferPointer(
                start: start, count: Int(sqlite3_column_bytes(self.statement, column)))
            guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
                throw .nonsense("column \(column) is not UTF-8")
            }
            return text
        default:
            throw .nonsense("column \(column) is not a text")
        }
    }

    mutating func blobIfAny() throws(SQLiteFailure) -> [UInt8]? {
        let column = self.advance()
        switch unsafe sqlite3_column_type(self.statement, column) {
        case SQLITE_NULL:
            return nil
        case SQLITE_BLOB:
            // "The return value for a zero-length BLOB is a NULL pointer."
            guard let start = unsafe sqlite3_column_blob(self.statement, column) else { return [] }
            return unsafe Array(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(self.statement, column))))
        default:
            throw .nonsense("column \(column) is not a blob")
        }
    }

    mutating func integer() throws(SQLiteFailure) -> Int64 {
        guard let value = try self.integerIfAny() else { throw .nonsense("column \(self.next - 1) is missing") }
        return value
    }

    mutating func text() throws(SQLiteFailure) -> String {
        guard let value = try self.textIfAny() else { throw .nonsense("column \(self.next - 1) is missing") }
        return value
    }

    mutating func blob() throws(SQLiteFailure) -> [UInt8] {
        guard let value = try self.blobIfAny() else { throw .nonsense("column \(self.next - 1) is missing") }
        return value
    }
}
