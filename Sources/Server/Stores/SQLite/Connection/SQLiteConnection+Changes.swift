package import Entitlement

extension SQLiteConnection {
    /// Whether any transaction since the last call told the feed anything.
    func takeKept() -> Bool {
        defer { self.hasKept = false }
        return self.hasKept
    }

    package func note(_ change: StoreChange) { self.notes.add(change) }

    func forgetNotes() { self.notes.removeAll() }

    /// Writes what the transaction noted, as one transaction of the feed: each change beside the position of the first one.
    func keepNotes() throws(SQLiteFailure) {
        let changes = self.notes.take()
        if changes.isEmpty { return }
        self.hasKept = true
        let leader = try self.latestPosition() + 1
        for change in changes {
            try self.run(
                """
                INSERT INTO latchkey.changes (leader, \(ChangeColumn.self))
                    VALUES (\(leader), \(ChangeColumn.values(of: change)))
                """)
        }
    }

    /// The newest position ever given out, also when its change was purged; 0 before the first.
    func latestPosition() throws(SQLiteFailure) -> Int64 {
        try self.integer("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
    }
}
