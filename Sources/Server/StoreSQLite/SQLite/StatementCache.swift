/// The prepared statements of one connection, by their text. The texts are constants of this target, so their number
/// is bounded by it.
final class StatementCache {
    /// Shares a statement between the cache and its user.
    final class Entry {
        let statement: Statement

        init(_ statement: consuming Statement) {
            self.statement = statement
        }
    }

    private var entries: [String: Entry] = [:]

    func statement(_ sql: String, on connection: OpaquePointer) throws(SQLiteFailure) -> Entry {
        if let entry = self.entries[sql] { return entry }
        let entry = Entry(try unsafe Statement(preparing: sql, on: connection))
        self.entries[sql] = entry
        return entry
    }

    func removeAll() {
        self.entries.removeAll()
    }
}
