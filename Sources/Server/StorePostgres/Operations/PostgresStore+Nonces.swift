package import Clientless
package import Entitlement

extension PostgresStore {
    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        // Its row alone decides, so no lock is taken: of two at once the second waits for the first.
        try await self.write([]) { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES ($1, $2, $3)
                        ON CONFLICT (public_key, nonce) DO UPDATE SET expires = excluded.expires
                        WHERE nonces.expires <= $4
                    """, [.text(publicKey), .text(nonce), .time(expires), .time(now)])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Bool in
            try session.count(of: tickets[0]) == 1
        }
    }
}
