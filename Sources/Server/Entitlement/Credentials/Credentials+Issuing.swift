package import Clientless
package import Cryptography

/// A key pair just made. Its private half is shown once, and then only kept sealed.
package struct IssuedKeyPair: Sendable {
    package let record: KeyPairRecord
    package let privateKey: Secret
}

/// A client just registered. Its secret is shown once, and then only kept as a hash.
package typealias IssuedClient = (record: ClientRecord, secret: String)

// Issuing and ending what calls authenticate with. Each change is in this server's memory when it returns.
extension Credentials {
    /// All key pairs, newest first, ended ones too.
    package func keyPairs() async throws(EntitlementError) -> [KeyPairRecord] {
        try await stored(await self.store.credentials()).keyPairs
            .sorted { ($0.created, $0.publicKey) > ($1.created, $1.publicKey) }
    }

    /// Makes a key pair (rest-v1 7.2).
    /// - Parameters:
    ///   - isServerToServer: whether a programmer's server uses it on behalf of devices (rest-v1 28.2).
    ///   - label: whom it is for, in the operator's words.
    /// - Throws: `storeUnavailable`; `internal` when the private half cannot be sealed.
    package func issueKeyPair(
        for requestors: [RequestorID], isServerToServer: Bool = false, label: String? = nil, actor: String,
        now: Timestamp
    ) async throws(EntitlementError) -> IssuedKeyPair {
        let issued = try self.newKeyPair(for: requestors, isServerToServer: isServerToServer, label: label, now: now)
        try await stored(
            await self.store.save(issued.record, audit: Self.creation(of: issued.record, actor: actor, now: now)))
        try await stored(await self.reload())
        return issued
    }

    /// Makes a key pair that is not kept yet.
    /// - Throws: `internal` when the private half cannot be sealed.
    func newKeyPair(
        for requestors: [RequestorID], isServerToServer: Bool, label: String?, now: Timestamp
    ) throws(EntitlementError) -> IssuedKeyPair {
        var generator = SecureRandomGenerator()
        let pair = KeyPair.random(using: &generator)
        let sealed = try internally("a private key could not be sealed") {
            try self.keys.seal.seal(pair.privateKey, authenticating: Self.purpose(of: pair.publicKey).utf8)
        }
        let record = KeyPairRecord(
            publicKey: pair.publicKey, sealedPrivateKey: sealed, requestors: requestors,
            isServerToServer: isServerToServer, created: now, ends: nil, label: label)
        return IssuedKeyPair(record: record, privateKey: pair.privateKey)
    }

    static func creation(of pair: KeyPairRecord, actor: String, now: Timestamp) -> AuditEntry {
        AuditEntry(time: now, actor: actor, action: "key-pair.create", subject: "key \(pair.publicKey)")
    }

