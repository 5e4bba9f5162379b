package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func insert(
        _ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp
    ) async throws(StoreError) -> CodeInsertion {
        try await self.write { (connection) throws(SQLiteFailure) in
            guard try connection.run(CodeColumn.insertion, CodeColumn.insertionValues(of: record)) == 1
            else { return .taken }
            return .inserted(
                cancelled: try Self.cancelSurplus(
                    beside: record, limit: max(limitPerDevice, 1), now: now, on: connection))
        }
    }

    /// Cancels the oldest open codes of the device and requestor of `newest` until `limit` are left.
    private static func cancelSurplus(
        beside newest: RegistrationRecord, limit: Int, now: Timestamp, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> [RegistrationCodeText] {
        let key: [SQLValue] = [.integer(CodeColumn.key(of: newest.context.device)), .time(now)]
        // Answered from the index alone; for almost every device the walk is over one entry.
        let open = try connection.first(
            "SELECT count(*) FROM codes WHERE device_key = ?1 AND open_until > ?2", key
        ) { (row) throws(SQLiteFailure) in try row.integer() }
        guard let open, open > limit else { return [] }
        // Only now it matters that other requestors have codes on the device too.
        let rivals = try connection.all(
            """
            SELECT code FROM codes WHERE device_key = ?1 AND open_until > ?2 AND device = ?3 AND requestor = ?4
                AND code <> ?5 ORDER BY generated, sequence
            """,
            key + [.blob(newest.context.device.bytes), .text(newest.requestor.text), .text(newest.code.text)]
        ) { (row) throws(SQLiteFailure) in try row.code() }
        let surplus = Array(rivals.prefix(max(0, rivals.count + 1 - limit)))
        for code in surplus {
            let cancelled = StateColumns(.cancelled)
            try connection.run(
                """
                UPDATE codes SET state = ?2, state_detail = NULL, open_until = NULL, version = version + 1,
                    \(CodeColumn.withoutRawData) WHERE code = ?1
                """, [.text(code.text), .integer(cancelled.number)])
            connection.note(.code(code))
        }
        return surplus
    }

    package func code(_ code: RegistrationCodeText) async throws(StoreError) -> RegistrationRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.first(
                "SELECT \(CodeColumn.names) FROM codes WHERE code = ?1", [.text(code.text)],
                CodeColumn.record(from:))
        }
    }

    package func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?,
        replacing: AuthNReplacement, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            guard try Self.swap(record, on: connection) else { return false }
            connection.note(.code(record.code))
            if let attempt { try connection.run(AttemptColumn.insertion, AttemptColumn.values(of: attempt)) }
            if let authentication {
                try Self.keep(authentication, replacing, on: connection)
                if let code = authentication.code { connection.note(.code(code)) }
            }
            if let audit { try connection.log(audit) }
            return true
        }
    }

    private static func swap(
        _ record: RegistrationRecord, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Bool {
        let state = StateColumns(record.life.storedState)
        let changed = try connection.run(
            """
            UPDATE codes SET generated = ?3, expires = ?4, state = ?5, state_detail = ?6, open_until = ?7,
                version = version + 1 WHERE code = ?1 AND version = ?2
            """,
            [
                .text(record.code.text), .integer(Int64(record.version)), .time(record.life.generated),
                .time(record.life.expires), .integer(state.number), .textIfAny(state.detail),
                .timeIfAny(CodeColumn.openUntil(record)),
            ])
        guard changed == 1 else { return false }
        switch record.life.storedState {
        case .declined, .cancelled, .expired, .completed:
            // No caller may read it any more (rest-v1 11.2), or what a reader gets has no use for it.
            try connection.run(
                "UPDATE codes SET \(CodeColumn.withoutRawData) WHERE code = ?1", [.text(record.code.text)])
        case .waiting, .opened, .loggingIn, .confirming: break
        }
        return true
    }

    package func deleteCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?
    ) async throws(StoreError) -> RegistrationRecord? {
        try await self.write { (connection) throws(SQLiteFailure) -> RegistrationRecord? in
            let erased = try connection.first(
                "DELETE FROM codes WHERE code = ?1 AND (?2 IS NULL OR requestor = ?2) RETURNING \(CodeColumn.names)",
                [.text(code.text), .textIfAny(requestor?.text)], CodeColumn.record(from:))
            if erased != nil { connection.note(.code(code)) }
            return erased
        }
    }

    package func openCodes(now: Timestamp, limit: Int) async throws(StoreError) -> [RegistrationRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            // In the order of the index by `expires`, so that what ended is not read.
            try connection.all(
                """
                SELECT \(CodeColumn.names) FROM codes WHERE expires > ?1 AND open_until IS NOT NULL
                    ORDER BY expires DESC, generated DESC, code LIMIT ?2
                """, [.time(now), .integer(Int64(max(limit, 0)))], CodeColumn.record(from:))
        }
    }

    package func liveCodeCount(now: Timestamp) async throws(StoreError) -> Int {
        // Codes that expired within the current minute still count.
        try await self.read { (connection) throws(SQLiteFailure) in
            let sum = try connection.first(
                "SELECT coalesce(sum(number), 0) FROM open_codes WHERE minute >= ?1",
                [.integer(now.milliseconds / 60_000)]
            ) { (row) throws(SQLiteFailure) in try row.integer() }
            return Int(sum ?? 0)
        }
    }

    package func update(_ attempt: LoginAttempt) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(AttemptColumn.swap, AttemptColumn.swapValues(of: attempt)) == 1
        }
    }

    package func attempt(_ id: AttemptID, now: Timestamp) async throws(StoreError) -> LoginAttempt? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.first(
                "SELECT \(AttemptColumn.names) FROM attempts WHERE id = ?1 AND expires > ?2",
                [.blob(id.bytes), .time(now)], AttemptColumn.attempt(from:))
        }
    }
}
