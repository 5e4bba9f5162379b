import CSQLite
import Clientless
import Glibc
import StoreRecords

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
}
