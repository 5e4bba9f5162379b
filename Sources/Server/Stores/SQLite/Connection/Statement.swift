import CSQLite
import Entitlement

/// A prepared statement. The last holder that lets go of it finalizes it. It must not outlive the use of its connection.
@safe
final class Statement {
    private let handle: OpaquePointer

    /// - Parameter sql: exactly one statement.
    init(preparing sql: String, on connection: OpaquePointer) throws(SQLiteFailure) {
        var handle: OpaquePointer?
        // "SQLITE_PREPARE_PERSISTENT is a hint that the statement will be retained for a long time."
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw unsafe SQLiteFailure(connection: connection, code: code) }
        guard let handle = unsafe handle else {
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "a statement without a word of SQL")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe sqlite3_finalize(self.handle) }

    /// Binds copies of `values` to the parameters `?1`, `?2` and so on.
    func bind(_ values: [SQLValue]) throws(SQLiteFailure) {
        precondition(
            unsafe Int(sqlite3_bind_parameter_count(self.handle)) == values.count,
            "a statement has as many values as parameters")
        for index in values.indices {
            let code = unsafe Self.bind(values[index], at: Int32(index + 1), of: self.handle)
            guard code == SQLITE_OK else { throw self.failure(code) }
        }
    }

    private static func bind(_ value: SQLValue, at index: Int32, of handle: OpaquePointer) -> Int32 {
        switch value {
        case .null:
            // So is each parameter after ``reset()``.
            return SQLITE_OK
        case .integer(let integer):
            return unsafe sqlite3_bind_int64(handle, index, integer)
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe latchkey_sqlite3_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
            }
        case .blob(let blob):
            return unsafe blob.withUnsafeBytes { bytes in
                unsafe latchkey_sqlite3_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
            }
        }
    }

    /// - Returns: whether there is a row to read.
    func step() throws(SQLiteFailure) -> Bool {
        let code = unsafe sqlite3_step(self.handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw self.failure(code)
        }
    }

    /// The row to read, until the next step.
    var row: SQLiteRow { unsafe SQLiteRow(of: self.handle) }

    /// Ends the execution, and with it the locks it held, and forgets the values.
    func reset() {
        // The result of reset repeats that of the last step, which was thrown already.
        _ = unsafe sqlite3_reset(self.handle)
        _ = unsafe sqlite3_clear_bindings(self.handle)
    }

    private borrowing func failure(_ code: Int32) -> SQLiteFailure {
        unsafe SQLiteFailure(connection: sqlite3_db_handle(self.handle), code: code)
    }
}

extension SQLiteFailure {
    /// The failure a call on `connection` has just answered with `code`.
    init(connection: OpaquePointer?, code: Int32) {
        guard let connection = unsafe connection else {
            self.init(code: code, message: "no memory for a connection")
            return
        }
        // The text belongs to SQLite and lasts until the next call on the connection; `String` copies it.
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? "no message"
        self.init(
            code: code,
            // Only I/O errors set it; after others it would be an old one.
            systemError: [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xFF)
                ? unsafe sqlite3_system_errno(connection) : 0,
            message: message)
    }
}

/// The text of a prepared statement. Its length is all that is hashed: texts are long, and few are equally so.
struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(self.sql.utf8.count) }
}
