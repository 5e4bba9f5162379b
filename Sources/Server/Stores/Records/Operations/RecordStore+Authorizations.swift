package import Clientless
package import Entitlement

extension RecordStore {
    package func lastDecisions(on device: DeviceHash) async throws(StoreError) -> [AuthNID: Timestamp] {
        let times = try await self.read(
            """
            SELECT authentication, max(created) FROM latchkey.authorizations WHERE authentication IN
                (SELECT id FROM latchkey.authentications WHERE device = \(device)) GROUP BY authentication
            """
        ) { (row) throws(Failure) -> (AuthNID, Timestamp) in (try row.value(), try row.value()) }
        return Dictionary(uniqueKeysWithValues: times)
    }

    package func authorizations(of device: DeviceHash) async throws(StoreError) -> [AuthZRecord] {
        try await self.read(
            """
            SELECT \(AuthorizationColumn.self) FROM latchkey.authorizations
                WHERE authentication IN (SELECT id FROM latchkey.authentications WHERE device = \(device))
                ORDER BY created DESC, requestor, resource
            """, AuthorizationColumn.record(from:))
    }

    package func authorizations(
        of authentication: AuthNID, requestor: RequestorID, resources: [Resource]
    ) async throws(StoreError) -> [AuthZRecord] {
        var seen: Set<Resource> = []
        // Each by its key, which are few beside the decisions that a sign-in may have; all of one moment.
        let questions = resources.filter { seen.insert($0).inserted }.map { resource -> SQL in
            """
            SELECT \(AuthorizationColumn.self) FROM latchkey.authorizations
                WHERE authentication = \(authentication) AND requestor = \(requestor) AND resource = \(resource)
            """
        }
        return try await self.snapshot { (session) throws(Failure) in
            try session.all(questions, AuthorizationColumn.record(from:))
        }
    }

    package func save(_ authorization: AuthZRecord, limit: Int) async throws(StoreError) -> Bool {
        try await self.write(
            [.signIn(authorization.authentication)], Self.keeping(authorization, limit: limit), isPassing: false)[0]
            == 1
    }

    /// Keeps a decision unless its sign-in is gone, and erases the oldest beyond `limit`. The first statement changes a row
    /// when it is kept. Its sign-in is a subject of the transaction, and cannot go before the end of it.
    static func keeping(_ record: AuthZRecord, limit: Int) -> [SQL] {
        let limit = max(limit, 1)
        let ofSignIn: SQL = "FROM latchkey.authorizations WHERE authentication = \(record.authentication)"
        // The surplus is counted from the beginning of the primary key; mostly there is none, and nothing is sorted.
        return [
            """
            INSERT INTO latchkey.authorizations (\(AuthorizationColumn.self))
                SELECT \(AuthorizationColumn.values(of: record)) FROM latchkey.authentications
                WHERE id = \(record.authentication)\(raw: self.dialect.keyShare)
                ON CONFLICT (authentication, requestor, resource) DO UPDATE SET device = excluded.device,
                    mvpd = excluded.mvpd, origin = excluded.origin, created = excluded.created, expires = excluded.expires
            """,
            """
            DELETE FROM latchkey.authorizations WHERE (authentication, requestor, resource) IN
                (SELECT authentication, requestor, resource \(ofSignIn)
                    AND NOT (requestor = \(record.requestor) AND resource = \(record.resource))
                    ORDER BY created, requestor, resource
                    LIMIT (SELECT CASE WHEN count(*) > \(limit) THEN count(*) - \(limit) ELSE 0 END \(ofSignIn)))
            """,
        ]
    }

    package func deleteAuthorization(
        of authentication: AuthNID, requestor: RequestorID, resource: Resource
    ) async throws(StoreError) {
        try await self.write(
            [.signIn(authentication)],
            [
                """
                DELETE FROM latchkey.authorizations WHERE authentication = \(authentication)
                    AND requestor = \(requestor) AND resource = \(resource) RETURNING device
                """
            ], reading: { (row) throws(Failure) -> DeviceHash in try row.value() }
        ) { (session, devices) throws(Failure) in for device in devices { session.note(.device(device)) } }
    }
}
