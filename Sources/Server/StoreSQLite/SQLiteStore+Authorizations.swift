package import Clientless
package import Entitlement

extension SQLiteStore {
    package func authorizations(of device: DeviceHash) async throws(StoreError) -> [AuthZRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                """
                SELECT \(AuthorizationColumns.names) FROM authorizations WHERE device = ?1
                    ORDER BY created DESC, requestor, resource
                """, [.blob(device.bytes)], AuthorizationColumns.record(from:))
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
                        SELECT \(AuthorizationColumns.names) FROM authorizations
                            WHERE device = ?1 AND requestor = ?2 AND resource = ?3
                        """, [.blob(device.bytes), .text(requestor.text), .text(resource.text)],
                        AuthorizationColumns.record(from:))
                    if let record { found.append(record) }
                }
                return found
            }
        }
    }

    package func save(_ authorization: AuthZRecord) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(AuthorizationColumns.insertion, AuthorizationColumns.values(of: authorization)) == 1
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
}
