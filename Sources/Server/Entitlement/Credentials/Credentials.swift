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

    /// Registers a client (rest-v1 10.2).
    /// - Throws: `storeUnavailable`.
    package func register(_ client: ClientRecord) async throws(EntitlementError) {
        try await stored(await self.store.insert(client))
    }

    /// Takes a nonce of a key pair, once until `end`.
    /// - Returns: whether the nonce was fresh.
    /// - Throws: `storeUnavailable`.
    package func takeNonce(
        _ nonce: String, of publicKey: String, until end: Timestamp, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        try await stored(await self.store.takeNonce(nonce, publicKey: publicKey, expires: end, now: now))
    }

    /// Takes a key pair out of use, in this server's memory at once. One that ended earlier keeps its end.
    /// - Returns: whether there is such a key pair.
    /// - Throws: `storeUnavailable`.
    package func revokeKeyPair(
        _ publicKey: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let pairs = try await stored(await self.store.credentials()).keyPairs
        guard var pair = pairs.first(where: { $0.publicKey == publicKey }) else { return false }
        if let ends = pair.ends, ends <= now { return true }
        pair.ends = now
        let entry = AuditEntry(time: now, actor: actor, action: "key-pair.revoke", subject: "key \(publicKey)")
        try await stored(await self.store.save(pair, audit: entry))
        try await stored(await self.reload())
        return true
    }

    /// Takes an application out of use, with all its clients and their access tokens, in this server's memory at once.
    /// One that ended earlier keeps its end.
    /// - Returns: whether there is such an application.
    /// - Throws: `storeUnavailable`.
    package func revokeApplication(
        _ softwareID: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let applications = try await stored(await self.store.credentials()).applications
        guard var application = applications.first(where: { $0.softwareID == softwareID }) else { return false }
        if let ends = application.ends, ends <= now { return true }
        application.ends = now
        let entry = AuditEntry(
            time: now, actor: actor, action: "application.revoke", subject: "application \(softwareID)")
        try await stored(await self.store.save(application, audit: entry))
        try await stored(await self.reload())
        return true
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
