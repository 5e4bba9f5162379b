import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func insert(_ authentication: AuthNRecord, replacing: AuthNReplacement) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try Self.keep(authentication, replacing, on: connection)
        }
    }

    /// Keeps `record`, and erases what the domain says it ends.
    static func keep(
        _ record: AuthNRecord, _ replacing: AuthNReplacement, on connection: borrowing Connection
    ) throws(SQLiteFailure) {
        let held = try self.authentications(of: record.context.device, limit: -1, on: connection)
        for ended in replacing.ended(by: record, among: held) { _ = try self.erase(ended.id, on: connection) }
        try connection.run(AuthenticationColumn.insertion, AuthenticationColumn.values(of: record))
        connection.note(.device(record.context.device))
    }

    package func update(_ authentication: AuthNRecord) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let device = try connection.first(
                """
                UPDATE authentications SET expires = ?3, sealed_session = ?4, provider_session = ?5,
                    version = version + 1 WHERE id = ?1 AND version = ?2 RETURNING device
                """,
                [
                    .text(authentication.id.text), .integer(Int64(authentication.version)),
                    .time(authentication.expires), .blob(authentication.sealedSession),
                    .blobIfAny(authentication.providerSession),
                ]
            ) { (row) throws(SQLiteFailure) in try row.device() }
            guard let device else { return false }
            connection.note(.device(device))
            return true
        }
    }

    package func authentication(_ id: AuthNID) async throws(StoreError) -> AuthNRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.first(
                "SELECT \(AuthenticationColumn.names) FROM authentications WHERE id = ?1", [.text(id.text)],
                AuthenticationColumn.record(from:))
        }
    }

    package func authentications(of device: DeviceHash, limit: Int) async throws(StoreError) -> [AuthNRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try Self.authentications(of: device, limit: max(limit, 0), on: connection)
        }
    }

    /// - Parameter limit: -1 for all.
    private static func authentications(
        of device: DeviceHash, limit: Int, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> [AuthNRecord] {
        try connection.all(
            """
            SELECT \(AuthenticationColumn.names) FROM authentications WHERE device = ?1
                ORDER BY created DESC, sequence DESC LIMIT ?2
            """, [.blob(device.bytes), .integer(Int64(limit))], AuthenticationColumn.record(from:))
    }

    package func authentications(
        _ selection: AuthNSelection, after previous: AuthNID?, limit: Int
    ) async throws(StoreError) -> [AuthNRecord] {
        let (condition, values) = selection.condition("?")
        return try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                """
                SELECT \(AuthenticationColumn.names) FROM authentications
                    WHERE \(condition) AND id > ?\(values.count + 1) ORDER BY id LIMIT ?\(values.count + 2)
                """, values + [.text(previous?.text ?? ""), .integer(Int64(max(limit, 0)))],
                AuthenticationColumn.record(from:))
        }
    }

    package func deleteAuthentication(
        _ id: AuthNID, audit: AuditEntry?
    ) async throws(StoreError) -> AuthNRecord? {
        try await self.write { (connection) throws(SQLiteFailure) -> AuthNRecord? in
            guard let erased = try Self.erase(id, on: connection) else { return nil }
            if let audit { try connection.log(audit) }
            return erased
        }
    }

    package func deleteAuthentications(
        _ context: DeviceContext, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.write { (connection) throws(SQLiteFailure) in
            // The domain says what a context admits, and a device has few records.
            let erased = try Self.authentications(of: context.device, limit: -1, on: connection)
                .filter { context.admits($0.context) }
            for record in erased { _ = try Self.erase(record.id, on: connection) }
            if let audit { try connection.log(audit) }
            return erased
        }
    }

    package func deleteAuthentications(
        _ selection: AuthNSelection, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        let (condition, values) = selection.condition("?")
        return try await self.write { (connection) throws(SQLiteFailure) in
            let selected = try connection.all(
                "SELECT id FROM authentications WHERE \(condition) LIMIT ?\(values.count + 1)",
                values + [.integer(Int64(max(limit, 0)))]
            ) { (row) throws(SQLiteFailure) in AuthNID(text: try row.text()) }
            var erased: [AuthNRecord] = []
            for id in selected { if let record = try Self.erase(id, on: connection) { erased.append(record) } }
            if let audit { try connection.log(audit) }
            return erased
        }
    }

    /// Erases a record with its AuthZ records, which go with the row they refer to, and tells of device and code.
    private static func erase(
        _ id: AuthNID, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> AuthNRecord? {
        let erased = try connection.first(
            "DELETE FROM authentications WHERE id = ?1 RETURNING \(AuthenticationColumn.names)", [.text(id.text)],
            AuthenticationColumn.record(from:))
        guard let erased else { return nil }
        connection.note(.device(erased.context.device))
        if let code = erased.code { connection.note(.code(code)) }
        return erased
    }
}
