package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func insert(
        _ code: SetUpCodeRecord, now: Timestamp, audit: AuditEntry
    ) async throws(StoreError) {
        try await self.write([SubjectKey(.setUpCode, code.hash)]) { (session) throws(PostgresFailure) -> Void in
            try session.run("DELETE FROM latchkey.set_up_codes WHERE expires <= $1", [.time(now)])
            try session.run(
                "INSERT INTO latchkey.set_up_codes (\(SetUpCodeColumn.names)) VALUES (\(SetUpCodeColumn.placeholders))",
                SetUpCodeColumn.values(of: code))
            try session.log(audit)
        }
    }

    package func setUpCode(_ hash: [UInt8]) async throws(StoreError) -> SetUpCodeRecord? {
        try await self.read(
            "SELECT \(SetUpCodeColumn.names) FROM latchkey.set_up_codes WHERE hash = $1", [.blob(hash)],
            SetUpCodeColumn.record(from:)
        ).first
    }

    package func takeSetUpCode(
        _ hash: [UInt8], keeping keyPair: KeyPairRecord?, audit: [AuditEntry]
    ) async throws(StoreError) -> Bool {
        var subjects = [SubjectKey(.setUpCode, hash)]
        if let keyPair { subjects.append(.named(.keyPair, keyPair.publicKey)) }
        return try await self.write(subjects) { (session) throws(PostgresFailure) -> Bool in
            guard try session.run("DELETE FROM latchkey.set_up_codes WHERE hash = $1", [.blob(hash)]) > 0
            else { return false }
            if let keyPair { try Self.keep(keyPair, on: session) }
            for entry in audit { try session.log(entry) }
            return true
        }
    }
}
