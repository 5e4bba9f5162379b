package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func setUpCodes(at now: Timestamp) async throws(StoreError) -> [SetUpCodeRecord] {
        try await self.read(
            "SELECT \(SetUpCodeColumn.names) FROM latchkey.set_up_codes WHERE expires > $1 ORDER BY created DESC, hash",
            [.time(now)], SetUpCodeColumn.record(from:))
    }

    package func clients(of softwareID: String, limit: Int) async throws(StoreError) -> [ClientRecord] {
        try await self.read(
            """
            SELECT \(ClientColumn.names) FROM latchkey.clients WHERE software_id = $1
            ORDER BY created DESC, client_id LIMIT $2
            """, [.text(softwareID), .integer(Int64(limit))]
        ) { (row) throws(PostgresFailure) in try ClientColumn.record(from: &row, redirectURIs: []) }
    }
}
