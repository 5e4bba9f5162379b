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
                return try connection.first(
                    "SELECT mvpd, name, password_hash FROM accounts WHERE mvpd = ?1 AND name = ?2", key
                ) { (row) throws(SQLiteFailure) in
                    Account(mvpd: try row.mvpd(), name: try row.text(), passwordHash: try row.text(), lineUp: lineUp)
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
                return try connection.all("SELECT mvpd, name, password_hash FROM accounts ORDER BY mvpd, name") {
                    (row) throws(SQLiteFailure) in
                    let (mvpd, name) = (try row.mvpd(), try row.text())
                    return Account(
                        mvpd: mvpd, name: name, passwordHash: try row.text(),
                        lineUp: lineUps["\(mvpd.text)/\(name)"] ?? [])
                }
            }
        }
    }

    package func save(_ account: Account) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            let key: [SQLValue] = [.text(account.mvpd.text), .text(account.name)]
            // The line-up of a replaced row goes with it.
            try connection.run("DELETE FROM accounts WHERE mvpd = ?1 AND name = ?2", key)
            try connection.run(
                "INSERT INTO accounts (mvpd, name, password_hash) VALUES (?1, ?2, ?3)",
                key + [.text(account.passwordHash)])
            for (place, resource) in account.lineUp.enumerated() {
                try connection.run(
                    "INSERT INTO account_line_ups (mvpd, name, place, resource) VALUES (?1, ?2, ?3, ?4)",
                    key + [.integer(Int64(place)), .text(resource)])
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
