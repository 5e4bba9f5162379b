package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func insert(
        _ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp
    ) async throws(StoreError) -> CodeInsertion {
        try await self.create(CodeCreation(record: record, limit: max(limitPerDevice, 1), now: now))
    }

    package func code(_ code: RegistrationCodeText) async throws(StoreError) -> RegistrationRecord? {
        try await self.read(
            "SELECT \(CodeColumn.names) FROM latchkey.codes WHERE code = $1", [.text(code.text)],
            CodeColumn.record(from:)
        ).first
    }

    package func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?,
        replacing: AuthNReplacement, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        var subjects: [SubjectKey] = [.code(record.code)]
        if let attempt { subjects.append(.attempt(attempt.id)) }
        if let authentication { subjects.append(.device(authentication.context.device)) }
        return try await self.write(subjects) { (session) throws(PostgresFailure) -> Bool in
            guard try Self.swap(record, on: session) else { return false }
            session.note(.code(record.code))
            if let attempt { try session.run(AttemptColumn.insertion, AttemptColumn.values(of: attempt)) }
            if let authentication {
                try Self.keep(authentication, replacing, on: session)
                if let code = authentication.code { session.note(.code(code)) }
            }
            if let audit { try session.log(audit) }
            return true
        }
    }

    private static func swap(_ record: RegistrationRecord, on session: Session) throws(PostgresFailure) -> Bool {
        let state = StateColumns(record.life.storedState)
        let raw: String
        switch record.life.storedState {
        case .declined, .cancelled, .expired, .completed:
            // No caller may read it any more (rest-v1 11.2), or what a reader gets has no use for it.
            raw = ", \(CodeColumn.withoutRawData)"
        case .waiting, .opened, .loggingIn, .confirming: raw = ""
        }
        return try session.run(
            """
            UPDATE latchkey.codes SET generated = $3, expires = $4, state = $5, state_detail = $6, open_until = $7,
                version = version + 1\(raw) WHERE code = $1 AND version = $2
            """,
            [
                .text(record.code.text), .integer(Int64(record.version)), .time(record.life.generated),
                .time(record.life.expires), .integer(state.number), .textIfAny(state.detail),
                .timeIfAny(CodeColumn.openUntil(record)),
            ]) == 1
    }

    package func deleteCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?
    ) async throws(StoreError) -> RegistrationRecord? {
        try await self.write([.code(code)]) { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    DELETE FROM latchkey.codes WHERE code = $1 AND ($2::text IS NULL OR requestor = $2)
                        RETURNING \(CodeColumn.names)
                    """, [.text(code.text), .textIfAny(requestor?.text)])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> RegistrationRecord? in
            let erased = try session.rows(of: tickets[0], CodeColumn.record(from:)).first
            if erased != nil { session.note(.code(code)) }
            return erased
        }
    }

    package func openCodes(now: Timestamp, limit: Int) async throws(StoreError) -> [RegistrationRecord] {
        try await self.read(
            """
            SELECT \(CodeColumn.names) FROM latchkey.codes WHERE expires > $1 AND open_until IS NOT NULL
                ORDER BY expires DESC, generated DESC, code LIMIT $2
            """, [.time(now), .integer(Int64(max(limit, 0)))], CodeColumn.record(from:))
    }

    package func update(_ attempt: LoginAttempt) async throws(StoreError) -> Bool {
        try await self.write([.attempt(attempt.id)]) { (session) throws(PostgresFailure) -> [Ticket] in
            [try session.send(AttemptColumn.swap, AttemptColumn.swapValues(of: attempt))]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }

    package func attempt(_ id: AttemptID, now: Timestamp) async throws(StoreError) -> LoginAttempt? {
        try await self.read(
            "SELECT \(AttemptColumn.names) FROM latchkey.attempts WHERE id = $1 AND expires > $2",
            [.blob(id.bytes), .time(now)], AttemptColumn.attempt(from:)
        ).first
    }
}
