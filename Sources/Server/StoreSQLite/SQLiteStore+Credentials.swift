package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func credentials() async throws(StoreError) -> (
        keyPairs: [KeyPairRecord], applications: [ApplicationRecord]
    ) {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                (try Self.keyPairs(on: connection), try Self.applications(on: connection))
            }
        }
    }

    private static func keyPairs(on connection: borrowing Connection) throws(SQLiteFailure) -> [KeyPairRecord] {
        let requestors = try connection.lists(
            "SELECT public_key, requestor FROM key_pair_requestors ORDER BY public_key, place"
        ) { (row) throws(SQLiteFailure) in (try row.text(), try row.requestor()) }
        return try connection.all("SELECT \(KeyPairColumn.names) FROM key_pairs ORDER BY public_key") {
            (row) throws(SQLiteFailure) in
            try KeyPairColumn.record(from: &row) { requestors[$0] ?? [] }
        }
    }

    private static func applications(
        on connection: borrowing Connection
    ) throws(SQLiteFailure) -> [ApplicationRecord] {
        let requestors = try connection.lists(self.applicationList, [.text("requestors")]) {
            (row) throws(SQLiteFailure) in (try row.text(), try row.requestor())
        }
        let targets = try connection.lists(self.applicationList, [.text("targets")]) {
            (row) throws(SQLiteFailure) in (try row.text(), try row.text())
        }
        let scopes = try connection.lists(self.applicationList, [.text("scopes")]) {
            (row) throws(SQLiteFailure) in (try row.text(), try row.text())
        }
        return try connection.all("SELECT \(ApplicationColumn.names) FROM applications ORDER BY software_id") {
            (row) throws(SQLiteFailure) in
            let softwareID = try row.text(ApplicationColumn.softwareID)
            return try ApplicationColumn.record(
                from: &row, requestors: requestors[softwareID] ?? [], targets: targets[softwareID] ?? [],
                scopes: scopes[softwareID] ?? [])
        }
    }

    private static let applicationList =
        "SELECT software_id, value FROM application_lists WHERE list = ?1 ORDER BY software_id, place"

    package func save(_ keyPair: KeyPairRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try Self.keep(keyPair, on: connection)
            try connection.log(audit)
        }
    }

    /// Keeps a key pair, in place of one that has its public key.
    static func keep(_ keyPair: KeyPairRecord, on connection: borrowing Connection) throws(SQLiteFailure) {
        // The lists of a replaced row go with it.
        try connection.run("DELETE FROM key_pairs WHERE public_key = ?1", [.text(keyPair.publicKey)])
        try connection.run(
            "INSERT INTO key_pairs (\(KeyPairColumn.names)) VALUES (\(KeyPairColumn.placeholders))",
            KeyPairColumn.values(of: keyPair))
        for (place, requestor) in keyPair.requestors.enumerated() {
            try connection.run(
                "INSERT INTO key_pair_requestors (public_key, place, requestor) VALUES (?1, ?2, ?3)",
                [.text(keyPair.publicKey), .integer(Int64(place)), .text(requestor.text)])
        }
        connection.note(.credentials)
    }

    package func save(_ application: ApplicationRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run("DELETE FROM applications WHERE software_id = ?1", [.text(application.softwareID)])
            try connection.run(
                "INSERT INTO applications (\(ApplicationColumn.names)) VALUES (\(ApplicationColumn.placeholders))",
                ApplicationColumn.values(of: application))
            for row in ApplicationListColumns.rows(of: application) {
                try connection.run(
                    """
                    INSERT INTO application_lists (\(ApplicationListColumns.names)) VALUES (?1, ?2, ?3, ?4)
                    """, row)
            }
            connection.note(.credentials)
            try connection.log(audit)
        }
    }

    package func endKeyPair(
        _ publicKey: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> KeyPairRecord? {
        try await self.write { (connection) throws(SQLiteFailure) in
            let changed = try connection.run(
                "UPDATE key_pairs SET ends = ?2 WHERE public_key = ?1 AND (ends IS NULL OR ends > ?2)",
                [.text(publicKey), .time(moment)])
            if changed > 0 {
                connection.note(.credentials)
                try connection.log(audit)
            }
            return try Self.keyPairs(on: connection).first { $0.publicKey == publicKey }
        }
    }

    package func reseal(_ publicKey: String, from old: [UInt8], to new: [UInt8]) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let changed = try connection.run(
                "UPDATE key_pairs SET sealed_private_key = ?3 WHERE public_key = ?1 AND sealed_private_key = ?2",
                [.text(publicKey), .blob(old), .blob(new)])
            if changed > 0 { connection.note(.credentials) }
            return changed > 0
        }
    }

    package func endApplication(
        _ softwareID: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> ApplicationRecord? {
        try await self.write { (connection) throws(SQLiteFailure) in
            let changed = try connection.run(
                "UPDATE applications SET ends = ?2 WHERE software_id = ?1 AND (ends IS NULL OR ends > ?2)",
                [.text(softwareID), .time(moment)])
            if changed > 0 {
                connection.note(.credentials)
                try connection.log(audit)
            }
            return try Self.applications(on: connection).first { $0.softwareID == softwareID }
        }
    }

    package func insert(_ client: ClientRecord, quota: ClientQuota?) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            if let quota, try Self.isReached(quota, of: client.softwareID, on: connection) { return false }
            try connection.run(
                "INSERT INTO clients (\(ClientColumn.names)) VALUES (\(ClientColumn.placeholders))",
                ClientColumn.values(of: client))
            for (place, uri) in client.redirectURIs.enumerated() {
                try connection.run(
                    "INSERT INTO client_redirects (client_id, place, uri) VALUES (?1, ?2, ?3)",
                    [.text(client.clientID), .integer(Int64(place)), .text(uri)])
            }
            return true
        }
    }

    private static func isReached(
        _ quota: ClientQuota, of softwareID: String, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Bool {
        // Answered from the index, and no further than to the quota.
        let count = try connection.first(
            "SELECT count(*) FROM (SELECT 1 FROM clients WHERE software_id = ?1 AND created >= ?2 LIMIT ?3)",
            [.text(softwareID), .time(quota.since), .integer(Int64(max(quota.number, 0)))]
        ) { (row) throws(SQLiteFailure) in try row.integer() }
        return (count ?? 0) >= Int64(max(quota.number, 0))
    }

    package func client(_ clientID: String) async throws(StoreError) -> ClientRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                let uris = try connection.all(
                    "SELECT uri FROM client_redirects WHERE client_id = ?1 ORDER BY place", [.text(clientID)]
                ) { (row) throws(SQLiteFailure) in try row.text() }
                return try connection.first(
                    "SELECT \(ClientColumn.names) FROM clients WHERE client_id = ?1", [.text(clientID)]
                ) { (row) throws(SQLiteFailure) in try ClientColumn.record(from: &row, redirectURIs: uris) }
            }
        }
    }

    package func markUsed(_ clientID: String, at moment: Timestamp) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                "UPDATE clients SET last_used = ?2 WHERE client_id = ?1 AND last_used < ?2",
                [.text(clientID), .time(moment)])
            return ()
        }
    }

    package func deleteClient(_ clientID: String, audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            guard try connection.run("DELETE FROM clients WHERE client_id = ?1", [.text(clientID)]) == 1
            else { return false }
            connection.note(.client(clientID))
            try connection.log(audit)
            return true
        }
    }
}

extension Connection {
    /// Reads rows of an owner and a value into one list per owner, in the order of the rows.
    borrowing func lists<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (inout Row) throws(SQLiteFailure) -> (String, Value)
    ) throws(SQLiteFailure) -> [String: [Value]] {
        var lists: [String: [Value]] = [:]
        for (owner, value) in try self.all(sql, values, read) { lists[owner, default: []].append(value) }
        return lists
    }
}
