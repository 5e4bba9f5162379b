package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func purge(
        _ retention: StoreRetention, limit: Int, now: Timestamp
    ) async throws(StoreError) -> PurgeOutcome {
        let most = max(limit, 0)
        let limit = SQLValue.integer(Int64(most))
        return try await self.write { (connection) throws(SQLiteFailure) in
            var erased: [Int] = []
            for (statement, end) in Self.deletions(retention, now: now) {
                erased.append(try connection.run(statement, [.time(end), limit]))
            }
            erased.append(
                try Self.purgeClients(
                    unusedSince: now - max(retention.clients, retention.leastStay), limit: limit, on: connection))
            let entries = try connection.run(
                """
                DELETE FROM audit_log WHERE sequence IN (SELECT sequence FROM audit_log
                    WHERE sequence <= (SELECT max(sequence) FROM audit_log) - ?1 ORDER BY sequence LIMIT ?2)
                """, [.integer(Int64(max(retention.auditEntries, 0))), limit])
            erased.append(
                try connection.run(
                    """
                    DELETE FROM reports WHERE sequence IN (SELECT sequence FROM reports
                        WHERE sequence <= (SELECT max(sequence) FROM reports) - ?1 ORDER BY sequence LIMIT ?2)
                    """, [.integer(Int64(max(retention.reportCounts, 0))), limit]))
            // Minutes that are over are in no sum any more; there is one row a minute at most.
            try connection.run(
                "DELETE FROM open_codes WHERE minute < ?1",
                [.integer((now - retention.leastStay).milliseconds / 60_000)])
            erased.append(entries)
            erased.append(
                try Self.purgeChanges(olderThan: now - retention.changes, limit: limit, now: now, on: connection))
            let cleared = try Self.clearCodes(
                endedBefore: now - retention.leastStay, limit: limit, on: connection)
            try connection.run("UPDATE store_state SET purged_at = ?1", [.time(now)])
            return PurgeOutcome(
                erased: erased.reduce(0, +), isComplete: cleared < most && erased.allSatisfy { $0 < most })
        }
    }

    /// What each kind of row is erased by: each statement walks its index over time from the old end, so that its cost
    /// is what it erases.
    private static func deletions(_ retention: StoreRetention, now: Timestamp) -> [(String, Timestamp)] {
        let ended = { (stay: Duration) in now - max(stay, retention.leastStay) }
        return [
            (
                """
                DELETE FROM codes WHERE sequence IN
                    (SELECT sequence FROM codes WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                """, ended(retention.codes)
            ),
            (
                """
                DELETE FROM attempts WHERE id IN
                    (SELECT id FROM attempts WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM authentications WHERE sequence IN
                    (SELECT sequence FROM authentications WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                """, ended(retention.authentications)
            ),
            (
                """
                DELETE FROM authorizations WHERE (authentication, requestor, resource) IN
                    (SELECT authentication, requestor, resource FROM authorizations WHERE expires <= ?1
                        ORDER BY expires LIMIT ?2)
                """, ended(retention.authorizations)
            ),
            (
                """
                DELETE FROM nonces WHERE (public_key, nonce) IN
                    (SELECT public_key, nonce FROM nonces WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM set_up_codes WHERE hash IN
                    (SELECT hash FROM set_up_codes WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM trials WHERE id IN
                    (SELECT id FROM trials WHERE kept_until <= ?1 ORDER BY kept_until LIMIT ?2)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM degradation_rules WHERE id IN
                    (SELECT id FROM degradation_rules WHERE ends <= ?1 ORDER BY ends LIMIT ?2)
                """, ended(retention.rules)
            ),
        ]
    }

    private static func purgeClients(
        unusedSince end: Timestamp, limit: SQLValue, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Int {
        let erased = try connection.all(
            """
            DELETE FROM clients WHERE client_id IN
                (SELECT client_id FROM clients WHERE last_used <= ?1 ORDER BY last_used LIMIT ?2) RETURNING client_id
            """, [.time(end), limit]
        ) { (row) throws(SQLiteFailure) in try row.text() }
        for client in erased { connection.note(.client(client)) }
        return erased.count
    }

    /// Takes the raw data off codes whose time is over. Up to which expiry that was done is kept, so that no index is
    /// needed for it, which every new code would have to pay for.
    /// - Returns: how many codes were looked at.
    private static func clearCodes(
        endedBefore end: Timestamp, limit: SQLValue, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Int {
        // Codes of one moment are not parted, however many: what is done up to a moment is done whole.
        let found = try connection.first(
            """
            SELECT max(expires), count(*) FROM (SELECT expires FROM codes
                WHERE expires > (SELECT cleared_until FROM store_state) AND expires <= ?1 ORDER BY expires LIMIT ?2)
            """, [.time(end), limit]
        ) { (row) throws(SQLiteFailure) in (end: try row.timestampIfAny(), count: try row.integer()) }
        guard let found, let end = found.end else { return 0 }
        try connection.run(
            """
            UPDATE codes SET \(CodeColumn.withoutRawData)
                WHERE expires > (SELECT cleared_until FROM store_state) AND expires <= ?1 AND box_address <> ''
            """, [.time(end)])
        try connection.run("UPDATE store_state SET cleared_until = ?1", [.time(end)])
        return Int(found.count)
    }

    /// Erases changes that were there at a purge before `end`, and leaves a mark for later purges: a mark says which
    /// position was the newest at a purge, so that changes get an age, which they do not carry.
    private static func purgeChanges(
        olderThan end: Timestamp, limit: SQLValue, now: Timestamp, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Int {
        let latest = try connection.latestPosition()
        try connection.run(
            """
            INSERT INTO change_marks (position, moment) SELECT ?1, ?2
                WHERE ?1 > (SELECT coalesce(max(position), 0) FROM change_marks)
            """, [.integer(latest), .time(now)])
        let horizon = try connection.first(
            "SELECT position FROM change_marks WHERE moment <= ?1 ORDER BY position DESC LIMIT 1", [.time(end)]
        ) { (row) throws(SQLiteFailure) in try row.integer() }
        guard let horizon else { return 0 }
        // The mark itself stays: it says up to where nothing is left to do once the rest is erased.
        try connection.run("DELETE FROM change_marks WHERE position < ?1", [.integer(horizon)])
        let last = try connection.first(
            """
            SELECT max(position) FROM
                (SELECT position FROM changes WHERE position <= ?1 ORDER BY position LIMIT ?2)
            """, [.integer(horizon), limit]
        ) { (row) throws(SQLiteFailure) in try row.integerIfAny() }
        guard case let last?? = last else { return 0 }
        // Readers that are not beyond it meet a gap from now on.
        try connection.run("UPDATE store_state SET purged_position = ?1", [.integer(last)])
        return try connection.run("DELETE FROM changes WHERE position <= ?1", [.integer(last)])
    }

    package func lastPurge() async throws(StoreError) -> Timestamp? {
        try await self.read { (connection) throws(SQLiteFailure) -> Timestamp? in
            try connection.first("SELECT purged_at FROM store_state") { (row) throws(SQLiteFailure) in
                try row.timestampIfAny()
            } ?? nil
        }
    }

    /// One node has a file to itself.
    package var isShared: Bool { false }

    package func clock() async throws(StoreError) -> Timestamp? { nil }

    package func confirm(_ now: Timestamp, audit: AuditEntry?) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run("UPDATE store_state SET purged_at = ?1", [.time(now)])
            if let audit { try connection.log(audit) }
            return ()
        }
    }

    package func takeLease(
        _ task: String, holder: String, for duration: Duration, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                """
                INSERT INTO leases (task, holder, ends) VALUES (?1, ?2, ?3)
                    ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, ends = excluded.ends
                    WHERE holder = ?2 OR ends <= ?4 OR ends > ?3
                """, [.text(task), .text(holder), .time(now + duration), .time(now)]) == 1
        }
    }

    package func readiness() async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run("UPDATE store_state SET probe = 1 - probe")
            return ()
        }
    }

    package func leases(_ ends: Range<Timestamp>) async throws(StoreError) -> [String: String] {
        let found = try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                "SELECT task, holder FROM leases WHERE ends >= ?1 AND ends < ?2",
                [.time(ends.lowerBound), .time(ends.upperBound)]
            ) { (row) throws(SQLiteFailure) in (try row.text(), try row.text()) }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
