import Clientless
package import Entitlement

extension SQLiteStore {
    /// Keeps `record` in place of what has its key: device, application, user, and the requestor when it is exclusive
    /// (rest-v1 6.3). AuthZ records go with the AuthN record they name, but not when `record` is that one anew.
    static func keep(_ record: AuthNRecord, on connection: borrowing Connection) throws(SQLiteFailure) {
        let replaced = try connection.all(
            """
            DELETE FROM authentications WHERE device = ?1 AND app_id = ?2 AND device_user = ?3
                AND (owner = ?4 OR (?5 AND owner = ?6 AND origin = ?7 AND created <= ?8)) AND id <> ?9
                RETURNING code
            """,
            [
                .blob(record.context.device.bytes), .text(record.context.appID ?? ""),
                .text(record.context.deviceUser ?? ""), .text(AuthenticationColumns.owner(of: record)),
                .flag(AuthenticationColumns.endsTrials(record)), .text(record.requestor.text),
                .text(AuthNOrigin.temporaryPass.rawValue), .time(record.created), .text(record.id.text),
            ]
        ) { (row) throws(SQLiteFailure) in try row.codeIfAny() }
        try connection.run(AuthenticationColumns.insertion, AuthenticationColumns.values(of: record))
        try connection.note(.device(record.context.device))
        // What the code of a replaced record is asked for has another answer from now on.
        for case let code? in replaced { try connection.note(.code(code)) }
    }

    package func save(_ authentication: AuthNRecord) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in try Self.keep(authentication, on: connection) }
    }

    package func authentication(_ id: AuthNID) async throws(StoreError) -> AuthNRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.first(
                "SELECT \(AuthenticationColumns.names) FROM authentications WHERE id = ?1", [.text(id.text)],
                AuthenticationColumns.record(from:))
        }
    }

    package func authentications(of device: DeviceHash) async throws(StoreError) -> [AuthNRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try Self.authentications(of: device, on: connection)
        }
    }

    private static func authentications(
        of device: DeviceHash, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> [AuthNRecord] {
        try connection.all(
            """
            SELECT \(AuthenticationColumns.names) FROM authentications WHERE device = ?1
                ORDER BY created DESC, sequence DESC
            """, [.blob(device.bytes)], AuthenticationColumns.record(from:))
    }

    package func deleteAuthentication(
        _ id: AuthNID, audit: AuditEntry?
    ) async throws(StoreError) -> AuthNRecord? {
        try await self.write { (connection) throws(SQLiteFailure) -> AuthNRecord? in
            let erased = try Self.erase(id, on: connection)
            guard let erased else { return nil }
            try connection.note(.device(erased.context.device))
            if let audit { try connection.log(audit) }
            return erased
        }
    }

    package func deleteAuthentications(
        _ context: DeviceContext, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.write { (connection) throws(SQLiteFailure) in
            // The domain says what a context admits; a device has few records.
            let erased = try Self.authentications(of: context.device, on: connection)
                .filter { context.admits($0.context) }
            for record in erased { _ = try Self.erase(record.id, on: connection) }
            if !erased.isEmpty { try connection.note(.device(context.device)) }
            if let audit { try connection.log(audit) }
            return erased
        }
    }

    /// Erases a record, and tells who asks by its code.
    private static func erase(
        _ id: AuthNID, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> AuthNRecord? {
        let erased = try connection.first(
            "DELETE FROM authentications WHERE id = ?1 RETURNING \(AuthenticationColumns.names)", [.text(id.text)],
            AuthenticationColumns.record(from:))
        if let code = erased?.code { try connection.note(.code(code)) }
        return erased
    }
}
