package import Clientless
package import Entitlement

extension RecordStore {
    package func readiness() async throws(StoreError) {
        try await self.write([], "UPDATE latchkey.probe SET value = 1 - value")
    }

    package func lastPurge() async throws(StoreError) -> Timestamp? {
        try await self.read("SELECT purged_at FROM latchkey.store_state") { (row) throws(Failure) -> Timestamp? in
            try row.valueIfAny()
        }.first ?? nil
    }

    package func confirm(_ now: Timestamp, audit: AuditEntry?) async throws(StoreError) {
        try await self.write([]) { (session) throws(Failure) -> Void in
            try session.run("UPDATE latchkey.store_state SET purged_at = \(now)")
            try session.log(audit)
        }
    }

    package func takeLease(
        _ task: String, holder: String, for duration: Duration, now: Timestamp
    ) async throws(StoreError) -> Bool {
        let end = now + duration
        return try await self.write(
            [],
            """
            INSERT INTO latchkey.leases (task, holder, ends) VALUES (\(task), \(holder), \(end))
                ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, ends = excluded.ends
                WHERE leases.holder = \(holder) OR leases.ends <= \(now) OR leases.ends > \(now + duration * 2)
            """) == 1
    }

    package func leases(_ ends: Range<Timestamp>) async throws(StoreError) -> [String: String] {
        let found = try await self.read(
            """
            SELECT task, holder FROM latchkey.leases WHERE ends >= \(ends.lowerBound) AND ends < \(ends.upperBound)
            """
        ) { (row) throws(Failure) in (try row.text(), try row.text()) }
        return Dictionary(uniqueKeysWithValues: found)
    }

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
            guard try self.mayPurge(session) else { return (erased: 0, isComplete: true, isElsewhere: true) }
            var erased = try session.run(deletions)
            let unused = try session.texts("\(clients) RETURNING client_id")
            for client in unused { session.note(.client(client)) }
            let changes = try self.purgeChanges(olderThan: now - retention.changes, limit: limit, now: now, session)
            erased += [unused.count, changes]
            let cleared = try Self.clearCodes(endedBefore: ended(.zero), limit: limit, session)
            try session.run("UPDATE latchkey.store_state SET purged_at = \(now)")
            let isComplete = cleared < limit && erased.allSatisfy { $0 < limit }
            return (erased: erased.reduce(0, +), isComplete: isComplete, isElsewhere: false)
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
    private static func clearCodes(endedBefore end: Timestamp, limit: Int, _ session: Session) throws(Failure) -> Int {
        let left: SQL = "expires > (SELECT cleared_until FROM latchkey.store_state)"
        // Codes of one moment are not parted, however many: what is done up to a moment is done whole.
        let found = try session.first(
            """
            SELECT max(expires), count(*) FROM
                (SELECT expires FROM latchkey.codes WHERE \(left) AND expires <= \(end) ORDER BY expires LIMIT \(limit)) AS found
            """
        ) { (row) throws(Failure) -> (end: Timestamp?, count: Int) in
            (try row.valueIfAny(), try row.value())
        }
        guard let found, let end = found.end else { return 0 }
        try session.run([
            """
            UPDATE latchkey.codes SET \(raw: self.withoutRawData)
                WHERE \(left) AND expires <= \(end) AND box_address <> ''
            """, "UPDATE latchkey.store_state SET cleared_until = \(end)",
        ])
        return found.count
    }

    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp, isPassing: Bool
    ) async throws(StoreError) -> Bool {
        let insertion: SQL = """
            INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES (\(publicKey), \(nonce), \(expires))
                ON CONFLICT (public_key, nonce) DO UPDATE SET expires = excluded.expires WHERE nonces.expires <= \(now)
            """
        // Its row alone decides, so no lock is taken: of two at once the second waits for the first.
        return try await self.write([], [insertion], isPassing: isPassing)[0] == 1
    }

    package func hasNonce(
        among nonces: [String], publicKey: String, after moment: Timestamp
    ) async throws(StoreError) -> Bool {
        let found: [Timestamp] = try await self.read(
            """
            SELECT expires FROM latchkey.nonces
                WHERE public_key = \(publicKey) AND nonce IN (\(nonces.map(\.sqlValue))) AND expires > \(moment)
            """
        ) { (row) throws(Failure) in try row.value() }
        return !found.isEmpty
    }

    package var tables: [StoredTable] { Table.all.filter(\.isMoved).map(\.stored) }

    package func rows(
        of table: StoredTable, after place: [StoredValue]?, limit: Int
    ) async throws(StoreError) -> StoredPage {
        // The columns that say where a row is, and behind them the table's.
        let order = table.order
        let names = order.map(\.name).joined(separator: ", ")
        let columns = order + table.columns
        let condition: SQL = if let place { "WHERE (\(raw: names)) > (\(place))" } else { "" }
        // The names are constants of this program.
        let found = try await self.read(
            """
            SELECT \(raw: columns.map(\.name).joined(separator: ", ")) FROM latchkey.\(raw: table.name) \(condition)
                ORDER BY \(raw: names) LIMIT \(max(limit, 0))
            """
        ) { (row) throws(Failure) in
            var values: [StoredValue] = []
            for column in columns { values.append(try row.storedValue(column.kind)) }
            return values
        }
        return (
            found.map { Array($0.dropFirst(order.count)) }, found.last.map { Array($0.prefix(order.count)) } ?? place
        )
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError) {
        let names = table.columns.map(\.name).joined(separator: ", ")
        var statements = rows.map { row -> SQL in
            "INSERT INTO latchkey.\(raw: table.name) (\(raw: names)) VALUES (\(row))"
        }
        // The raw data of these codes were not looked at by any purge of this store.
        if table.name == Table.codes.name { statements.append("UPDATE latchkey.store_state SET cleared_until = 0") }
        let insertions = statements
        _ = try await self.write([], isLong: true) { (session) throws(Failure) in try session.run(insertions) }
    }

    package func add(_ counts: [ReportCount], batch: String, until end: Timestamp) async throws(StoreError) {
        // Nodes count the same things. All go through the rows in one order, so that no two wait for each other.
        let sorted = counts.map { (order: $0.order, count: $0) }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.count)
        let batch: SQL =
            "INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES ('reports', \(batch), \(end))"
        _ = try await self.write([], [batch] + sorted.map(ReportColumn.insertion), isPassing: false)
    }

    package func reportCounts(_ selection: ReportSelection, limit: Int) async throws(StoreError) -> [ReportCount] {
        try await self.read(ReportColumn.question(selection, limit: limit), ReportColumn.count(from:))
    }
}

extension ReportCount {
    /// Rows are in one order by it, on every node.
    fileprivate var order: [String] {
        [
            String(self.key.hour), self.key.requestor.text, self.key.mvpd?.text ?? "", self.key.model.deviceType,
            self.key.model.platform, self.key.event.rawValue,
        ]
    }
}
