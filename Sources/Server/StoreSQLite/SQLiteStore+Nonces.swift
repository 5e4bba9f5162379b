package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            let taken = try connection.run(
                """
                INSERT INTO nonces (public_key, nonce, expires) VALUES (?1, ?2, ?3)
                    ON CONFLICT (public_key, nonce) DO UPDATE SET expires = excluded.expires WHERE nonces.expires <= ?4
                """, [.text(publicKey), .text(nonce), .time(expires), .time(now)])
            return taken == 1
        }
    }

    package func takePassingNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        // One commit for all who wait costs little on a disk of this machine.
        try await self.takeNonce(nonce, publicKey: publicKey, expires: expires, now: now)
    }
}
