package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func insert(
        _ code: SetUpCodeRecord, now: Timestamp, audit: AuditEntry
    ) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run("DELETE FROM set_up_codes WHERE expires <= ?1", [.time(now)])
            try connection.run(
                "INSERT INTO set_up_codes (\(SetUpCodeColumn.names)) VALUES (\(SetUpCodeColumn.placeholders))",
                SetUpCodeColumn.values(of: code))
            try connection.log(audit)
        }
    }

    package func setUpCode(_ hash: [UInt8]) async throws(StoreError) -> SetUpCodeRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.first(
                "SELECT \(SetUpCodeColumn.names) FROM set_up_codes WHERE hash = ?1", [.blob(hash)],
                SetUpCodeColumn.record(from:))
        }
    }

    package func takeSetUpCode(
        _ hash: [UInt8], keeping keyPair: KeyPairRecord?, audit: [AuditEntry]
    ) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            guard try connection.run("DELETE FROM set_up_codes WHERE hash = ?1", [.blob(hash)]) > 0
            else { return false }
            if let keyPair { try Self.keep(keyPair, on: connection) }
            for entry in audit { try connection.log(entry) }
            return true
        }
    }
}
