package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func lastDecisions(on device: DeviceHash) async throws(StoreError) -> [AuthNID: Timestamp] {
        let times = try await self.read(
            """
            SELECT authentication, max(created) FROM latchkey.authorizations
                WHERE authentication IN (SELECT id FROM latchkey.authentications WHERE device = $1) GROUP BY authentication
            """, [.blob(device.bytes)]
        ) { (row) throws(PostgresFailure) in (AuthNID(text: try row.text()), try row.timestamp()) }
        return Dictionary(uniqueKeysWithValues: times)
    }

    package func authorizations(of device: DeviceHash) async throws(StoreError) -> [AuthZRecord] {
        try await self.read(
            """
            SELECT \(AuthorizationColumn.names) FROM latchkey.authorizations
                WHERE authentication IN (SELECT id FROM latchkey.authentications WHERE device = $1)
                ORDER BY created DESC, requestor, resource
            """, [.blob(device.bytes)], AuthorizationColumn.record(from:))
    }

    package func authorizations(
        of authentication: AuthNID, requestor: RequestorID, resources: [Resource]
    ) async throws(StoreError) -> [AuthZRecord] {
        // Each by its key, which are few beside the decisions that a sign-in may have; all of one moment.
        try await self.snapshot { (session) throws(PostgresFailure) -> [AuthZRecord] in
            var tickets: [Ticket] = []
            var seen: Set<Resource> = []
            for resource in resources where seen.insert(resource).inserted {
                tickets.append(
                    try session.send(
                        """
                        SELECT \(AuthorizationColumn.names) FROM latchkey.authorizations
                            WHERE authentication = $1 AND requestor = $2 AND resource = $3
                        """, [.text(authentication.text), .text(requestor.text), .text(resource.text)]))
            }
            var found: [AuthZRecord] = []
            for ticket in tickets { found += try session.rows(of: ticket, AuthorizationColumn.record(from:)) }
            return found
        }
    }

    package func save(_ authorization: AuthZRecord, limit: Int) async throws(StoreError) -> Bool {
        try await self.write([.signIn(authorization.authentication)]) { (session) throws(PostgresFailure) -> [Ticket] in
            try Self.begin(keeping: authorization, limit: limit, on: session)
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }

    /// Keeps a decision unless its sign-in is gone, and erases the oldest beyond `limit`. The first answer says whether it
    /// was kept. Its sign-in is a subject of the transaction.
    static func begin(
        keeping record: AuthZRecord, limit: Int, on session: Session
    ) throws(PostgresFailure) -> [Ticket] {
        [
            try session.send(AuthorizationColumn.insertion, AuthorizationColumn.values(of: record)),
            try session.send(
                """
                DELETE FROM latchkey.authorizations WHERE (authentication, requestor, resource) IN
                    (SELECT authentication, requestor, resource FROM latchkey.authorizations
                        WHERE authentication = $1 AND NOT (requestor = $2 AND resource = $3)
                        ORDER BY created DESC, requestor DESC, resource DESC OFFSET $4)
                """,
                [
                    .text(record.authentication.text), .text(record.requestor.text), .text(record.resource.text),
                    .integer(Int64(max(limit, 1) - 1)),
                ]),
        ]
    }

    package func deleteAuthorization(
        of authentication: AuthNID, requestor: RequestorID, resource: Resource
    ) async throws(StoreError) {
        _ = try await self.write([.signIn(authentication)]) { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    DELETE FROM latchkey.authorizations WHERE authentication = $1 AND requestor = $2 AND resource = $3
                    """, [.text(authentication.text), .text(requestor.text), .text(resource.text)])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Int in
            try session.count(of: tickets[0])
        }
    }
}
