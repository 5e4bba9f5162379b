import CPostgres

/// One answer of the server. The last reader that lets go of it clears it.
@safe
final class QueryResult {
    enum Kind: Hashable {
        case done
        case synchronized
        /// Not looked at, because a statement before it in the pipeline failed.
        case skipped
        case failed
    }

    private let handle: OpaquePointer

    /// - Parameter handle: the answer of `PQgetResult`; owned.
    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe PQclear(self.handle) }

    func kind() -> Kind {
        let status = unsafe PQresultStatus(self.handle)
        if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return .done }
        if status == PGRES_PIPELINE_SYNC { return .synchronized }
        if status == PGRES_PIPELINE_ABORTED { return .skipped }
        return .failed
    }

    func failure() -> PostgresFailure {
        let state = unsafe String(cString: latchkey_pq_state(self.handle))
        let message = unsafe String(cString: latchkey_pq_message(self.handle))
        return PostgresFailure(kind: state.isEmpty ? .connection : .statement, state: state, message: message)
    }

    func rowCount() -> Int { unsafe Int(PQntuples(self.handle)) }

    /// The rows that a change changed or a query found.
    func changedCount() -> Int {
        // "PQcmdTuples returns the number of rows affected", as text; empty for other commands.
        guard let text = unsafe PQcmdTuples(self.handle) else { return 0 }
        return unsafe Int(String(cString: text)) ?? 0
    }

    /// The bytes of a value, which stands in a row that is there; `nil` for NULL and for a column that is not there.
    func value(row: Int, column: Int) -> [UInt8]? {
        let (row, column) = (Int32(clamping: row), Int32(clamping: column))
        guard unsafe PQgetisnull(self.handle, row, column) == 0 else { return nil }
        guard let start = unsafe PQgetvalue(self.handle, row, column) else { return nil }
        let count = unsafe Int(PQgetlength(self.handle, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

package struct Row: RecordRow {
    private let answer: QueryResult
    private let row: Int
    package var start = 0
    private var next = 0

    init(_ row: Int, of answer: QueryResult) {
        self.answer = answer
        self.row = row
    }

    package mutating func advance() -> Int {
        defer { self.next += 1 }
        return self.next
    }

    package func blobIfAny(at place: Int) throws(PostgresFailure) -> [UInt8]? {
        self.answer.value(row: self.row, column: self.start + place)
    }

    package func integerIfAny(at place: Int) throws(PostgresFailure) -> Int64? {
        guard let bytes = try self.blobIfAny(at: place) else { return nil }
        guard bytes.count == 8 else { throw .nonsense("column \(place) is not a bigint") }
        let value: Int64 = bytes.reduce(0) { $0 << 8 | Int64($1) }
        return value
    }

    package func textIfAny(at place: Int) throws(PostgresFailure) -> String? {
        guard let bytes = try self.blobIfAny(at: place) else { return nil }
        guard let text = StoredText.decode(bytes) else { throw .nonsense("column \(place) is no text") }
        return text
    }
}