    /// Makes a key pair in place of another, which ends after `overlap`, unless it ends sooner anyway: one that is
    /// revoked at the same moment stays revoked.
    /// - Returns: `nil` when there is no such key pair, or it is over already.
    /// - Throws: what ``issueKeyPair(for:isServerToServer:label:actor:now:)`` throws.
    package func rotateKeyPair(
        _ publicKey: String, overlap: Duration, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> (old: KeyPairRecord, new: IssuedKeyPair)? {
        guard let old = try await self.keyPairs().first(where: { $0.publicKey == publicKey }), old.isActive(at: now)
        else { return nil }
        let made = try self.newKeyPair(
            for: old.requestors, isServerToServer: old.isServerToServer, label: old.label, now: now)
        var record = old
        (record.publicKey, record.sealedPrivateKey) = (made.record.publicKey, made.record.sealedPrivateKey)
        (record.created, record.ends) = (now, nil)
        // The new one first: were the program to die in between, the boxes still have one that counts.
        try await stored(await self.store.save(record, audit: Self.creation(of: record, actor: actor, now: now)))
        let entry = AuditEntry(time: now, actor: actor, action: "key-pair.rotate", subject: "key \(publicKey)")
        let ending = try await stored(await self.store.endKeyPair(publicKey, at: now + overlap, audit: entry))
        self.onEnding(Ending(.keyPair(publicKey), at: now + overlap))
        try await stored(await self.reload())
        return (ending ?? old, IssuedKeyPair(record: record, privateKey: made.privateKey))
    }

    /// Takes a key pair out of use. One that ended earlier keeps its end.
    /// - Returns: the key pair as it is now; `nil` when there is none within `remit`.
    @discardableResult
    package func revokeKeyPair(
        _ publicKey: String, within remit: Remit = .all, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> KeyPairRecord? {
        guard remit.covers(allOf: self.key(publicKey)?.requestors) else { return nil }
        let entry = AuditEntry(time: now, actor: actor, action: "key-pair.revoke", subject: "key \(publicKey)")
        let pair = try await stored(await self.store.endKeyPair(publicKey, at: now, audit: entry))
        if pair != nil { self.onEnding(Ending(.keyPair(publicKey), at: now)) }
        try await stored(await self.reload())
        return pair
    }

    /// All applications, newest first, ended ones too.
    package func applications() async throws(EntitlementError) -> [ApplicationRecord] {
        try await stored(await self.store.credentials()).applications
            .sorted { ($0.created, $0.softwareID) > ($1.created, $1.softwareID) }
    }

    /// Registers an application, which software statements can then name (rest-v1 10.1).
    package func registerApplication(
        name: String, version: String, requestors: [RequestorID], redirectTargets: [String] = [], scopes: [Scope],
        isServerToServer: Bool = false, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> ApplicationRecord {
        let record = ApplicationRecord(
            softwareID: randomUUID(), name: name, version: version, requestors: requestors,
            redirectTargets: redirectTargets, scopes: scopes.map(\.rawValue), isServerToServer: isServerToServer,
            created: now, ends: nil)
        let entry = AuditEntry(
            time: now, actor: actor, action: "application.create", subject: "application \(record.softwareID)")
        try await stored(await self.store.save(record, audit: entry))
        try await stored(await self.reload())
        return record
    }

    /// Takes an application out of use, with all its clients and their access tokens. One that ended earlier keeps its
    /// end.
    /// - Returns: the application as it is now; `nil` when there is none within `remit`.
    @discardableResult
    package func revokeApplication(
        _ softwareID: String, within remit: Remit = .all, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> ApplicationRecord? {
        guard remit.covers(allOf: self.application(softwareID)?.requestors) else { return nil }
        let entry = AuditEntry(
            time: now, actor: actor, action: "application.revoke", subject: "application \(softwareID)")
        let application = try await stored(await self.store.endApplication(softwareID, at: now, audit: entry))
        if application != nil { self.onEnding(Ending(.application(softwareID), at: now)) }
        try await stored(await self.reload())
        return application
    }

    /// Signs a software statement that names an application (rest-v1 10.1). Earlier ones stay good.
    /// - Throws: `internal` when the key does not sign.
    package func statement(
        for application: ApplicationRecord, issuer: String, signingWith key: RSAPrivateKey, now: Timestamp
    ) throws(EntitlementError) -> String {
        try internally("a software statement could not be signed") {
            try SoftwareStatement(
                softwareID: application.softwareID, issuer: issuer, issuedAt: now, notBefore: now
            ).signed(by: key)
        }
    }

    /// Registers an installation of an application that is in use (rest-v1 10.2).
    ///
    /// - Parameter caller: who asks; its networks have so many clients an hour. A stranger may use up what the application
    ///   has in a day, so a caller with few clients of its own is served all the same.
    /// - Throws: `tooManyAttempts` when the caller registered too many lately, or the application too many today;
    ///   `storeUnavailable`.
    package func registerClient(
        of application: ApplicationRecord, redirectURIs: [String], by caller: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> IssuedClient {
        let place = self.registrations.admit(caller, at: self.uptime())
        if case .refused(let wait) = place {
            self.report(.clientsRefused(caller.address.neighbourhood))
            throw EntitlementError(.tooManyAttempts, retryAfter: wait, detail: "too many clients are registered")
        }
        let secret = Hex.encode(SecureRandom.bytes(32))
        let client = ClientRecord(
            clientID: randomUUID(), secretHash: self.secretHash(secret), softwareID: application.softwareID,
            redirectURIs: redirectURIs, created: now)
        let quota: ClientQuota? =
            place == .hasFew ? nil : (number: self.registrations.clientsPerDay, since: now - Self.day)
        let isKept: Bool
        do {
            isKept = try await stored(await self.store.insert(client, quota: quota))
        } catch {
            self.registrations.takeBack(caller, place, at: self.uptime())
            throw error
        }
        guard isKept else {
            self.report(.registrationRefused(softwareID: application.softwareID))
            throw EntitlementError(.tooManyAttempts, retryAfter: .seconds(3600))
        }
        return (client, secret)
    }

    /// The client that knows its secret, with its application in use (rest-v1 10.3); `nil` when it has neither.
    ///
    /// Notes once a day that the client is used: one that is not for long is erased.
    package func authenticateClient(
        _ clientID: String, secret: String, now: Timestamp
    ) async throws(EntitlementError) -> ActiveClient? {
        // Hashed first, so that an unknown client and a wrong secret take the same work.
        let hash = self.secretHash(secret)
        guard case .active(let client) = try await self.client(clientID, at: now),
            constantTimeEqual(client.record.secretHash, hash)
        else { return nil }
        // A store that keeps nothing now is told tomorrow.
        if client.record.lastUsed + Self.day <= now, (try? await self.store.markUsed(clientID, at: now)) != nil {
            self.forget(client: clientID)
        }
        return client
    }

    /// The installations of an application, the newest first, without their redirect addresses.
    package func clients(of softwareID: String, limit: Int) async throws(EntitlementError) -> [ClientRecord] {
        try await stored(await self.store.clients(of: softwareID, limit: limit))
    }

    /// Takes a client out of use, with its access tokens.
    /// - Returns: whether there was such a client within `remit`.
    package func revokeClient(
        _ clientID: String, within remit: Remit = .all, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        if remit != .all {
            // A client whose application ended is refused as a whole.
            guard case .active(let client) = try await self.client(clientID, at: now),
                remit.covers(allOf: client.application.requestors)
            else { return false }
        }
        let entry = AuditEntry(time: now, actor: actor, action: "client.revoke", subject: "client \(clientID)")
        let isGone = try await stored(await self.store.deleteClient(clientID, audit: entry))
        self.forget(client: clientID)
        if isGone { self.onEnding(Ending(.client(clientID), at: now)) }
        return isGone
    }

    /// The kept part of a client secret. The label keeps it apart from other hashes under the same key.
    private func secretHash(_ secret: String) -> [UInt8] { self.keys.tokens.hash(of: "client-secret/\(secret)") }
}
