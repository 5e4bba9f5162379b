import CPostgres

/// One answer of the server, cleared when it goes out of scope.
@safe
struct QueryResult: ~Copyable {
    enum Kind: Hashable {
        /// The statement was done.
        case done
        /// The end of a pipeline.
        case synchronized
        /// Not looked at, because a statement before it in the pipeline failed.
        case skipped
        case failed
    }

    private let handle: OpaquePointer

    /// Takes ownership of what `PQgetResult` returned.
    init(adopting handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit { unsafe PQclear(self.handle) }

    borrowing func kind() -> Kind {
        let status = unsafe PQresultStatus(self.handle)
        if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return .done }
        if status == PGRES_PIPELINE_SYNC { return .synchronized }
        if status == PGRES_PIPELINE_ABORTED { return .skipped }
        return .failed
    }

    borrowing func failure() -> PostgresFailure {
        let state = unsafe String(cString: latchkey_pq_state(self.handle))
        let message = unsafe String(cString: latchkey_pq_message(self.handle))
        return PostgresFailure(kind: state.isEmpty ? .connection : .statement, state: state, message: message)
    }

    borrowing func rowCount() -> Int { unsafe Int(PQntuples(self.handle)) }

    /// The rows that a change changed or a query found.
    borrowing func changedCount() -> Int {
        // "PQcmdTuples returns the number of rows affected", as text; empty for other commands.
        guard let text = unsafe PQcmdTuples(self.handle) else { return 0 }
        return unsafe Int(String(cString: text)) ?? 0
    }

    /// The bytes of a value, which stands in a row that is there; `nil` for NULL and for a column that is not there.
    borrowing func value(row: Int, column: Int) -> [UInt8]? {
        let (row, column) = (Int32(clamping: row), Int32(clamping: column))
        guard unsafe PQgetisnull(self.handle, row, column) == 0 else { return nil }
        guard let start = unsafe PQgetvalue(self.handle, row, column) else { return nil }
        let count = unsafe Int(PQgetlength(self.handle, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// Shares a result between the session it came in on and its reader.
final class SharedResult {
    let result: QueryResult

    init(_ result: consuming QueryResult) {
        self.result = result
    }
}
