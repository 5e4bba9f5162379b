package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        // Its row alone decides, so no lock is taken: of two at once the second waits for the first.
        let values: [SQLValue] = [.text(publicKey), .text(nonce), .time(expires), .time(now)]
        return try await self.write([]) { (session) throws(PostgresFailure) -> [Ticket] in
            [try session.send(Self.nonceInsertion, values)]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }

    package func takePassingNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        let values: [SQLValue] = [.text(publicKey), .text(nonce), .time(expires), .time(now)]
        return try await self.writeBriefly { (session) throws(PostgresFailure) -> [Ticket] in
            [try session.send(Self.nonceInsertion, values)]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }

    private static let nonceInsertion = """
        INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES ($1, $2, $3)
            ON CONFLICT (public_key, nonce) DO UPDATE SET expires = excluded.expires WHERE nonces.expires <= $4
        """
}
