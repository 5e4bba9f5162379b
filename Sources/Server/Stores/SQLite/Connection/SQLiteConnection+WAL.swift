import CSQLite
import Clientless
import Glibc

extension SQLiteConnection {
    /// Puts the file in WAL mode.
    ///
    /// The switch needs the file alone and does not wait by itself, so programs that open a new file at the same
    /// moment try in turns until `patience` is over.
    func switchToWAL(patience: Duration) throws(SQLiteFailure) {
        let pause: Duration = .milliseconds(20)
        var waited: Duration = .zero
        while true {
            do throws(SQLiteFailure) {
                let mode = try self.first("PRAGMA journal_mode = WAL") { (row) throws(SQLiteFailure) in
                    try row.text()
                }
                guard mode == "wal" else {
                    throw SQLiteFailure(code: SQLITE_CANTOPEN, message: "the file system cannot hold a shared log")
                }
                return
            } catch let error where error.code & 0xFF == SQLITE_BUSY && waited < patience {
                usleep(UInt32(pause.wholeMilliseconds * 1000))
                waited += pause
            }
        }
    }

    /// Puts the file out of WAL mode, so that it is one file, without a log beside it.
    func leaveWAL() throws(SQLiteFailure) {
        _ = try self.first("PRAGMA journal_mode = DELETE") { (row) throws(SQLiteFailure) in try row.text() }
    }

    /// Whether the log beside the file is of another one: the file is a copy that no program has put in WAL mode yet.
    ///
    /// The caller asks a new connection: its first statement would take what is in the log for the file's own.
    func hasForeignLog() throws(SQLiteFailure) -> Bool {
        let handle = unsafe try self.open()
        guard let path = unsafe sqlite3_db_filename(handle, "main") else { return false }
        // Looked for first: a program that puts the copy in WAL mode now makes the log later.
        var log = stat()
        guard unsafe stat(String(cString: path) + "-wal", &log) == 0, log.st_size > 0 else { return false }
        // The format's version for writers is the byte at 18: 1 for rollback journals, 2 for WAL
        // (sqlite.org/fileformat2.html, 1.3.3).
        var heading = [UInt8](repeating: 0, count: 19)
        let code = unsafe latchkey_sqlite3_read_heading(handle, &heading, Int32(heading.count))
        return code == SQLITE_OK && heading[18] == 1
    }
}
