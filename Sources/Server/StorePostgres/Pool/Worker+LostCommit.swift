extension Worker {
    /// A transaction whose work is done, and that is to be committed.
    struct CommittingTransaction {
        let id: Int64
        let timeline: String
        let notes: [ChangeNote]
    }

    /// What became of a commit.
    enum Fate {
        case committed
        case rolledBack
        /// The server has it, and a standby that it waits for has not.
        case waiting
        case unknown
    }

    /// Asks a new connection what became of a commit whose answer was lost.
    ///
    /// Only of the same server: after a switch to another one, which may lack the newest transactions, an ID may belong to
    /// another transaction. And only what its standbys have as well counts as committed: a server gives up waiting for them
    /// when the connection is ended, and keeps the commit all the same.
    func fate(
        of transaction: CommittingTransaction, _ session: inout Session?, until end: ContinuousClock.Instant
    ) -> Fate {
        session = nil
        var fate = Fate.unknown
        while ContinuousClock.now < end {
            do throws(PostgresFailure) {
                let connected = try self.connected(&session, end)
                let status = try connected.first(
                    "SELECT pg_xact_status($1::bigint::text::xid8), \(Session.timeline)", [.integer(transaction.id)]
                ) { (row) throws(PostgresFailure) in (status: try row.textIfAny(), timeline: try row.text()) }
                try connected.synchronize()
                try connected.receiveAll()
                guard let status, status.timeline == transaction.timeline, let word = status.status else {
                    return .unknown
                }
                if word != "in progress", word != "committed" { return .rolledBack }
                fate = .waiting
                if word == "committed" {
                    // Standbys take changes in their order: they have that one when they have this one.
                    try connected.run(PostgresStore.probe)
                    try connected.synchronize()
                    try connected.receiveAll()
                    return .committed
                }
            } catch {
                session = nil
            }
            self.pause()
        }
        return fate
    }
}
