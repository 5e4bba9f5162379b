package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func passkeys(of account: String, at mvpd: MVPDID) async throws(StoreError) -> [Passkey] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                "SELECT \(PasskeyColumn.names) FROM passkeys WHERE mvpd = ?1 AND account = ?2 "
                    + "ORDER BY created, credential",
                [.text(mvpd.text), .text(account)], PasskeyColumn.passkey(from:))
        }
    }

    package func passkey(_ credential: [UInt8]) async throws(StoreError) -> Passkey? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.first(
                "SELECT \(PasskeyColumn.names) FROM passkeys WHERE credential = ?1", [.blob(credential)],
                PasskeyColumn.passkey(from:))
        }
    }

    package func insert(_ passkey: Passkey, limit: Int, audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let owner: [SQLValue] = [.text(passkey.mvpd.text), .text(passkey.account)]
            let account = try connection.first("SELECT 1 FROM accounts WHERE mvpd = ?1 AND id = ?2", owner) {
                (row) throws(SQLiteFailure) in try row.integer()
            }
            guard account != nil else { return false }
            let number =
                try connection.first("SELECT count(*) FROM passkeys WHERE mvpd = ?1 AND account = ?2", owner) {
                    (row) throws(SQLiteFailure) in try row.integer()
                } ?? 0
            guard number < Int64(limit) else { return false }
            let kept = try connection.run(
                """
                INSERT INTO passkeys (\(PasskeyColumn.names)) VALUES (\(PasskeyColumn.placeholders))
                    ON CONFLICT DO NOTHING
                """, PasskeyColumn.values(of: passkey))
            guard kept == 1 else { return false }
            try connection.log(audit)
            return true
        }
    }

    package func noteUse(
        of passkey: Passkey, counted: UInt32, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let changed = try connection.run(
                "UPDATE passkeys SET sign_count = ?3, last_used = ?4 WHERE credential = ?1 AND sign_count = ?2",
                [
                    .blob(passkey.credential), .integer(Int64(passkey.signCount)), .integer(Int64(counted)), .time(now),
                ])
            return changed == 1
        }
    }

    package func deletePasskey(_ credential: [UInt8], audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            guard try connection.run("DELETE FROM passkeys WHERE credential = ?1", [.blob(credential)]) > 0
            else { return false }
            try connection.log(audit)
            return true
        }
    }
}
