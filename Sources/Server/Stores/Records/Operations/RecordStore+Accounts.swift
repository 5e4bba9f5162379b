package import Clientless
package import Entitlement

extension RecordStore {
    package func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.snapshot { (session) throws(Failure) in try session.account(name, of: mvpd) }
    }

    package func account(id: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.snapshot { (session) throws(Failure) in
            try session.account(
                "SELECT \(AccountColumn.self) FROM latchkey.accounts WHERE mvpd = \(mvpd) AND id = \(id)")
        }
    }

    package func accounts() async throws(StoreError) -> [Account] {
        try await self.snapshot { (session) throws(Failure) in
            // A provider ID has no slash, so provider and name together are one unambiguous key.
            let lineUps = try session.lists(
                "SELECT mvpd || '/' || name, resource FROM latchkey.account_line_ups ORDER BY mvpd, name, place"
            ) { (row) throws(Failure) in try row.text() }
            let entries = try session.lists(
                """
                SELECT mvpd || '/' || name, \(raw: AccountMetadataColumns.names) FROM latchkey.account_metadata
                    ORDER BY mvpd, name, key, place
                """
            ) { (row) throws(Failure) in try row.metadataEntry() }
            return try session.all("SELECT \(AccountColumn.self) FROM latchkey.accounts ORDER BY mvpd, name") {
                (row) throws(Failure) in
                let key = "\(try row.text(AccountColumn.mvpd))/\(try row.text(AccountColumn.name))"
                return try AccountColumn.account(
                    from: &row, lineUp: lineUps[key] ?? [], metadata: entries[key] ?? [])
            }
        }
    }

    package func insert(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await self.write([.named(.account, account.mvpd.text)]) { (session) throws(Failure) in
            guard try session.run(AccountColumn.insertion(of: account)) == 1 else { return false }
            try session.run(account.listInsertions)
            try session.log(audit)
            return true
        }
    }

    package func replace(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await self.write([.named(.account, account.mvpd.text)]) { (session) throws(Failure) in
            let changed = try session.run(
                """
                UPDATE latchkey.accounts SET password_hash = \(account.passwordHash), version = version + 1
                    WHERE mvpd = \(account.mvpd) AND name = \(account.name) AND id = \(account.id)
                        AND version = \(account.version)
                """)
            guard changed == 1 else { return false }
            let key: SQL = "mvpd = \(account.mvpd) AND name = \(account.name)"
            try session.run(
                [
                    "DELETE FROM latchkey.account_line_ups WHERE \(key)",
                    "DELETE FROM latchkey.account_metadata WHERE \(key)",
                ] + account.listInsertions)
            try session.log(audit)
            return true
        }
    }

    package func deleteAccount(
        _ name: String, of mvpd: MVPDID, audit: AuditEntry?
    ) async throws(StoreError) -> Account? {
        try await self.write([.named(.account, mvpd.text)]) { (session) throws(Failure) -> Account? in
            guard let account = try session.account(name, of: mvpd) else { return nil }
            try session.run("DELETE FROM latchkey.accounts WHERE mvpd = \(mvpd) AND name = \(name)")
            try session.log(audit)
            return account
        }
    }
}

extension RecordSession {
    fileprivate func account(_ name: String, of mvpd: MVPDID) throws(Row.Failure) -> Account? {
        try self.account(
            "SELECT \(AccountColumn.self) FROM latchkey.accounts WHERE mvpd = \(mvpd) AND name = \(name)")
    }

    /// The account that `statement` finds, with its lists.
    fileprivate func account(_ statement: SQL) throws(Row.Failure) -> Account? {
        let found = try self.first(statement) { (row) throws(Row.Failure) in
            try AccountColumn.account(from: &row, lineUp: [], metadata: [])
        }
        guard var account = found else { return nil }
        account.lineUp = try self.all(
            """
            SELECT resource FROM latchkey.account_line_ups WHERE mvpd = \(account.mvpd) AND name = \(account.name)
                ORDER BY place
            """
        ) { (row) throws(Row.Failure) in try row.text() }
        let entries = try self.all(
            """
            SELECT \(raw: AccountMetadataColumns.names) FROM latchkey.account_metadata
                WHERE mvpd = \(account.mvpd) AND name = \(account.name) ORDER BY key, place
            """
        ) { (row) throws(Row.Failure) in try row.metadataEntry() }
        guard let metadata = AccountMetadataColumns.metadata(of: entries)
        else { throw .nonsense("metadata of an account do not have their form") }
        account.metadata = metadata
        return account
    }
}

extension Account {
    fileprivate var listInsertions: [SQL] {
        SQL.list(
            self.lineUp, in: "account_line_ups (mvpd, name, place, resource)", of: self.mvpd.text, self.name)
            + AccountMetadataColumns.rows(of: self.metadata).map { row -> SQL in
                """
                INSERT INTO latchkey.account_metadata (mvpd, name, \(raw: AccountMetadataColumns.names))
                    VALUES (\(self.mvpd), \(self.name), \(row))
                """
            }
    }
}
