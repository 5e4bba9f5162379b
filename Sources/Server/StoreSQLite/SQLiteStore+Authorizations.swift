package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func lastDecisions(on device: DeviceHash) async throws(StoreError) -> [AuthNID: Timestamp] {
        let times = try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                """
                SELECT authentication, max(created) FROM authorizations
                    WHERE authentication IN (SELECT id FROM authentications WHERE device = ?1) GROUP BY authentication
                """, [.blob(device.bytes)]
            ) { (row) throws(SQLiteFailure) in (AuthNID(text: try row.text()), try row.timestamp()) }
        }
        return Dictionary(uniqueKeysWithValues: times)
    }

    package func authorizations(of device: DeviceHash) async throws(StoreError) -> [AuthZRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                """
                SELECT \(AuthorizationColumn.names) FROM authorizations
                    WHERE authentication IN (SELECT id FROM authentications WHERE device = ?1)
                    ORDER BY created DESC, requestor, resource
                """, [.blob(device.bytes)], AuthorizationColumn.record(from:))
        }
    }

    package func authorizations(
        of authentication: AuthNID, requestor: RequestorID, resources: [Resource]
    ) async throws(StoreError) -> [AuthZRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                var found: [AuthZRecord] = []
                var seen: Set<Resource> = []
                for resource in resources where seen.insert(resource).inserted {
                    let record = try connection.first(
                        """
                        SELECT \(AuthorizationColumn.names) FROM authorizations
                            WHERE authentication = ?1 AND requestor = ?2 AND resource = ?3
                        """, [.text(authentication.text), .text(requestor.text), .text(resource.text)],
                        AuthorizationColumn.record(from:))
                    if let record { found.append(record) }
                }
                return found
            }
        }
    }

    package func save(_ authorization: AuthZRecord, limit: Int) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            try Self.keep(authorization, limit: limit, on: connection)
        }
    }

    /// Keeps a decision unless its sign-in is gone, and erases the oldest beyond `limit`.
    static func keep(
        _ record: AuthZRecord, limit: Int, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Bool {
        guard try connection.run(AuthorizationColumn.insertion, AuthorizationColumn.values(of: record)) == 1
        else { return false }
        // Answered from the beginning of the primary key.
        let count = try connection.first(
            "SELECT count(*) FROM authorizations WHERE authentication = ?1", [.text(record.authentication.text)]
        ) { (row) throws(SQLiteFailure) in try row.integer() }
        guard let count, count > Int64(max(limit, 1)) else { return true }
        try connection.run(
            """
            DELETE FROM authorizations WHERE (authentication, requestor, resource) IN
                (SELECT authentication, requestor, resource FROM authorizations
                    WHERE authentication = ?1 AND NOT (requestor = ?2 AND resource = ?3)
                    ORDER BY created, requestor, resource LIMIT ?4)
            """,
            [
                .text(record.authentication.text), .text(record.requestor.text), .text(record.resource.text),
                .integer(count - Int64(max(limit, 1))),
            ])
        return true
    }

    package func deleteAuthorization(
        of authentication: AuthNID, requestor: RequestorID, resource: Resource
    ) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                "DELETE FROM authorizations WHERE authentication = ?1 AND requestor = ?2 AND resource = ?3",
                [.text(authentication.text), .text(requestor.text), .text(resource.text)])
            return ()
        }
    }
}
