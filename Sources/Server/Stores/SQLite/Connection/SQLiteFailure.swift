import CSQLite
package import Entitlement
import Glibc

/// The error of SQLite or of the system, with the raw codes.
package struct SQLiteFailure: RecordFailure, Hashable {
    /// The extended result code (sqlite.org/rescode.html).
    let code: Int32
    /// `errno` behind it; 0 when the system reported no error.
    var systemError: Int32 = 0
    let message: String
    /// Its kind for callers, when the codes do not say.
    var verdict: StoreError.Code?

    /// A file that is not used as it is.
    static func refused(_ verdict: StoreError.Code, _ message: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_MISMATCH, message: message, verdict: verdict)
    }

    /// A stored value that this program cannot have written.
    package static func nonsense(_ message: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: message)
    }

    static func system(_ error: Int32, _ message: String) -> SQLiteFailure {
        let code =
            switch error {
            case ENOSPC, EDQUOT, EFBIG: SQLITE_FULL
            case EACCES, EPERM, EROFS: SQLITE_READONLY
            // Not SQLITE_CANTOPEN, which SQLite uses where it was not allowed to open.
            default: SQLITE_ERROR
            }
        return SQLiteFailure(code: code, systemError: error, message: message)
    }

    package var storeError: StoreError {
        StoreError(
            self.storeCode, detail: "\(self.message) (SQLite result \(self.code), errno \(self.systemError))")
    }

    private var storeCode: StoreError.Code {
        if let verdict = self.verdict { return verdict }
        // A write that failed because of the space left is reported as an I/O error where SQLite did not expect it,
        // as in the shared-memory file, so the system's reason comes first.
        switch self.systemError {
        case ENOSPC, EDQUOT, EFBIG: return .full
        case EROFS: return .readOnly
        default: break
        }
        // The low byte is the primary result code.
        switch self.code & 0xFF {
        case SQLITE_FULL: return .full
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: return .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
        // Foreign keys and checks cannot fail by a caller's doing; unique keys can.
        case SQLITE_CONSTRAINT: return .conflict
        case SQLITE_IOERR where self.systemError == EACCES: return .readOnly
        // 778, SQLITE_IOERR_WRITE: a commit loses the reason on its way out. A write into the page cache hardly ever
        // fails but for space: a quota, a limit on file sizes. A failing disk shows itself when it is synced.
        case SQLITE_IOERR where self.code == 778 && self.systemError == 0: return .full
        default: return .unavailable
        }
    }
}
