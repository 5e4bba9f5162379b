package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    /// The number of the lock that the one purging node holds.
    private static let purgeLock = SQLValue.integer(0x4C74_6B79_0000_0002)

    package func purge(
        _ retention: StoreRetention, limit: Int, now: Timestamp
    ) async throws(StoreError) -> PurgeOutcome {
        let most = max(limit, 0)
        let limit = SQLValue.integer(Int64(most))
        return try await self.write([], isLong: true) { (session) throws(PostgresFailure) -> PurgeOutcome in
            let isOurs = try session.first(
                "SELECT CASE WHEN pg_try_advisory_xact_lock($1) THEN 1::bigint ELSE 0 END", [Self.purgeLock]
            ) { (row) throws(PostgresFailure) in try row.flag() }
            // Held for as long as a purge's transaction lives, also when its node lost its lease or its connection.
            guard isOurs == true else { return PurgeOutcome(erased: 0, isComplete: true, isElsewhere: true) }
            var tickets: [Ticket] = []
            for (statement, end) in Self.deletions(retention, now: now) {
                tickets.append(try session.send(statement, [.time(end), limit]))
            }
            tickets.append(
                try session.send(Self.auditDeletion, [.integer(Int64(max(retention.auditEntries, 0))), limit]))
            tickets.append(
                try session.send(Self.reportDeletion, [.integer(Int64(max(retention.reportCounts, 0))), limit]))
            var erased: [Int] = []
            for ticket in tickets { erased.append(try session.count(of: ticket)) }
            erased.append(
                try Self.purgeClients(
                    unusedSince: now - max(retention.clients, retention.leastStay), limit: limit, on: session))
            erased.append(
                try Self.purgeChanges(olderThan: now - retention.changes, limit: limit, now: now, on: session))
            let cleared = try Self.clearCodes(endedBefore: now - retention.leastStay, limit: limit, on: session)
            try session.run("UPDATE latchkey.store_state SET purged_at = $1", [.time(now)])
            return PurgeOutcome(
                erased: erased.reduce(0, +), isComplete: cleared < most && erased.allSatisfy { $0 < most })
        }
    }

    /// What each kind of row is erased by: each statement walks its index over time from the old end, so that its cost
    /// is what it erases. A row that a transaction holds is passed over until the next purge, which waits for none.
    private static func deletions(_ retention: StoreRetention, now: Timestamp) -> [(String, Timestamp)] {
        let ended = { (stay: Duration) in now - max(stay, retention.leastStay) }
        return [
            (
                """
                DELETE FROM latchkey.codes WHERE sequence IN (SELECT sequence FROM latchkey.codes
                    WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(retention.codes)
            ),
            (
                """
                DELETE FROM latchkey.attempts WHERE id IN (SELECT id FROM latchkey.attempts
                    WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM latchkey.authentications WHERE id IN (SELECT id FROM latchkey.authentications
                    WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(retention.authentications)
            ),
            (
                """
                DELETE FROM latchkey.authorizations WHERE (authentication, requestor, resource) IN
                    (SELECT authentication, requestor, resource FROM latchkey.authorizations
                    WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(retention.authorizations)
            ),
            (
                """
                DELETE FROM latchkey.nonces WHERE (public_key, nonce) IN (SELECT public_key, nonce FROM latchkey.nonces
                    WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM latchkey.set_up_codes WHERE hash IN (SELECT hash FROM latchkey.set_up_codes
                    WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM latchkey.trials WHERE id IN (SELECT id FROM latchkey.trials
                    WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(.zero)
            ),
            (
                """
                DELETE FROM latchkey.degradation_rules WHERE id IN (SELECT id FROM latchkey.degradation_rules
                    WHERE ends <= $1 ORDER BY ends LIMIT $2 FOR UPDATE SKIP LOCKED)
                """, ended(retention.rules)
            ),
        ]
    }

    /// Sequences have holes, so the newest entry that goes is counted off.
    private static let auditDeletion = """
        DELETE FROM latchkey.audit_log WHERE sequence IN (SELECT sequence FROM latchkey.audit_log
            WHERE sequence <= (SELECT sequence FROM latchkey.audit_log ORDER BY sequence DESC OFFSET $1 LIMIT 1)
            ORDER BY sequence LIMIT $2)
        """

    private static let reportDeletion = """
        DELETE FROM latchkey.reports WHERE sequence IN (SELECT sequence FROM latchkey.reports
            WHERE sequence <= (SELECT sequence FROM latchkey.reports ORDER BY sequence DESC OFFSET $1 LIMIT 1)
            ORDER BY sequence LIMIT $2 FOR UPDATE SKIP LOCKED)
        """

    private static func purgeClients(
        unusedSince end: Timestamp, limit: SQLValue, on session: Session
    ) throws(PostgresFailure) -> Int {
        let erased = try session.all(
            """
            DELETE FROM latchkey.clients WHERE client_id IN (SELECT client_id FROM latchkey.clients
                WHERE last_used <= $1 ORDER BY last_used LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING client_id
            """, [.time(end), limit]
        ) { (row) throws(PostgresFailure) in try row.text() }
        for client in erased { session.note(.client(client)) }
        return erased.count
    }

    /// Takes the raw data off codes whose time is over. Up to which expiry that was done is kept, so that no index is
    /// needed for it, which every new code would have to pay for.
    /// - Returns: how many codes were looked at.
    private static func clearCodes(
        endedBefore end: Timestamp, limit: SQLValue, on session: Session
    ) throws(PostgresFailure) -> Int {
        // Codes of one moment are not parted, however many: what is done up to a moment is done whole.
        let found = try session.first(
            """
            SELECT max(expires), count(*) FROM (SELECT expires FROM latchkey.codes
                WHERE expires > (SELECT cleared_until FROM latchkey.store_state) AND expires <= $1
                ORDER BY expires LIMIT $2) AS found
            """, [.time(end), limit]
        ) { (row) throws(PostgresFailure) in (end: try row.timestampIfAny(), count: try row.integer()) }
        guard let found, let end = found.end else { return 0 }
        try session.run(
            """
            UPDATE latchkey.codes SET \(CodeColumn.withoutRawData)
                WHERE expires > (SELECT cleared_until FROM latchkey.store_state) AND expires <= $1
                    AND box_address <> ''
            """, [.time(end)])
        try session.run("UPDATE latchkey.store_state SET cleared_until = $1", [.time(end)])
        return Int(found.count)
    }

    /// Erases changes that were there at a purge before `end`, and leaves a mark for later purges: a mark says which
    /// place was the newest at a purge, so that changes get an age, which they do not carry. A job that made more changes
    /// than `limit` loses them together.
    private static func purgeChanges(
        olderThan end: Timestamp, limit: SQLValue, now: Timestamp, on session: Session
    ) throws(PostgresFailure) -> Int {
        let latest = try session.feedState().latest
        if latest.transaction > 0 {
            try session.run(
                """
                INSERT INTO latchkey.change_marks (transaction, part, moment) SELECT $1::bigint, $2::bigint, $3::bigint
                    WHERE NOT EXISTS (SELECT 1 FROM latchkey.change_marks WHERE (transaction, part) >= ($1, $2))
                """, latest.values + [.time(now)])
        }
        let mark = try session.first(
            """
            SELECT transaction, part FROM latchkey.change_marks WHERE moment <= $1
                ORDER BY transaction DESC, part DESC LIMIT 1
            """, [.time(end)]
        ) { (row) throws(PostgresFailure) in try row.feedPlace() }
        guard let mark else { return 0 }
        // The mark itself stays: it says up to where nothing is left to do once the rest is erased.
        try session.run("DELETE FROM latchkey.change_marks WHERE (transaction, part) < ($1, $2)", mark.values)
        let last = try session.first(
            """
            SELECT transaction::text::bigint, part FROM (SELECT transaction, part FROM latchkey.changes
                WHERE (transaction, part) <= ($1::bigint::text::xid8, $2) ORDER BY transaction, part, place LIMIT $3)
                AS found ORDER BY found.transaction DESC, found.part DESC LIMIT 1
            """, mark.values + [limit]
        ) { (row) throws(PostgresFailure) in try row.feedPlace() }
        guard let last else { return 0 }
        // Readers that are not beyond it meet a gap from now on.
        try session.run(
            "UPDATE latchkey.store_state SET purged_transaction = $1, purged_part = $2", last.values)
        return try session.run(
            "DELETE FROM latchkey.changes WHERE (transaction, part) <= ($1::bigint::text::xid8, $2)", last.values)
    }

    package func lastPurge() async throws(StoreError) -> Timestamp? {
        let found = try await self.read("SELECT purged_at FROM latchkey.store_state") {
            (row) throws(PostgresFailure) -> Timestamp? in try row.timestampIfAny()
        }
        return found.first ?? nil
    }

    package var isShared: Bool { true }

    package func clock() async throws(StoreError) -> Timestamp? {
        try await self.read("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint") {
            (row) throws(PostgresFailure) in try row.timestamp()
        }.first
    }

    package func confirm(_ now: Timestamp, audit: AuditEntry?) async throws(StoreError) {
        try await self.write([]) { (session) throws(PostgresFailure) -> Void in
            try session.run("UPDATE latchkey.store_state SET purged_at = $1", [.time(now)])
            if let audit { try session.log(audit) }
        }
    }

    package func takeLease(
        _ task: String, holder: String, for duration: Duration, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.write([]) { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    INSERT INTO latchkey.leases (task, holder, ends) VALUES ($1, $2, $3)
                        ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, ends = excluded.ends
                        WHERE leases.holder = $2 OR leases.ends <= $4 OR leases.ends > $3
                    """, [.text(task), .text(holder), .time(now + duration), .time(now)])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }

    package func leases(_ ends: Range<Timestamp>) async throws(StoreError) -> [String: String] {
        let found = try await self.read(
            "SELECT task, holder FROM latchkey.leases WHERE ends >= $1 AND ends < $2",
            [.time(ends.lowerBound), .time(ends.upperBound)]
        ) { (row) throws(PostgresFailure) in (try row.text(), try row.text()) }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
