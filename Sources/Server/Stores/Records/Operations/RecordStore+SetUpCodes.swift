package import Clientless
package import Entitlement

extension RecordStore {
    package func insert(
        _ code: SetUpCodeRecord, now: Timestamp, audit: AuditEntry
    ) async throws(StoreError) {
        try await self.write([SubjectKey(.setUpCode, code.hash)]) { (session) throws(Failure) -> Void in
            try session.run([
                "DELETE FROM latchkey.set_up_codes WHERE expires <= \(now)",
                SetUpCodeColumn.insertion(of: code),
            ])
            try session.log(audit)
        }
    }

    package func setUpCode(_ hash: [UInt8]) async throws(StoreError) -> SetUpCodeRecord? {
        try await self.read(
            "SELECT \(SetUpCodeColumn.self) FROM latchkey.set_up_codes WHERE hash = \(hash)",
            SetUpCodeColumn.record(from:)
        ).first
    }

    package func takeSetUpCode(
        _ hash: [UInt8], keeping keyPair: KeyPairRecord?, audit: [AuditEntry]
    ) async throws(StoreError) -> Bool {
        let subjects = [SubjectKey(.setUpCode, hash)] + (keyPair.map { [.named(.keyPair, $0.publicKey)] } ?? [])
        return try await self.write(subjects) { (session) throws(Failure) in
            guard try session.run("DELETE FROM latchkey.set_up_codes WHERE hash = \(hash)") > 0 else { return false }
            if let keyPair { try session.keep(keyPair) }
            for entry in audit { try session.log(entry) }
            return true
        }
    }
}
