package import Clientless
package import Entitlement

extension RecordStore {
    package func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.account(of: mvpd, where: "name = \(name)")
    }

    package func account(id: String, of mvpd: MVPDID) async throws(StoreError) -> Account? {
        try await self.account(of: mvpd, where: "id = \(id)")
    }

    private func account(of mvpd: MVPDID, where condition: SQL) async throws(StoreError) -> Account? {
        let parts = try await self.read(AccountPart.all(of: mvpd, where: condition)) { (row) throws(Failure) in
            try row.accountPart()
        }
        return try Failure.told { () throws(Failure) in try AccountPart.account(parts, of: mvpd, Failure.self) }
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
                let (mvpd, name): (String, String) = (
                    try row.value(AccountColumn.mvpd), try row.value(AccountColumn.name)
                )
                let key = "\(mvpd)/\(name)"
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
            session.note(.accounts)
            try session.log(audit)
            return true
        }
    }

    package func deleteAccount(
        _ name: String, of mvpd: MVPDID, audit: AuditEntry?
    ) async throws(StoreError) -> Account? {
        try await self.write([.named(.account, mvpd.text)]) { (session) throws(Failure) -> Account? in
            let parts = try session.all(AccountPart.all(of: mvpd, where: "name = \(name)")) {
                (row) throws(Failure) in try row.accountPart()
            }
            guard let account = try AccountPart.account(parts, of: mvpd, Failure.self) else { return nil }
            try session.run("DELETE FROM latchkey.accounts WHERE mvpd = \(mvpd) AND name = \(name)")
            session.note(.accounts)
            try session.log(audit)
            return account
        }
    }
}

/// A row of an account, or of one of its lists. One statement finds all of them, so that they are of one moment.
private struct AccountPart: Sendable {
    /// 0 of the account itself, 1 of its line-up, 2 of its metadata.
    let kind: Int64
    /// The ID, version, name and password hash of the account itself, or the place and resource of a line-up.
    let entry: AccountMetadataColumns.Entry

    /// The rows of the account that meets `condition`, in any order.
    static func all(of mvpd: MVPDID, where condition: SQL) -> SQL {
        """
        WITH own AS (SELECT * FROM latchkey.accounts WHERE mvpd = \(mvpd) AND \(condition))
        SELECT CAST(0 AS bigint), id, version, CAST(0 AS bigint), name, password_hash FROM own
        UNION ALL SELECT 1, '', place, 0, '', resource FROM own
            JOIN latchkey.account_line_ups AS list ON list.mvpd = own.mvpd AND list.name = own.name
        UNION ALL SELECT 2, \(raw: AccountMetadataColumns.names) FROM own
            JOIN latchkey.account_metadata AS list ON list.mvpd = own.mvpd AND list.name = own.name
        """
    }

    /// - Returns: `nil` without a row.
    static func account<Failure: RecordFailure>(
        _ parts: [Self], of mvpd: MVPDID, _: Failure.Type
    ) throws(Failure) -> Account? {
        guard let own = parts.first(where: { $0.kind == 0 })?.entry else { return nil }
        func list(_ kind: Int64) -> [AccountMetadataColumns.Entry] {
            parts.filter { $0.kind == kind }.map(\.entry).sorted { $0.place < $1.place }
        }
        guard let metadata = AccountMetadataColumns.metadata(of: list(2))
        else { throw .nonsense("metadata of an account do not have their form") }
        return Account(
            mvpd: mvpd, id: own.key, name: own.member, passwordHash: own.value, lineUp: list(1).map(\.value),
            metadata: metadata, version: Int(own.place))
    }
}

extension RecordRow {
    fileprivate mutating func accountPart() throws(Failure) -> AccountPart {
        AccountPart(kind: try self.integer(), entry: try self.metadataEntry())
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
