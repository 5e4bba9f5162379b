package import Clientless
package import Entitlement

extension RecordStore {
    package func passkeys(of account: String, at mvpd: MVPDID) async throws(StoreError) -> [Passkey] {
        try await self.read(
            """
            SELECT \(PasskeyColumn.self) FROM latchkey.passkeys WHERE mvpd = \(mvpd) AND account = \(account)
                ORDER BY created, credential
            """, PasskeyColumn.passkey(from:))
    }

    package func passkey(_ credential: [UInt8]) async throws(StoreError) -> Passkey? {
        try await self.read(
            "SELECT \(PasskeyColumn.self) FROM latchkey.passkeys WHERE credential = \(credential)",
            PasskeyColumn.passkey(from:)
        ).first
    }

    package func insert(_ passkey: Passkey, limit: Int, audit: AuditEntry) async throws(StoreError) -> Bool {
        // The accounts of a provider are a subject, so that none goes and none gets another passkey meanwhile.
        try await self.write([.named(.account, passkey.mvpd.text), SubjectKey(.passkey, passkey.credential)]) {
            (session) throws(Failure) in
            guard
                try session.finds(
                    "SELECT id FROM latchkey.accounts WHERE mvpd = \(passkey.mvpd) AND id = \(passkey.account)"),
                try session.count(
                    """
                    SELECT count(*) FROM latchkey.passkeys WHERE mvpd = \(passkey.mvpd) AND account = \(passkey.account)
                    """) < limit,
                try session.run(PasskeyColumn.insertion(of: passkey)) == 1
            else { return false }
            try session.log(audit)
            return true
        }
    }

    package func noteUse(of passkey: Passkey, counted: UInt32, now: Timestamp) async throws(StoreError) -> Bool {
        try await self.write(
            [SubjectKey(.passkey, passkey.credential)],
            """
            UPDATE latchkey.passkeys SET sign_count = \(counted), last_used = \(now)
                WHERE credential = \(passkey.credential) AND sign_count = \(passkey.signCount)
            """) == 1
    }

    package func deletePasskey(_ credential: [UInt8], audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write([SubjectKey(.passkey, credential)]) { (session) throws(Failure) in
            guard try session.run("DELETE FROM latchkey.passkeys WHERE credential = \(credential)") > 0
            else { return false }
            try session.log(audit)
            return true
        }
    }
}
