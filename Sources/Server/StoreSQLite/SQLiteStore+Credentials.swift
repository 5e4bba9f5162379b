import Clientless
package import Entitlement

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
        return try connection.all(
            "SELECT public_key, sealed_private_key, server_to_server, created, ends FROM key_pairs ORDER BY public_key"
        ) { (row) throws(SQLiteFailure) in
            let publicKey = try row.text()
            return KeyPairRecord(
                publicKey: publicKey, sealedPrivateKey: try row.blob(), requestors: requestors[publicKey] ?? [],
                isServerToServer: try row.flag(), created: try row.timestamp(), ends: try row.timestampIfAny())
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
        return try connection.all(
            """
            SELECT software_id, name, version, server_to_server, created, ends FROM applications ORDER BY software_id
            """
        ) { (row) throws(SQLiteFailure) in
            let softwareID = try row.text()
            return ApplicationRecord(
                softwareID: softwareID, name: try row.text(), version: try row.text(),
                requestors: requestors[softwareID] ?? [], redirectTargets: targets[softwareID] ?? [],
                scopes: scopes[softwareID] ?? [], isServerToServer: try row.flag(), created: try row.timestamp(),
                ends: try row.timestampIfAny())
        }
    }

    private static let applicationList =
        "SELECT software_id, value FROM application_lists WHERE list = ?1 ORDER BY software_id, place"

    package func save(_ keyPair: KeyPairRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            // The lists of a replaced row go with it.
            try connection.run("DELETE FROM key_pairs WHERE public_key = ?1", [.text(keyPair.publicKey)])
            try connection.run(
                """
                INSERT INTO key_pairs (public_key, sealed_private_key, server_to_server, created, ends)
                    VALUES (?1, ?2, ?3, ?4, ?5)
                """,
                [
                    .text(keyPair.publicKey), .blob(keyPair.sealedPrivateKey), .flag(keyPair.isServerToServer),
                    .time(keyPair.created), .timeIfAny(keyPair.ends),
                ])
            for (place, requestor) in keyPair.requestors.enumerated() {
                try connection.run(
                    "INSERT INTO key_pair_requestors (public_key, place, requestor) VALUES (?1, ?2, ?3)",
                    [.text(keyPair.publicKey), .integer(Int64(place)), .text(requestor.text)])
            }
            try connection.note(.credentials)
            try connection.log(audit)
        }
    }

    package func save(_ application: ApplicationRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run("DELETE FROM applications WHERE software_id = ?1", [.text(application.softwareID)])
            try connection.run(
                """
                INSERT INTO applications (software_id, name, version, server_to_server, created, ends)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                [
                    .text(application.softwareID), .text(application.name), .text(application.version),
                    .flag(application.isServerToServer), .time(application.created), .timeIfAny(application.ends),
                ])
            let lists = [
                ("requestors", application.requestors.map(\.text)), ("targets", application.redirectTargets),
                ("scopes", application.scopes),
            ]
            for (list, values) in lists {
                for (place, value) in values.enumerated() {
                    try connection.run(
                        "INSERT INTO application_lists (software_id, list, place, value) VALUES (?1, ?2, ?3, ?4)",
                        [.text(application.softwareID), .text(list), .integer(Int64(place)), .text(value)])
                }
            }
            try connection.note(.credentials)
            try connection.log(audit)
        }
    }

    package func insert(_ client: ClientRecord) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                "INSERT INTO clients (client_id, secret_hash, software_id, created) VALUES (?1, ?2, ?3, ?4)",
                [.text(client.clientID), .blob(client.secretHash), .text(client.softwareID), .time(client.created)])
            for (place, uri) in client.redirectURIs.enumerated() {
                try connection.run(
                    "INSERT INTO client_redirects (client_id, place, uri) VALUES (?1, ?2, ?3)",
                    [.text(client.clientID), .integer(Int64(place)), .text(uri)])
            }
        }
    }

    package func client(_ clientID: String) async throws(StoreError) -> ClientRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                let uris = try connection.all(
                    "SELECT uri FROM client_redirects WHERE client_id = ?1 ORDER BY place", [.text(clientID)]
                ) { (row) throws(SQLiteFailure) in try row.text() }
                return try connection.first(
                    "SELECT client_id, secret_hash, software_id, created FROM clients WHERE client_id = ?1",
                    [.text(clientID)]
                ) { (row) throws(SQLiteFailure) in
                    ClientRecord(
                        clientID: try row.text(), secretHash: try row.blob(), softwareID: try row.text(),
                        redirectURIs: uris, created: try row.timestamp())
                }
            }
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
