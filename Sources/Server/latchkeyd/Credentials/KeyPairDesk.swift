import CommandLineTool
package import Clientless
package import Cryptography
package import Entitlement

/// Issues, replaces and withdraws HMAC key pairs (rest-v1 7.2).
package struct KeyPairDesk: Sendable {
    private let store: any Store
    private let keys: ServerKeys

    package init(store: any Store, keys: ServerKeys) {
        self.store = store
        self.keys = keys
    }

    /// A pair just made; its private half is shown once and then only kept sealed.
    package struct Issued: Sendable {
        package let record: KeyPairRecord
        package let privateKey: Secret
    }

    /// - Parameter isServerToServer: whether a programmer's server uses it on behalf of devices (rest-v1 28.2).
    package func issue(
        for requestors: [RequestorID], isServerToServer: Bool = false, now: Timestamp
    ) async throws -> Issued {
        var generator = SecureRandomGenerator()
        let pair = KeyPair.random(using: &generator)
        let sealed = try self.keys.seal.seal(
            pair.privateKey, authenticating: Credentials.purpose(of: pair.publicKey).utf8)
        let record = KeyPairRecord(
            publicKey: pair.publicKey, sealedPrivateKey: sealed, requestors: requestors,
            isServerToServer: isServerToServer, created: now, ends: nil)
        try await self.store.save(record, audit: .command("key-pair.create", of: "key \(pair.publicKey)", at: now))
        return Issued(record: record, privateKey: pair.privateKey)
    }

    /// All key pairs, newest first, ended ones too.
    package func list() async throws -> [KeyPairRecord] {
        try await self.store.credentials().keyPairs
            .sorted { ($0.created, $0.publicKey) > ($1.created, $1.publicKey) }
    }

    /// A new pair for the same requestors; the old one ends after `overlap`, unless it ends sooner anyway.
    package func rotate(
        _ publicKey: String, overlap: Duration, now: Timestamp
    ) async throws -> (old: KeyPairRecord, new: Issued) {
        let old = try await self.find(publicKey)
        if let ends = old.ends, ends <= now {
            throw OperatorError(
                "The key pair \(publicKey) ended at \(ends.timeText).",
                advice: "Make a new one with 'latchkeyd keys issue'.", exitCode: .failure)
        }
        // The new one first: were the program to die in between, nobody would be left without a key.
        let new = try await self.issue(
            for: old.requestors, isServerToServer: old.isServerToServer, now: now)
        let audit = AuditEntry.command("key-pair.rotate", of: "key \(publicKey)", at: now)
        guard let ending = try await self.store.endKeyPair(publicKey, at: now + overlap, audit: audit)
        else { throw Self.unknown }
        return (ending, new)
    }

    /// Ends a pair now. One that ended before keeps its date.
    package func revoke(_ publicKey: String, now: Timestamp) async throws -> KeyPairRecord {
        let audit = AuditEntry.command("key-pair.revoke", of: "key \(publicKey)", at: now)
        guard let ended = try await self.store.endKeyPair(publicKey, at: now, audit: audit)
        else { throw Self.unknown }
        return ended
    }

    private func find(_ publicKey: String) async throws -> KeyPairRecord {
        guard let record = try await self.store.credentials().keyPairs.first(where: { $0.publicKey == publicKey })
        else { throw Self.unknown }
        return record
    }

    private static var unknown: OperatorError {
        OperatorError(
            "There is no key pair with this public key.", advice: "'latchkeyd keys list' shows all of them.",
            exitCode: .failure)
    }
}
