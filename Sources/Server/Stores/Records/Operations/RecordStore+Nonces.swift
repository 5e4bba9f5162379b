package import Clientless
package import Entitlement

extension RecordStore {
    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.takeNonce(nonce, publicKey: publicKey, expires: expires, now: now, isPassing: false)
    }

    package func takePassingNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.takeNonce(nonce, publicKey: publicKey, expires: expires, now: now, isPassing: true)
    }

    private func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp, isPassing: Bool
    ) async throws(StoreError) -> Bool {
        let insertion: SQL = """
            INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES (\(publicKey), \(nonce), \(expires))
                ON CONFLICT (public_key, nonce) DO UPDATE SET expires = excluded.expires WHERE nonces.expires <= \(now)
            """
        // Its row alone decides, so no lock is taken: of two at once the second waits for the first.
        return try await self.write([], [insertion], isPassing: isPassing)[0] == 1
    }
}
