import CSQLite
import Glibc

@safe
package struct SQLiteRow: RecordRow {
    private let statement: OpaquePointer
    package var start = 0
    private var next = 0

    /// - Parameter statement: has a row; it is not stepped or reset while this value is in use.
    init(of statement: OpaquePointer) { unsafe self.statement = statement }

    package mutating func advance() -> Int {
        defer { self.next += 1 }
        return self.next
    }

    package func integerIfAny(at place: Int) throws(SQLiteFailure) -> Int64? {
        let column = Int32(clamping: self.start + place)
        switch unsafe sqlite3_column_type(self.statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return unsafe sqlite3_column_int64(self.statement, column)
        default: throw .nonsense("column \(column) is not an integer")
        }
    }

    package func textIfAny(at place: Int) throws(SQLiteFailure) -> String? {
        let column = Int32(clamping: self.start + place)
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
            // A text that is not UTF-8 comes out with other bytes. `String(validating:as:)` is generic, and takes three times as long.
            var text = unsafe String(decoding: bytes, as: UTF8.self)
            let isSame = text.withUTF8 { own in
                guard own.count == bytes.count, let first = own.baseAddress else { return bytes.isEmpty }
                return unsafe memcmp(first, start, own.count) == 0
            }
            guard isSame else { throw .nonsense("column \(column) is not UTF-8") }
            return text
        default:
            throw .nonsense("column \(column) is not a text")
        }
    }

    package func blobIfAny(at place: Int) throws(SQLiteFailure) -> [UInt8]? {
        let column = Int32(clamping: self.start + place)
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
}
