package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func setUpCodes(at now: Timestamp) async throws(StoreError) -> [SetUpCodeRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                "SELECT \(SetUpCodeColumn.names) FROM set_up_codes WHERE expires > ?1 ORDER BY created DESC, hash",
                [.time(now)], SetUpCodeColumn.record(from:))
        }
    }

    package func clients(of softwareID: String, limit: Int) async throws(StoreError) -> [ClientRecord] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                "SELECT \(ClientColumn.names) FROM clients WHERE software_id = ?1 ORDER BY created DESC, client_id LIMIT ?2",
                [.text(softwareID), .integer(Int64(limit))]
            ) { (row) throws(SQLiteFailure) in try ClientColumn.record(from: &row, redirectURIs: []) }
        }
    }
}
