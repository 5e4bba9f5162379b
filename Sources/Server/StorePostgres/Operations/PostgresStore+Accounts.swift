package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.snapshot { (session) throws(PostgresFailure) -> Account? in
            try Self.account(name, of: mvpd, on: session)
        }
    }

    package func account(id: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.snapshot { (session) throws(PostgresFailure) -> Account? in
            let name = try session.first(
                "SELECT name FROM latchkey.accounts WHERE mvpd = $1 AND id = $2", [.text(mvpd.text), .text(id)]
            ) { (row) throws(PostgresFailure) in try row.text() }
            guard let name else { return nil }
            return try Self.account(name, of: mvpd, on: session)
        }
    }

    private static func account(
        _ name: String, of mvpd: MVPDID, on session: Session
    ) throws(PostgresFailure) -> Account? {
        let key: [SQLValue] = [.text(mvpd.text), .text(name)]
        let lineUp = try session.all(
            "SELECT resource FROM latchkey.account_line_ups WHERE mvpd = $1 AND name = $2 ORDER BY place", key
        ) { (row) throws(PostgresFailure) in try row.text() }
        let entries = try session.all(
            "SELECT \(AccountMetadataColumns.names) FROM latchkey.account_metadata WHERE mvpd = $1 AND name = $2 "
                + "ORDER BY key, place", key
        ) { (row) throws(PostgresFailure) in try row.metadataEntry() }
        return try session.first(
            "SELECT \(AccountColumn.names) FROM latchkey.accounts WHERE mvpd = $1 AND name = $2", key
        ) { (row) throws(PostgresFailure) in
            try AccountColumn.account(from: &row, lineUp: lineUp, metadata: entries)
        }
    }

    package func accounts() async throws(StoreError) -> [Account] {
        try await self.snapshot { (session) throws(PostgresFailure) -> [Account] in
            // A provider ID has no slash, so provider and name together are one unambiguous key.
            let lineUps = try session.lists(
                "SELECT mvpd || '/' || name, resource FROM latchkey.account_line_ups ORDER BY mvpd, name, place"
            ) { (row) throws(PostgresFailure) in (try row.text(), try row.text()) }
            let entries = try session.lists(
                "SELECT mvpd || '/' || name, \(AccountMetadataColumns.names) FROM latchkey.account_metadata "
                    + "ORDER BY mvpd, name, key, place"
            ) { (row) throws(PostgresFailure) in (try row.text(), try row.metadataEntry()) }
            return try session.all("SELECT \(AccountColumn.names) FROM latchkey.accounts ORDER BY mvpd, name") {
                (row) throws(PostgresFailure) in
                let (mvpd, name) = (try row.text(AccountColumn.mvpd), try row.text(AccountColumn.name))
                let key = "\(mvpd)/\(name)"
                return try AccountColumn.account(
                    from: &row, lineUp: lineUps[key] ?? [], metadata: entries[key] ?? [])
            }
        }
    }

    package func insert(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await self.write([.named(.account, account.mvpd.text)]) { (session) throws(PostgresFailure) -> Bool in
            let kept = try session.run(
                """
                INSERT INTO latchkey.accounts (\(AccountColumn.names)) VALUES (\(AccountColumn.placeholders))
                    ON CONFLICT DO NOTHING
                """, AccountColumn.values(of: account))
            guard kept == 1 else { return false }
            try Self.keepLists(of: account, on: session)
            if let audit { try session.log(audit) }
            return true
        }
    }

    package func replace(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await self.write([.named(.account, account.mvpd.text)]) { (session) throws(PostgresFailure) -> Bool in
            let key: [SQLValue] = [.text(account.mvpd.text), .text(account.name)]
            let changed = try session.run(
                """
                UPDATE latchkey.accounts SET password_hash = $5, version = version + 1
                    WHERE mvpd = $1 AND name = $2 AND id = $3 AND version = $4
                """,
                key + [.text(account.id), .integer(Int64(account.version)), .text(account.passwordHash)])
            guard changed == 1 else { return false }
            try session.run("DELETE FROM latchkey.account_line_ups WHERE mvpd = $1 AND name = $2", key)
            try session.run("DELETE FROM latchkey.account_metadata WHERE mvpd = $1 AND name = $2", key)
            try Self.keepLists(of: account, on: session)
            if let audit { try session.log(audit) }
            return true
        }
    }

    private static func keepLists(of account: Account, on session: Session) throws(PostgresFailure) {
        let key: [SQLValue] = [.text(account.mvpd.text), .text(account.name)]
        for (place, resource) in account.lineUp.enumerated() {
            try session.run(
                "INSERT INTO latchkey.account_line_ups (mvpd, name, place, resource) VALUES ($1, $2, $3, $4)",
                key + [.integer(Int64(place)), .text(resource)])
        }
        for row in AccountMetadataColumns.rows(of: account.metadata) {
            try session.run(
                "INSERT INTO latchkey.account_metadata (mvpd, name, \(AccountMetadataColumns.names)) "
                    + "VALUES ($1, $2, $3, $4, $5, $6, $7)", key + row)
        }
    }

    package func deleteAccount(
        _ name: String, of mvpd: MVPDID, audit: AuditEntry?
    ) async throws(StoreError) -> Account? {
        try await self.write([.named(.account, mvpd.text)]) { (session) throws(PostgresFailure) -> Account? in
            guard let account = try Self.account(name, of: mvpd, on: session) else { return nil }
            try session.run(
                "DELETE FROM latchkey.accounts WHERE mvpd = $1 AND name = $2", [.text(mvpd.text), .text(name)])
            if let audit { try session.log(audit) }
            return account
        }
    }
}
