package import Clientless
package import Entitlement

extension RecordStore {
    package func code(_ code: RegistrationCodeText) async throws(StoreError) -> RegistrationRecord? {
        try await self.read(
            "SELECT \(CodeColumn.self) FROM latchkey.codes WHERE code = \(code)", CodeColumn.record(from:)
        ).first
    }

    package func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        var subjects: [SubjectKey] = [.code(record.code)]
        if let attempt { subjects.append(.attempt(attempt.id)) }
        if let authentication { subjects.append(.device(authentication.context.device)) }
        return try await self.write(subjects) { (session) throws(Failure) in
            guard try session.run(Self.swap(record)) == 1 else { return false }
            session.note(.code(record.code))
            if let attempt { try session.run(AttemptColumn.insertion(of: attempt)) }
            if let authentication {
                try session.keep(authentication)
                if let code = authentication.code { session.note(.code(code)) }
            }
            try session.log(audit)
            return true
        }
    }

    private static func swap(_ record: RegistrationRecord) -> SQL {
        let state = StateColumns.values(of: record.life.storedState)
        let raw: String
        switch record.life.storedState {
        case .declined, .cancelled, .expired, .completed:
            // No caller may read it any more (rest-v1 11.2), or what a reader gets has no use for it.
            raw = ", \(self.withoutRawData)"
        case .waiting, .opened, .loggingIn, .confirming: raw = ""
        }
        return """
            UPDATE latchkey.codes SET generated = \(record.life.generated), expires = \(record.life.expires),
                state = \(state.number), state_detail = \(state.detail), open_until = \(CodeColumn.openUntil(record)),
                version = version + 1\(raw: raw) WHERE code = \(record.code) AND id = \(record.id) AND version = \(record.version)
            """
    }

    /// The replacement for the raw data of a code that is over or completed. The column of the device ID keeps a form
    /// that is read back.
    package static var withoutRawData: String {
        "device_id = \(self.dialect.hexOfDevice), box_address = '', box_user_agent = NULL, box_information = NULL"
    }

    package func deleteCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?
    ) async throws(StoreError) -> RegistrationRecord? {
        let owner: SQL = if let requestor { " AND requestor = \(requestor)" } else { "" }
        return try await self.write(
            [.code(code)],
            ["DELETE FROM latchkey.codes WHERE code = \(code)\(owner) RETURNING \(CodeColumn.self)"],
            reading: CodeColumn.record(from:)
        ) { (session, erased) throws(Failure) in
            if !erased.isEmpty { session.note(.code(code)) }
            return erased.first
        }
    }

    package func openCodes(now: Timestamp, limit: Int) async throws(StoreError) -> [RegistrationRecord] {
        // In the order of the index by `expires`, so that what ended is not read.
        try await self.read(
            """
            SELECT \(CodeColumn.self) FROM latchkey.codes WHERE expires > \(now) AND open_until IS NOT NULL
                ORDER BY expires DESC, generated DESC, code LIMIT \(max(limit, 0))
            """, CodeColumn.record(from:))
    }

    package func update(_ attempt: LoginAttempt) async throws(StoreError) -> Bool {
        try await self.write([.attempt(attempt.id)], AttemptColumn.swap(attempt)) == 1
    }

    package func login(_ id: AttemptID, now: Timestamp) async throws(StoreError) -> StoredLogin? {
        try await self.read(
            """
            SELECT * FROM (SELECT \(AttemptColumn.self) FROM latchkey.attempts WHERE id = \(id) AND expires > \(now)) AS attempt
                JOIN (SELECT \(CodeColumn.self) FROM latchkey.codes) AS code ON code.code = attempt.code
            """
        ) { (row) throws(Failure) in
            let attempt = try AttemptColumn.attempt(from: &row)
            row.begin(after: AttemptColumn.self)
            return (attempt: attempt, record: try CodeColumn.record(from: &row))
        }.first
    }
}
