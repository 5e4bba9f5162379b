package import Clientless
package import Entitlement

extension SQLiteStore {
    /// Keeps `record` in place of what has its key: device, application, user, and the requestor when it is exclusive
    /// (rest-v1 6.3). AuthZ records go with the AuthN record they name.
    static func keep(_ record: AuthNRecord, on connection: borrowing Connection) throws(SQLiteFailure) {
        let replaced = try connection.all(
            """
            DELETE FROM authentications WHERE device = ?1 AND app_id = ?2 AND device_user = ?3 AND owner = ?4
                RETURNING code
            """,
            [
                .blob(record.context.device.bytes), .text(record.context.appID ?? ""),
                .text(record.context.deviceUser ?? ""), .text(AuthenticationColumns.owner(of: record)),
            ]
        ) { (row) throws(SQLiteFailure) in try row.codeIfAny() }
        try connection.run(AuthenticationColumns.insertion, AuthenticationColumns.values(of: record))
        try connection.note(.device(record.context.device))
        // What the code of the replaced record is asked for has another answer from now on.
        for code in replaced where code != nil && code != record.code {
            if let code { try connection.note(.code(code)) }
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

    package func deleteAuthentications(_ context: DeviceContext) async throws(StoreError) -> [AuthNRecord] {
        try await self.write { (connection) throws(SQLiteFailure) in
            // The domain says what a context admits; a device has few records.
            let erased = try Self.authentications(of: context.device, on: connection)
                .filter { context.admits($0.context) }
            guard !erased.isEmpty else { return [] }
            for record in erased {
                try connection.run("DELETE FROM authentications WHERE id = ?1", [.text(record.id.text)])
                if let code = record.code { try connection.note(.code(code)) }
            }
            try connection.note(.device(context.device))
            return erased
        }
    }

    package func authorizations(
        of device: DeviceHash, requestor: RequestorID, resources: [Resource]
    ) async throws(StoreError) -> [AuthZRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                var found: [AuthZRecord] = []
                var seen: Set<Resource> = []
                for resource in resources where seen.insert(resource).inserted {
                    let record = try connection.first(
                        """
                        SELECT authentication, device, requestor, resource, mvpd, created, expires FROM authorizations
                            WHERE device = ?1 AND requestor = ?2 AND resource = ?3
                        """, [.blob(device.bytes), .text(requestor.text), .text(resource.text)],
                        Self.authorization(from:))
                    if let record { found.append(record) }
                }
                return found
            }
        }
    }

    private static func authorization(from row: inout Row) throws(SQLiteFailure) -> AuthZRecord {
        AuthZRecord(
            authentication: AuthNID(text: try row.text()), device: try row.device(), requestor: try row.requestor(),
            resource: try row.resource(), mvpd: try row.mvpd(), created: try row.timestamp(),
            expires: try row.timestamp())
    }

    package func save(_ authorization: AuthZRecord) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let kept = try connection.run(
                """
                INSERT INTO authorizations (device, requestor, resource, authentication, mvpd, created, expires)
                    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM authentications WHERE id = ?4)
                    ON CONFLICT (device, requestor, resource) DO UPDATE SET authentication = excluded.authentication,
                        mvpd = excluded.mvpd, created = excluded.created, expires = excluded.expires
                """,
                [
                    .blob(authorization.device.bytes), .text(authorization.requestor.text),
                    .text(authorization.resource.text), .text(authorization.authentication.text),
                    .text(authorization.mvpd.text), .time(authorization.created), .time(authorization.expires),
                ])
            return kept == 1
        }
    }

    package func deleteAuthorization(
        of device: DeviceHash, requestor: RequestorID, resource: Resource
    ) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                "DELETE FROM authorizations WHERE device = ?1 AND requestor = ?2 AND resource = ?3",
                [.blob(device.bytes), .text(requestor.text), .text(resource.text)])
            return ()
        }
    }

    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let taken = try connection.run(
                """
                INSERT INTO nonces (public_key, nonce, expires) VALUES (?1, ?2, ?3)
                    ON CONFLICT (public_key, nonce) DO UPDATE SET expires = excluded.expires WHERE nonces.expires <= ?4
                """, [.text(publicKey), .text(nonce), .time(expires), .time(now)])
            return taken == 1
        }
    }
}
