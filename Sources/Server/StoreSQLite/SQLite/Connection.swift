import CSQLite
import Clientless
import StoreRecords

/// One open connection and its prepared statements, closed when it goes out of scope.
///
/// It is opened without SQLite's own lock: its owner lets one thread in at a time (``Writer`` and ``Reader`` keep
/// theirs in a mutex). Every call may block on the disk.
@safe
struct Connection: ~Copyable {
    private var handle: OpaquePointer?
    private let statements = StatementCache()
    /// What its transactions tell the feed.
    let notes = FeedNotes()

    /// Settings of the library, made before its first use in this process.
    private static let libraryIsSet: Bool = latchkey_sqlite3_omit_memory_statistics() == SQLITE_OK

    /// Opens an existing file for reading and writing.
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
    mutating func close() {
        self.statements.removeAll()
        unsafe sqlite3_close_v2(self.handle)
        unsafe self.handle = nil
    }

    /// Sets what holds for every connection. `synchronous=FULL` is the promise of the store: in WAL mode a commit then
    /// returns only after the log was synced.
    borrowing func configure(busyTimeout: Duration) throws(SQLiteFailure) {
        let handle = unsafe try self.open()
        let milliseconds = Int32(clamping: busyTimeout.wholeMilliseconds)
        for code in unsafe [
            sqlite3_busy_timeout(handle, milliseconds), latchkey_sqlite3_set_defensive(handle),
        ] where code != SQLITE_OK {
            throw unsafe SQLiteFailure(connection: handle, code: code)
        }
        // "The file is opened read-only if it is write protected by the operating system", without an error.
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else {
            throw SQLiteFailure(code: SQLITE_READONLY, message: "the file may not be written")
        }
        for pragma in [
            "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA foreign_keys = ON",
            "PRAGMA synchronous = FULL", "PRAGMA temp_store = MEMORY", "PRAGMA cache_size = -8192",
            "PRAGMA journal_size_limit = 67108864",
        ] {
            try self.run(pragma)
        }
    }

    /// Whether no transaction is under way. SQLite ends one by itself after some errors.
    borrowing func isOutsideTransaction() -> Bool {
        guard let handle = unsafe self.handle else { return true }
        return unsafe sqlite3_get_autocommit(handle) != 0
    }

    /// Runs a statement to its end.
    /// - Returns: the rows a change changed, those of triggers and cascades not counted.
    @discardableResult
    borrowing func run(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteFailure) -> Int {
        let handle = unsafe try self.open()
        try self.withStatement(sql, values) { (statement) throws(SQLiteFailure) in
            while try statement.step() {}
        }
        return unsafe Int(sqlite3_changes(handle))
    }

    /// Runs a statement and reads its first row, if there is one.
    borrowing func first<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (inout Row) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value? {
        try self.withStatement(sql, values) { (statement) throws(SQLiteFailure) -> Value? in
            guard try statement.step() else { return nil }
            let value = try statement.readRow(read)
            // A change with RETURNING is complete only when it was stepped to its end.
            while try statement.step() {}
            return value
        }
    }

    /// Runs a statement and reads all its rows.
    borrowing func all<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (inout Row) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> [Value] {
        try self.withStatement(sql, values) { (statement) throws(SQLiteFailure) -> [Value] in
            var result: [Value] = []
            while try statement.step() { result.append(try statement.readRow(read)) }
            return result
        }
    }

    /// Lets every read of `body` see the same moment.
    borrowing func snapshot<Value>(
        _ body: (borrowing Connection) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try self.run("BEGIN")
        do {
            let value = try body(self)
            try self.run("COMMIT")
            return value
        } catch {
            if !self.isOutsideTransaction() { _ = try? self.run("ROLLBACK") }
            throw error
        }
    }

    /// The pages of this database, copied in one go to a file that exists and is empty.
    borrowing func copyPages(to destination: borrowing Connection) throws(SQLiteFailure) {
        let backup = try unsafe Backup(from: self.open(), to: destination.open())
        try backup.copyAll()
    }

    private borrowing func open() throws(SQLiteFailure) -> OpaquePointer {
        guard let handle = unsafe self.handle else {
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "the store is closed")
        }
        return unsafe handle
    }

    private borrowing func withStatement<Value>(
        _ sql: String, _ values: [SQLValue], _ body: (borrowing Statement) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        let cached = try unsafe self.statements.statement(sql, on: self.open())
        defer { cached.statement.reset() }
        try cached.statement.bind(values)
        return try body(cached.statement)
    }
}
