extension Worker {
    /// A transaction whose work is done, and that is to be committed.
    typealias CommittingTransaction = (id: Int64, timeline: String, notes: [SQL])

    enum Fate {
        case committed
        case rolledBack
        /// The server has it, and a standby that commits wait for has not.
        case waiting
        case unknown
    }

    /// Why a commit that the server answered counts as lost: the server warned of it. PostgreSQL does so when an operator or
    /// a time limit ends the wait for a standby (`pg_cancel_backend`, `statement_timeout`), and keeps a commit that the
    /// standby may lack.
    static var cancelledWait: PostgresFailure {
        .lost("the server warned of a commit: its wait for a standby ended early")
    }

    /// Asks a new connection what became of a commit whose answer was lost.
    ///
    /// Only of the same server: after a switch to another one, which may lack the newest transactions, an ID may belong to
    /// another transaction. And only what its standbys have as well counts as committed: a server gives up waiting for them
    /// when the connection is ended or the wait is cancelled, and keeps the commit all the same.
    func fate(
        of transaction: CommittingTransaction, _ session: inout Session?, until end: ContinuousClock.Instant
    ) -> Fate {
        session = nil
        var fate = Fate.unknown
        while ContinuousClock.now < end {
            do throws(PostgresFailure) {
                let connected = try self.connected(&session, end)
                let status = try connected.first(
                    """
                    SELECT pg_xact_status(\(transaction.id)::bigint::text::xid8), \(raw: Session.timeline),
                        \(raw: Standstill.waiting)
                    """
                ) { (row) throws(PostgresFailure) -> (status: String?, timeline: String, waiting: Int) in
                    (try row.valueIfAny(), try row.value(), try row.value())
                }
                try connected.synchronize()
                try connected.receiveAll()
                guard let status, status.timeline == transaction.timeline, let word = status.status else {
                    return .unknown
                }
                if word != "in progress", word != "committed" { return .rolledBack }
                // A slow disk also looks like a commit that is not yet over.
                fate = word == "committed" || status.waiting > 0 ? .waiting : .unknown
                if word == "committed" {
                    // Standbys take changes in their order: they have that one when they have this one.
                    let warnings = connected.warningCount
                    try connected.run("UPDATE latchkey.probe SET value = 1 - value")
                    try connected.synchronize()
                    try connected.receiveAll()
                    guard connected.warningCount == warnings else { throw Self.cancelledWait }
                    return .committed
                }
            } catch {
                session = nil
            }
            self.pause()
        }
        return fate
    }

    /// Whether a commit may be tried. In a standstill that is when no other one waits for a standby any more.
    func mayCommit(_ session: inout Session?, until end: ContinuousClock.Instant) -> Bool {
        switch self.standstill.admission(at: .now, of: self.finder.finding) {
        case .free: return true
        case .refused: return false
        case .afterLook: break
        }
        do throws(PostgresFailure) {
            let connected = try self.connected(&session, end)
            let waiting = try connected.integer("SELECT \(raw: Standstill.waiting)")
            try connected.synchronize()
            try connected.receiveAll()
            return waiting == 0
        } catch {
            // No commit is reached on a server that does not answer this.
            session = nil
            return true
        }
    }
}
