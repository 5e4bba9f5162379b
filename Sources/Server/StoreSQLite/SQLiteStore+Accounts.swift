package import Clientless
package import Entitlement

extension SQLiteStore {
    package func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                let key: [SQLValue] = [.text(mvpd.text), .text(name)]
                let lineUp = try connection.all(
                    "SELECT resource FROM account_line_ups WHERE mvpd = ?1 AND name = ?2 ORDER BY place", key
                ) { (row) throws(SQLiteFailure) in try row.text() }
                let entries = try connection.all(
                    "SELECT \(AccountMetadataColumns.names) FROM account_metadata WHERE mvpd = ?1 AND name = ?2 "
                        + "ORDER BY key, place", key
                ) { (row) throws(SQLiteFailure) in try row.metadataEntry() }
                let metadata = try AccountMetadataColumns.metadata(of: entries)
                return try connection.first(
                    "SELECT mvpd, name, password_hash FROM accounts WHERE mvpd = ?1 AND name = ?2", key
                ) { (row) throws(SQLiteFailure) in
                    Account(
                        mvpd: try row.mvpd(), name: try row.text(), passwordHash: try row.text(), lineUp: lineUp,
                        metadata: metadata)
                }
            }
        }
    }

    package func accounts() async throws(StoreError) -> [Account] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                // A provider ID has no slash, so provider and name together are one unambiguous key.
                let lineUps = try connection.lists(
                    "SELECT mvpd || '/' || name, resource FROM account_line_ups ORDER BY mvpd, name, place"
                ) { (row) throws(SQLiteFailure) in (try row.text(), try row.text()) }
                let entries = try connection.lists(
                    "SELECT mvpd || '/' || name, \(AccountMetadataColumns.names) FROM account_metadata "
                        + "ORDER BY mvpd, name, key, place"
                ) { (row) throws(SQLiteFailure) in (try row.text(), try row.metadataEntry()) }
                return try connection.all("SELECT mvpd, name, password_hash FROM accounts ORDER BY mvpd, name") {
                    (row) throws(SQLiteFailure) in
                    let (mvpd, name) = (try row.mvpd(), try row.text())
                    return Account(
                        mvpd: mvpd, name: name, passwordHash: try row.text(),
                        lineUp: lineUps["\(mvpd.text)/\(name)"] ?? [],
                        metadata: try AccountMetadataColumns.metadata(of: entries["\(mvpd.text)/\(name)"] ?? []))
                }
            }
        }
    }

    package func save(_ account: Account) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            let key: [SQLValue] = [.text(account.mvpd.text), .text(account.name)]
            // The line-up and the metadata of a replaced row go with it.
            try connection.run("DELETE FROM accounts WHERE mvpd = ?1 AND name = ?2", key)
            try connection.run(
                "INSERT INTO accounts (mvpd, name, password_hash) VALUES (?1, ?2, ?3)",
                key + [.text(account.passwordHash)])
            for (place, resource) in account.lineUp.enumerated() {
                try connection.run(
                    "INSERT INTO account_line_ups (mvpd, name, place, resource) VALUES (?1, ?2, ?3, ?4)",
                    key + [.integer(Int64(place)), .text(resource)])
            }
            for row in AccountMetadataColumns.rows(of: account.metadata) {
                try connection.run(
                    "INSERT INTO account_metadata (mvpd, name, \(AccountMetadataColumns.names)) "
                        + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", key + row)
            }
        }
    }

    package func deleteAccount(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                "DELETE FROM accounts WHERE mvpd = ?1 AND name = ?2", [.text(mvpd.text), .text(name)]) == 1
        }
    }
}
