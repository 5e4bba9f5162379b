package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func credentials() async throws(StoreError) -> (
        keyPairs: [KeyPairRecord], applications: [ApplicationRecord]
    ) {
        try await self.snapshot { (session) throws(PostgresFailure) -> ([KeyPairRecord], [ApplicationRecord]) in
            (try Self.keyPairs(on: session), try Self.applications(on: session))
        }
    }

    private static func keyPairs(on session: Session) throws(PostgresFailure) -> [KeyPairRecord] {
        let requestors = try session.lists(
            "SELECT public_key, requestor FROM latchkey.key_pair_requestors ORDER BY public_key, place"
        ) { (row) throws(PostgresFailure) in (try row.text(), try row.requestor()) }
        return try session.all("SELECT \(KeyPairColumn.names) FROM latchkey.key_pairs ORDER BY public_key") {
            (row) throws(PostgresFailure) in
            try KeyPairColumn.record(from: &row) { requestors[$0] ?? [] }
        }
    }

    private static func applications(
        on session: Session
    ) throws(PostgresFailure) -> [ApplicationRecord] {
        let requestors = try session.lists(self.applicationList, [.text("requestors")]) {
            (row) throws(PostgresFailure) in (try row.text(), try row.requestor())
        }
        let targets = try session.lists(self.applicationList, [.text("targets")]) {
            (row) throws(PostgresFailure) in (try row.text(), try row.text())
        }
        let scopes = try session.lists(self.applicationList, [.text("scopes")]) {
            (row) throws(PostgresFailure) in (try row.text(), try row.text())
        }
        return try session.all("SELECT \(ApplicationColumn.names) FROM latchkey.applications ORDER BY software_id") {
            (row) throws(PostgresFailure) in
            let softwareID = try row.text(ApplicationColumn.softwareID)
            return try ApplicationColumn.record(
                from: &row, requestors: requestors[softwareID] ?? [], targets: targets[softwareID] ?? [],
                scopes: scopes[softwareID] ?? [])
        }
    }

    private static let applicationList =
        "SELECT software_id, value FROM latchkey.application_lists WHERE list = $1 ORDER BY software_id, place"

    package func save(_ keyPair: KeyPairRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write([.named(.keyPair, keyPair.publicKey)]) { (session) throws(PostgresFailure) -> Void in
            try Self.keep(keyPair, on: session)
            try session.log(audit)
        }
    }

    /// Keeps a key pair, in place of one that has its public key.
    static func keep(_ keyPair: KeyPairRecord, on session: Session) throws(PostgresFailure) {
        // The lists of a replaced row go with it.
        try session.run("DELETE FROM latchkey.key_pairs WHERE public_key = $1", [.text(keyPair.publicKey)])
        try session.run(
            "INSERT INTO latchkey.key_pairs (\(KeyPairColumn.names)) VALUES (\(KeyPairColumn.placeholders))",
            KeyPairColumn.values(of: keyPair))
        for (place, requestor) in keyPair.requestors.enumerated() {
            try session.run(
                "INSERT INTO latchkey.key_pair_requestors (public_key, place, requestor) VALUES ($1, $2, $3)",
                [.text(keyPair.publicKey), .integer(Int64(place)), .text(requestor.text)])
        }
        session.note(.credentials)
    }

    package func save(_ application: ApplicationRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write([.named(.application, application.softwareID)]) {
            (session) throws(PostgresFailure) -> Void in
            try session.run("DELETE FROM latchkey.applications WHERE software_id = $1", [.text(application.softwareID)])
            try session.run(
                "INSERT INTO latchkey.applications (\(ApplicationColumn.names)) VALUES (\(ApplicationColumn.placeholders))",
                ApplicationColumn.values(of: application))
            for row in ApplicationListColumns.rows(of: application) {
                try session.run(
                    """
                    INSERT INTO latchkey.application_lists (\(ApplicationListColumns.names)) VALUES ($1, $2, $3, $4)
                    """, row)
            }
            session.note(.credentials)
            try session.log(audit)
        }
    }

    package func endKeyPair(
        _ publicKey: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> KeyPairRecord? {
        try await self.write([.named(.keyPair, publicKey)]) { (session) throws(PostgresFailure) -> KeyPairRecord? in
            let changed = try session.run(
                "UPDATE latchkey.key_pairs SET ends = $2 WHERE public_key = $1 AND (ends IS NULL OR ends > $2)",
                [.text(publicKey), .time(moment)])
            if changed > 0 {
                session.note(.credentials)
                try session.log(audit)
            }
            return try Self.keyPairs(on: session).first { $0.publicKey == publicKey }
        }
    }

    package func reseal(_ publicKey: String, from old: [UInt8], to new: [UInt8]) async throws(StoreError) -> Bool {
        try await self.write([.named(.keyPair, publicKey)]) { (session) throws(PostgresFailure) -> Bool in
            let changed = try session.run(
                "UPDATE latchkey.key_pairs SET sealed_private_key = $3 WHERE public_key = $1 AND sealed_private_key = $2",
                [.text(publicKey), .blob(old), .blob(new)])
            if changed > 0 { session.note(.credentials) }
            return changed > 0
        }
    }

    package func endApplication(
        _ softwareID: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> ApplicationRecord? {
        try await self.write([.named(.application, softwareID)]) {
            (session) throws(PostgresFailure) -> ApplicationRecord? in
            let changed = try session.run(
                "UPDATE latchkey.applications SET ends = $2 WHERE software_id = $1 AND (ends IS NULL OR ends > $2)",
                [.text(softwareID), .time(moment)])
            if changed > 0 {
                session.note(.credentials)
                try session.log(audit)
            }
            return try Self.applications(on: session).first { $0.softwareID == softwareID }
        }
    }

    package func insert(_ client: ClientRecord, quota: ClientQuota?) async throws(StoreError) -> Bool {
        try await self.write([.named(.application, client.softwareID)]) { (session) throws(PostgresFailure) -> Bool in
            if let quota, try Self.isReached(quota, of: client.softwareID, on: session) { return false }
            try session.run(
                "INSERT INTO latchkey.clients (\(ClientColumn.names)) VALUES (\(ClientColumn.placeholders))",
                ClientColumn.values(of: client))
            for (place, uri) in client.redirectURIs.enumerated() {
                try session.run(
                    "INSERT INTO latchkey.client_redirects (client_id, place, uri) VALUES ($1, $2, $3)",
                    [.text(client.clientID), .integer(Int64(place)), .text(uri)])
            }
            return true
        }
    }

    private static func isReached(
        _ quota: ClientQuota, of softwareID: String, on session: Session
    ) throws(PostgresFailure) -> Bool {
        // Answered from the index, and no further than to the quota.
        let count = try session.first(
            "SELECT count(*) FROM (SELECT 1 FROM latchkey.clients WHERE software_id = $1 AND created >= $2 LIMIT $3) AS found",
            [.text(softwareID), .time(quota.since), .integer(Int64(max(quota.number, 0)))]
        ) { (row) throws(PostgresFailure) in try row.integer() }
        return (count ?? 0) >= Int64(max(quota.number, 0))
    }

    package func client(_ clientID: String) async throws(StoreError) -> ClientRecord? {
        try await self.snapshot { (session) throws(PostgresFailure) -> ClientRecord? in
            let uris = try session.all(
                "SELECT uri FROM latchkey.client_redirects WHERE client_id = $1 ORDER BY place", [.text(clientID)]
            ) { (row) throws(PostgresFailure) in try row.text() }
            return try session.first(
                "SELECT \(ClientColumn.names) FROM latchkey.clients WHERE client_id = $1", [.text(clientID)]
            ) { (row) throws(PostgresFailure) in try ClientColumn.record(from: &row, redirectURIs: uris) }
        }
    }

    package func markUsed(_ clientID: String, at moment: Timestamp) async throws(StoreError) {
        _ = try await self.write([.named(.client, clientID)]) { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    "UPDATE latchkey.clients SET last_used = $2 WHERE client_id = $1 AND last_used < $2",
                    [.text(clientID), .time(moment)])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Int in
            try session.count(of: tickets[0])
        }
    }

    package func deleteClient(_ clientID: String, audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write([.named(.client, clientID)]) { (session) throws(PostgresFailure) -> Bool in
            guard try session.run("DELETE FROM latchkey.clients WHERE client_id = $1", [.text(clientID)]) == 1
            else { return false }
            session.note(.client(clientID))
            try session.log(audit)
            return true
        }
    }
}

extension Session {
    /// Reads rows of an owner and a value into one list per owner, in the order of the rows.
    func lists<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (inout Row) throws(PostgresFailure) -> (String, Value)
    ) throws(PostgresFailure) -> [String: [Value]] {
        var lists: [String: [Value]] = [:]
        for (owner, value) in try self.all(sql, values, read) { lists[owner, default: []].append(value) }
        return lists
    }
}
