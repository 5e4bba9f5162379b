import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func insert(_ authentication: AuthNRecord, replacing: AuthNReplacement) async throws(StoreError) {
        try await self.write([.device(authentication.context.device)]) { (session) throws(PostgresFailure) -> Void in
            try Self.keep(authentication, replacing, on: session)
        }
    }

    /// Keeps `record`, and erases what the domain says it ends. Its device is a subject of the transaction.
    static func keep(
        _ record: AuthNRecord, _ replacing: AuthNReplacement, on session: Session
    ) throws(PostgresFailure) {
        let held = try session.all(
            self.ofDevice, [.blob(record.context.device.bytes), .null], AuthenticationColumn.record(from:))
        for ended in replacing.ended(by: record, among: held) { _ = try self.erase(ended.id, on: session) }
        try session.run(AuthenticationColumn.insertion, AuthenticationColumn.values(of: record))
        session.note(.device(record.context.device))
    }

    /// The records of a device, newest first; LIMIT NULL is no limit.
    private static let ofDevice = """
        SELECT \(AuthenticationColumn.names) FROM latchkey.authentications WHERE device = $1
            ORDER BY created DESC, sequence DESC LIMIT $2
        """

    package func update(_ authentication: AuthNRecord) async throws(StoreError) -> Bool {
        try await self.write([.signIn(authentication.id)]) { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    UPDATE latchkey.authentications SET expires = $3, sealed_session = $4, provider_session = $5,
                        version = version + 1 WHERE id = $1 AND version = $2 RETURNING device
                    """,
                    [
                        .text(authentication.id.text), .integer(Int64(authentication.version)),
                        .time(authentication.expires), .blob(authentication.sealedSession),
                        .blobIfAny(authentication.providerSession),
                    ])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            let devices = try session.rows(of: tickets[0]) { (row) throws(PostgresFailure) in try row.device() }
            guard let device = devices.first else { return false }
            session.note(.device(device))
            return true
        }
    }

    package func authentication(_ id: AuthNID) async throws(StoreError) -> AuthNRecord? {
        try await self.read(
            "SELECT \(AuthenticationColumn.names) FROM latchkey.authentications WHERE id = $1", [.text(id.text)],
            AuthenticationColumn.record(from:)
        ).first
    }

    package func authentications(of device: DeviceHash, limit: Int) async throws(StoreError) -> [AuthNRecord] {
        try await self.read(
            Self.ofDevice, [.blob(device.bytes), .integer(Int64(max(limit, 0)))], AuthenticationColumn.record(from:))
    }

    package func authentications(
        _ selection: AuthNSelection, after previous: AuthNID?, limit: Int
    ) async throws(StoreError) -> [AuthNRecord] {
        let (condition, values) = selection.condition("$")
        return try await self.read(
            """
            SELECT \(AuthenticationColumn.names) FROM latchkey.authentications
                WHERE \(condition) AND id > $\(values.count + 1) ORDER BY id LIMIT $\(values.count + 2)
            """, values + [.text(previous?.text ?? ""), .integer(Int64(max(limit, 0)))],
            AuthenticationColumn.record(from:))
    }

    package func deleteAuthentication(
        _ id: AuthNID, audit: AuditEntry?
    ) async throws(StoreError) -> AuthNRecord? {
        try await self.write([.signIn(id)]) { (session) throws(PostgresFailure) -> AuthNRecord? in
            guard let erased = try Self.erase(id, on: session) else { return nil }
            if let audit { try session.log(audit) }
            return erased
        }
    }

    package func deleteAuthentications(
        _ context: DeviceContext, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.write([.device(context.device)]) { (session) throws(PostgresFailure) -> [AuthNRecord] in
            // The domain says what a context admits, and a device has few records.
            let held = try session.all(
                Self.ofDevice, [.blob(context.device.bytes), .null], AuthenticationColumn.record(from:))
            let admitted = held.filter { context.admits($0.context) }
            let erased = try Self.erase(admitted.map(\.id), on: session)
            if let audit { try session.log(audit) }
            return erased
        }
    }

    package func deleteAuthentications(
        _ selection: AuthNSelection, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        let (condition, values) = selection.condition("$")
        return try await self.write([]) { (session) throws(PostgresFailure) -> [AuthNRecord] in
            // In the order of their IDs, so that two that erase the same ones do not wait for each other.
            let selected = try session.all(
                """
                SELECT id FROM latchkey.authentications WHERE \(condition) ORDER BY id LIMIT $\(values.count + 1)
                """, values + [.integer(Int64(max(limit, 0)))]
            ) { (row) throws(PostgresFailure) in AuthNID(text: try row.text()) }
            let erased = try Self.erase(selected, on: session)
            if let audit { try session.log(audit) }
            return erased
        }
    }

    private static func erase(_ ids: [AuthNID], on session: Session) throws(PostgresFailure) -> [AuthNRecord] {
        var erased: [AuthNRecord] = []
        for id in ids { if let record = try self.erase(id, on: session) { erased.append(record) } }
        return erased
    }

    /// Erases a record with its AuthZ records, which go with the row they refer to, and tells of device and code.
    private static func erase(_ id: AuthNID, on session: Session) throws(PostgresFailure) -> AuthNRecord? {
        let erased = try session.first(
            "DELETE FROM latchkey.authentications WHERE id = $1 RETURNING \(AuthenticationColumn.names)",
            [.text(id.text)], AuthenticationColumn.record(from:))
        guard let erased else { return nil }
        session.note(.device(erased.context.device))
        if let code = erased.code { session.note(.code(code)) }
        return erased
    }
}
