import CSQLite
import Clientless

/// One open connection and its prepared statements, closed when it goes out of scope.
///
/// It is opened without SQLite's own lock: its owner lets one thread in at a time (``Writer`` and ``Reader`` keep
/// theirs in a mutex). Every call may block on the disk.
@safe
package final class SQLiteConnection: RecordSession {
    private var handle: OpaquePointer?
    /// By their texts, which are constants of this target: so their number is bounded by it.
    private var statements: [StatementText: Statement] = [:]
    /// The notes of the transaction under way for the feed of changes.
    var notes = ChangeNotes()
    /// Whether changes were written since the last ``takeKept()``.
    var hasKept = false

    /// Settings of the library, made before its first use in this process.
    private static let libraryIsSet: Bool = latchkey_sqlite3_omit_memory_statistics() == SQLITE_OK

    init(opening file: String) throws(SQLiteFailure) {
        // It can only fail when the library is in use already, and then nothing is lost but some speed.
        _ = Self.libraryIsSet
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(file, &handle, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe handle else {
            let failure = unsafe SQLiteFailure(connection: handle, code: code)
            // "Whether or not an error occurs when it is opened, resources should be released."
            unsafe sqlite3_close_v2(handle)
            throw failure
        }
        unsafe self.handle = opened
    }

    deinit {
        // With statements left this only marks the connection; the last of them, which goes with the cache right
        // after this, closes it.
        unsafe sqlite3_close_v2(self.handle)
    }

    /// Closes now; every later call fails.
    func close() {
        self.statements.removeAll()
        unsafe sqlite3_close_v2(self.handle)
        unsafe self.handle = nil
    }

    /// Sets what holds for every connection. `synchronous=FULL` is the promise of the store: in WAL mode a commit then
    /// returns only after the log was synced.
    func configure(busyTimeout: Duration) throws(SQLiteFailure) {
        let handle = unsafe try self.open()
        let milliseconds = Int32(clamping: busyTimeout.wholeMilliseconds)
        for code in unsafe [
            sqlite3_busy_timeout(handle, milliseconds), latchkey_sqlite3_set_defensive(handle),
            latchkey_sqlite3_name_schema(handle),
        ] where code != SQLITE_OK {
            throw unsafe SQLiteFailure(connection: handle, code: code)
        }
        // "The file is opened read-only if it is write protected by the operating system", without an error.
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else {
            throw SQLiteFailure(code: SQLITE_READONLY, message: "the file may not be written")
        }
        for pragma in [
            "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA foreign_keys = ON",
            "PRAGMA synchronous = FULL", "PRAGMA temp_store = MEMORY", "PRAGMA cache_size = -4096",
            "PRAGMA journal_size_limit = 67108864", "PRAGMA wal_autocheckpoint = 2000",
        ] {
            try self.run(SQL(raw: pragma))
        }
    }

    /// Whether the name of the file is gone, or belongs to another file now: what is written is lost with the connection.
    func isMoved() throws(SQLiteFailure) -> Bool {
        let handle = unsafe try self.open()
        var moved: Int32 = 0
        let code = unsafe sqlite3_file_control(handle, "latchkey", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK else { throw unsafe SQLiteFailure(connection: handle, code: code) }
        return moved != 0
    }

    /// Whether no transaction is under way. SQLite ends one by itself after some errors.
    func isOutsideTransaction() -> Bool {
        guard let handle = unsafe self.handle else { return true }
        return unsafe sqlite3_get_autocommit(handle) != 0
    }

    @discardableResult
    package func run(_ statements: [SQL]) throws(SQLiteFailure) -> [Int] {
        try statements.map { (statement) throws(SQLiteFailure) in try self.run(statement) }
    }

    @discardableResult
    package func run(_ statement: SQL) throws(SQLiteFailure) -> Int {
        let handle = unsafe try self.open()
        try self.withStatement(statement) { (statement) throws(SQLiteFailure) in while try statement.step() {} }
        // Rows of triggers and cascades are not counted.
        return unsafe Int(sqlite3_changes(handle))
    }

    package func all<Value>(
        _ statements: [SQL], _ read: (inout SQLiteRow) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> [Value] {
        var result: [Value] = []
        for sql in statements {
            try self.withStatement(sql) { (statement) throws(SQLiteFailure) in
                while try statement.step() {
                    var row = statement.row
                    result.append(try read(&row))
                }
            }
        }
        return result
    }

    /// Runs `body` in a transaction, in which every read sees the same moment.
    func transaction<Value>(
        beginning: SQL = "BEGIN", _ body: (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try self.run(beginning)
        do {
            let value = try body(self)
            try self.run("COMMIT")
            return value
        } catch {
            if !self.isOutsideTransaction() { _ = try? self.run("ROLLBACK") }
            throw error
        }
    }

    /// The pages of this database, copied in one step to a file that exists and is empty: one snapshot, which writers do
    /// not disturb and which does not stop them. In smaller steps a write between two of them would start the copy anew,
    /// and a busy server would never finish.
    func copyPages(to destination: SQLiteConnection) throws(SQLiteFailure) {
        let (source, target) = try unsafe (self.open(), destination.open())
        guard let backup = unsafe sqlite3_backup_init(target, "main", source, "main") else {
            // "If an error occurs, an error code and message are stored in the destination connection."
            throw unsafe SQLiteFailure(connection: target, code: sqlite3_extended_errcode(target))
        }
        defer { unsafe sqlite3_backup_finish(backup) }
        let code = unsafe sqlite3_backup_step(backup, -1)
        guard code == SQLITE_DONE else { throw unsafe SQLiteFailure(connection: target, code: code) }
    }

    func open() throws(SQLiteFailure) -> OpaquePointer {
        guard let handle = unsafe self.handle else {
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "the store is closed")
        }
        return unsafe handle
    }

    private func withStatement<Value>(
        _ sql: SQL, _ body: (Statement) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        let statement = try self.statement(sql.text)
        defer { statement.reset() }
        try statement.bind(sql.values)
        return try body(statement)
    }

    private func statement(_ text: String) throws(SQLiteFailure) -> Statement {
        if let known = self.statements[StatementText(sql: text)] { return known }
        let new = try unsafe Statement(preparing: text, on: self.open())
        self.statements[StatementText(sql: text)] = new
        return new
    }
}
