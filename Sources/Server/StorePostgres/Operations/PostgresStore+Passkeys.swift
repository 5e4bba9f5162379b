package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func passkeys(of account: String, at mvpd: MVPDID) async throws(StoreError) -> [Passkey] {
        try await self.read(
            """
            SELECT \(PasskeyColumn.names) FROM latchkey.passkeys WHERE mvpd = $1 AND account = $2
                ORDER BY created, credential
            """, [.text(mvpd.text), .text(account)], PasskeyColumn.passkey(from:))
    }

    package func passkey(_ credential: [UInt8]) async throws(StoreError) -> Passkey? {
        try await self.read(
            "SELECT \(PasskeyColumn.names) FROM latchkey.passkeys WHERE credential = $1", [.blob(credential)],
            PasskeyColumn.passkey(from:)
        ).first
    }

    package func insert(_ passkey: Passkey, limit: Int, audit: AuditEntry) async throws(StoreError) -> Bool {
        // The accounts of a provider are a subject, so that none goes and none gets another passkey meanwhile.
        try await self.write([.named(.account, passkey.mvpd.text), SubjectKey(.passkey, passkey.credential)]) {
            (session) throws(PostgresFailure) -> Bool in
            let owner: [SQLValue] = [.text(passkey.mvpd.text), .text(passkey.account)]
            let account = try session.first("SELECT id FROM latchkey.accounts WHERE mvpd = $1 AND id = $2", owner) {
                (row) throws(PostgresFailure) in try row.text()
            }
            guard account != nil else { return false }
            let number = try session.first(
                "SELECT count(*) FROM latchkey.passkeys WHERE mvpd = $1 AND account = $2", owner
            ) { (row) throws(PostgresFailure) in try row.integer() }
            guard (number ?? 0) < Int64(limit) else { return false }
            let kept = try session.run(
                """
                INSERT INTO latchkey.passkeys (\(PasskeyColumn.names)) VALUES (\(PasskeyColumn.placeholders))
                    ON CONFLICT DO NOTHING
                """, PasskeyColumn.values(of: passkey))
            guard kept == 1 else { return false }
            try session.log(audit)
            return true
        }
    }

    package func noteUse(
        of passkey: Passkey, counted: UInt32, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.write([SubjectKey(.passkey, passkey.credential)]) {
            (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    UPDATE latchkey.passkeys SET sign_count = $3, last_used = $4
                        WHERE credential = $1 AND sign_count = $2
                    """,
                    [
                        .blob(passkey.credential), .integer(Int64(passkey.signCount)), .integer(Int64(counted)),
                        .time(now),
                    ])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }

    package func deletePasskey(_ credential: [UInt8], audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write([SubjectKey(.passkey, credential)]) { (session) throws(PostgresFailure) -> Bool in
            guard try session.run("DELETE FROM latchkey.passkeys WHERE credential = $1", [.blob(credential)]) > 0
            else { return false }
            try session.log(audit)
            return true
        }
    }
}
