package import Clientless
package import Entitlement

extension RecordStore {
    package func setUpCodes(at now: Timestamp) async throws(StoreError) -> [SetUpCodeRecord] {
        try await self.read(
            """
            SELECT \(SetUpCodeColumn.self) FROM latchkey.set_up_codes WHERE expires > \(now) ORDER BY created DESC, hash
            """, SetUpCodeColumn.record(from:))
    }

    package func clients(of softwareID: String, limit: Int) async throws(StoreError) -> [ClientRecord] {
        try await self.read(
            """
            SELECT \(ClientColumn.self) FROM latchkey.clients WHERE software_id = \(softwareID)
                ORDER BY created DESC, client_id LIMIT \(limit)
            """
        ) { (row) throws(Failure) in try ClientColumn.record(from: &row, redirectURIs: []) }
    }
}
