package import Clientless
package import Entitlement

extension RecordStore {
    package func purge(
        _ retention: StoreRetention, limit: Int, now: Timestamp
    ) async throws(StoreError) -> PurgeOutcome {
        let limit = max(limit, 0)
        let ended = { @Sendable (stay: Duration) in now - max(stay, retention.leastStay) }
        // Each statement walks an index over time from the old end, so that its cost is what it erases.
        let deletions: [SQL] = [
            self.deletion(.codes, "expires", until: ended(retention.codes), limit),
            self.deletion(.attempts, "expires", until: ended(.zero), limit),
            self.deletion(.authentications, "expires", until: ended(retention.authentications), limit),
            self.deletion(.endedSignIns, "ended", until: ended(retention.authentications), limit),
            self.deletion(.authorizations, "expires", until: ended(retention.authorizations), limit),
            self.deletion(.nonces, "expires", until: ended(.zero), limit),
            self.deletion(.setUpCodes, "expires", until: ended(.zero), limit),
            self.deletion(.trials, "kept_until", until: ended(.zero), limit),
            self.deletion(.degradationRules, "ends", until: ended(retention.rules), limit),
            Self.deletion(.auditLog, beyond: retention.auditEntries, limit),
            Self.deletion(.reports, beyond: retention.reportCounts, limit),
        ]
        let clients = self.deletion(.clients, "last_used", until: ended(retention.clients), limit)
        return try await self.write([], isLong: true) { (session) throws(Failure) in
            guard try self.mayPurge(session) else {
                return PurgeOutcome(erased: 0, isComplete: true, isElsewhere: true)
            }
            var erased = try session.run(deletions)
            let unused = try session.all("\(clients) RETURNING client_id") { (row) throws(Failure) in try row.text() }
            for client in unused { session.note(.client(client)) }
            erased.append(unused.count)
            erased.append(
                try self.purgeChanges(olderThan: now - retention.changes, limit: limit, now: now, session))
            let cleared = try Self.clearCodes(endedBefore: ended(.zero), limit: limit, session)
            try session.run("UPDATE latchkey.store_state SET purged_at = \(now)")
            return PurgeOutcome(
                erased: erased.reduce(0, +), isComplete: cleared < limit && erased.allSatisfy { $0 < limit })
        }
    }

    /// A row that a transaction holds is passed over until the next purge, which waits for none.
    private func deletion(_ table: Table, _ column: String, until end: Timestamp, _ limit: Int) -> SQL {
        """
        DELETE FROM latchkey.\(raw: table.name) WHERE (\(raw: table.order)) IN (SELECT \(raw: table.order)
            FROM latchkey.\(raw: table.name) WHERE \(raw: column) <= \(end) ORDER BY \(raw: column)
            LIMIT \(limit)\(raw: Self.dialect.skipLocked))
        """
    }

    /// Sequences may have holes, so the newest row that goes is counted off.
    private static func deletion(_ table: Table, beyond number: Int, _ limit: Int) -> SQL {
        """
        DELETE FROM latchkey.\(raw: table.name) WHERE sequence IN (SELECT sequence FROM latchkey.\(raw: table.name)
            WHERE sequence <= (SELECT sequence FROM latchkey.\(raw: table.name) ORDER BY sequence DESC
                LIMIT 1 OFFSET \(max(number, 0)))
            ORDER BY sequence LIMIT \(limit))
        """
    }

    /// Takes the raw data off codes whose time is over. Up to which expiry that was done is kept, so that no index is
    /// needed for it, which every new code would have to pay for.
    /// - Returns: how many codes were looked at.
    private static func clearCodes(
        endedBefore end: Timestamp, limit: Int, _ session: Session
    ) throws(Failure) -> Int {
        let left: SQL = "expires > (SELECT cleared_until FROM latchkey.store_state)"
        // Codes of one moment are not parted, however many: what is done up to a moment is done whole.
        let found = try session.first(
            """
            SELECT max(expires), count(*) FROM
                (SELECT expires FROM latchkey.codes WHERE \(left) AND expires <= \(end) ORDER BY expires LIMIT \(limit)) AS found
            """
        ) { (row) throws(Failure) in (end: try row.timestampIfAny(), count: try row.integer()) }
        guard let found, let end = found.end else { return 0 }
        try session.run([
            """
            UPDATE latchkey.codes SET \(raw: self.withoutRawData)
                WHERE \(left) AND expires <= \(end) AND box_address <> ''
            """, "UPDATE latchkey.store_state SET cleared_until = \(end)",
        ])
        return Int(found.count)
    }
}
