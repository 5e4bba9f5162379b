package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                try Self.account(name, of: mvpd, on: connection)
            }
        }
    }

    package func account(id: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) -> Account? in
                let name = try connection.first(
                    "SELECT name FROM accounts WHERE mvpd = ?1 AND id = ?2", [.text(mvpd.text), .text(id)]
                ) { (row) throws(SQLiteFailure) in try row.text() }
                guard let name else { return nil }
                return try Self.account(name, of: mvpd, on: connection)
            }
        }
    }

    private static func account(
        _ name: String, of mvpd: MVPDID, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Account? {
        let key: [SQLValue] = [.text(mvpd.text), .text(name)]
        let lineUp = try connection.all(
            "SELECT resource FROM account_line_ups WHERE mvpd = ?1 AND name = ?2 ORDER BY place", key
        ) { (row) throws(SQLiteFailure) in try row.text() }
        let entries = try connection.all(
            "SELECT \(AccountMetadataColumns.names) FROM account_metadata WHERE mvpd = ?1 AND name = ?2 "
                + "ORDER BY key, place", key
        ) { (row) throws(SQLiteFailure) in try row.metadataEntry() }
        return try connection.first(
            "SELECT \(AccountColumn.names) FROM accounts WHERE mvpd = ?1 AND name = ?2", key
        ) { (row) throws(SQLiteFailure) in
            try AccountColumn.account(from: &row, lineUp: lineUp, metadata: entries)
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
                return try connection.all("SELECT \(AccountColumn.names) FROM accounts ORDER BY mvpd, name") {
                    (row) throws(SQLiteFailure) in
                    let (mvpd, name) = (try row.text(AccountColumn.mvpd), try row.text(AccountColumn.name))
                    let key = "\(mvpd)/\(name)"
                    return try AccountColumn.account(
                        from: &row, lineUp: lineUps[key] ?? [], metadata: entries[key] ?? [])
                }
            }
        }
    }

    package func insert(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let kept = try connection.run(
                """
                INSERT INTO accounts (\(AccountColumn.names)) VALUES (\(AccountColumn.placeholders))
                    ON CONFLICT DO NOTHING
                """, AccountColumn.values(of: account))
            guard kept == 1 else { return false }
            try Self.keepLists(of: account, on: connection)
            if let audit { try connection.log(audit) }
            return true
        }
    }

    package func replace(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let key: [SQLValue] = [.text(account.mvpd.text), .text(account.name)]
            let changed = try connection.run(
                """
                UPDATE accounts SET password_hash = ?5, version = version + 1
                    WHERE mvpd = ?1 AND name = ?2 AND id = ?3 AND version = ?4
                """,
                key + [.text(account.id), .integer(Int64(account.version)), .text(account.passwordHash)])
            guard changed == 1 else { return false }
            try connection.run("DELETE FROM account_line_ups WHERE mvpd = ?1 AND name = ?2", key)
            try connection.run("DELETE FROM account_metadata WHERE mvpd = ?1 AND name = ?2", key)
            try Self.keepLists(of: account, on: connection)
            if let audit { try connection.log(audit) }
            return true
        }
    }

    private static func keepLists(of account: Account, on connection: borrowing Connection) throws(SQLiteFailure) {
        let key: [SQLValue] = [.text(account.mvpd.text), .text(account.name)]
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

    package func deleteAccount(
        _ name: String, of mvpd: MVPDID, audit: AuditEntry?
    ) async throws(StoreError) -> Account? {
        try await self.write { (connection) throws(SQLiteFailure) -> Account? in
            guard let account = try Self.account(name, of: mvpd, on: connection) else { return nil }
            try connection.run("DELETE FROM accounts WHERE mvpd = ?1 AND name = ?2", [.text(mvpd.text), .text(name)])
            if let audit { try connection.log(audit) }
            return account
        }
    }
}
