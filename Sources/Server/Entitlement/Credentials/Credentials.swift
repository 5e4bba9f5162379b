package import Clientless
package import Cryptography
import Synchronization

/// What calls authenticate with: key pairs, applications and their clients. Key pairs and applications are kept in
/// memory, where every signed call looks them up.
package final class Credentials: Sendable {
    /// A key pair that may be in use.
    package struct Key: Sendable {
        package let publicKey: String
        package let key: HMACKey
        package let requestors: Set<RequestorID>
        /// A programmer's server uses it on behalf of devices (rest-v1 28.2).
        package let isServerToServer: Bool
        package let ends: Timestamp?

        /// Whether it is still accepted at `now`.
        package func isActive(at now: Timestamp) -> Bool { self.ends.map { now < $0 } ?? true }
    }

    private struct Snapshot: Sendable {
        var keys: [String: Key] = [:]
        var applications: [String: ApplicationRecord] = [:]
    }

    private let store: any Store
    private let keys: ServerKeys
    private let snapshot = Mutex(Snapshot())
    /// Apart from the snapshot, because every call asks for it and most installations have none.
    private let servers = Atomic<Bool>(false)
    private let clients = BoundedMemory<String, ClientRecord>(bound: 100_000)
    private let nonces = Mutex(HeldNonces())

    init(store: any Store, keys: ServerKeys) {
        self.store = store
        self.keys = keys
    }

    /// The key pair with this public key, also one that ended.
    package func key(_ publicKey: String) -> Key? { self.snapshot.withLock { $0.keys[publicKey] } }

    /// The application with this software ID, also one that ended.
    package func application(_ softwareID: String) -> ApplicationRecord? {
        self.snapshot.withLock { $0.applications[softwareID] }
    }

    /// Whether any credential is that of a programmer's server, which forwards addresses (rest-v1 28.2).
    package var haveServers: Bool { self.servers.load(ordering: .relaxed) }

    /// A registered client, from memory; `nil` when memory does not know.
    package func clientInMemory(_ clientID: String) -> ClientRecord? { self.clients[clientID] }

    /// A registered client.
    /// - Throws: `storeUnavailable`.
    package func client(_ clientID: String) async throws(EntitlementError) -> ClientRecord? {
        if let known = self.clients[clientID] { return known }
        let ticket = self.clients.ticket(for: clientID)
        guard let record = try await stored(await self.store.client(clientID)) else { return nil }
        self.clients.remember(record, for: clientID, since: ticket)
        return record
    }

    /// How many clients of one application may register within a day: anyone who has its software statement can.
    private static let clientsPerDay = 50_000
    private static let day: Duration = .seconds(24 * 3600)

    /// Registers a client (rest-v1 10.2).
    /// - Throws: `tooManyAttempts` when its application registered too many today, `storeUnavailable`.
    package func register(_ client: ClientRecord) async throws(EntitlementError) {
        let quota = ClientQuota(number: Self.clientsPerDay, since: client.created - Self.day)
        guard try await stored(await self.store.insert(client, quota: quota))
        else { throw EntitlementError(.tooManyAttempts, retryAfter: .seconds(3600)) }
    }

    /// Notes that a client was used, once a day; one that is not used for long is erased.
    /// - Throws: `storeUnavailable`.
    package func markUsed(_ client: ClientRecord, at now: Timestamp) async throws(EntitlementError) {
        guard client.lastUsed + Self.day <= now else { return }
        try await stored(await self.store.markUsed(client.clientID, at: now))
        self.clients.forget(client.clientID)
    }

    /// Takes a client out of use, with its access tokens, in this server's memory at once.
    /// - Returns: whether there was such a client.
    /// - Throws: `storeUnavailable`.
    package func revokeClient(
        _ clientID: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let entry = AuditEntry(time: now, actor: actor, action: "client.revoke", subject: "client \(clientID)")
        let isGone = try await stored(await self.store.deleteClient(clientID, audit: entry))
        self.clients.forget(clientID)
        return isGone
    }

    /// Forgets a client that changed in the store.
    func forget(client clientID: String) {
        self.clients.forget(clientID)
    }

    /// Forgets all clients.
    func forgetClients() {
        self.clients.forgetAll()
    }

    /// How many nonces this node holds because the store could not keep them.
    package var heldNonces: Int { self.nonces.withLock { $0.count } }

    /// Takes a nonce of a key pair, once until `end`. While the store keeps nothing, this node holds it.
    /// - Returns: whether the nonce was fresh.
    /// - Throws: `storeUnavailable`, when this node can hold no more either.
    package func takeNonce(
        _ nonce: String, of publicKey: String, until end: Timestamp, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        if self.nonces.withLock({ $0.holds(nonce, of: publicKey, at: now) }) { return false }
        do {
            return try await self.store.takeNonce(nonce, publicKey: publicKey, expires: end, now: now)
        } catch {
            guard error.code.isPassing,
                let isFresh = self.nonces.withLock({ $0.take(nonce, of: publicKey, until: end, now: now) })
            else { throw EntitlementError(error) }
            return isFresh
        }
    }

    /// Takes a key pair out of use, in this server's memory at once. One that ended earlier keeps its end.
    /// - Returns: whether there is such a key pair.
    /// - Throws: `storeUnavailable`.
    package func revokeKeyPair(
        _ publicKey: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let entry = AuditEntry(time: now, actor: actor, action: "key-pair.revoke", subject: "key \(publicKey)")
        let pair = try await stored(await self.store.endKeyPair(publicKey, at: now, audit: entry))
        try await stored(await self.reload())
        return pair != nil
    }

    /// Takes an application out of use, with all its clients and their access tokens, in this server's memory at once.
    /// One that ended earlier keeps its end.
    /// - Returns: whether there is such an application.
    /// - Throws: `storeUnavailable`.
    package func revokeApplication(
        _ softwareID: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let entry = AuditEntry(
            time: now, actor: actor, action: "application.revoke", subject: "application \(softwareID)")
        let application = try await stored(await self.store.endApplication(softwareID, at: now, audit: entry))
        try await stored(await self.reload())
        return application != nil
    }

    /// What the private half of a key pair is sealed for: it opens beside no other public key.
    package static func purpose(of publicKey: String) -> String { "key-pair/\(publicKey)" }

    /// Reads all key pairs and applications again; called when the store's feed says that they changed. A
    /// key pair that cannot be unsealed is left out: it was sealed under another master key, and calls signed with it answer as unknown.
    package func reload() async throws(StoreError) {
        let (keyPairs, applications) = try await self.store.credentials()
        var fresh = Snapshot()
        for pair in keyPairs {
            guard
                let secret = try? self.keys.seal.open(
                    pair.sealedPrivateKey, authenticating: Self.purpose(of: pair.publicKey).utf8)
            else { continue }
            fresh.keys[pair.publicKey] = Key(
                publicKey: pair.publicKey, key: HMACKey(secret, hash: .sha1),
                requestors: Set(pair.requestors), isServerToServer: pair.isServerToServer, ends: pair.ends)
        }
        for application in applications { fresh.applications[application.softwareID] = application }
        let complete = fresh
        self.snapshot.withLock { $0 = complete }
        let haveServers =
            keyPairs.contains(where: \.isServerToServer) || applications.contains(where: \.isServerToServer)
        self.servers.store(haveServers, ordering: .relaxed)
    }
}
