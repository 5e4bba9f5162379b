package import Clientless
package import Cryptography
import Synchronization
import TextCoding

/// The credentials of calls: key pairs, applications and their clients. Key pairs and applications are kept in
/// memory, where every signed call looks them up.
package final class Credentials: DomainPart {
    package struct Key: Sendable {
        package let publicKey: String
        /// The hash of ``publicKey``, for tables of this process.
        package let mark: Int
        package let key: HMACKey
        package let requestors: [RequestorID]
        package let isServerToServer: Bool
        package let ends: Timestamp?

        package func isActive(at now: Timestamp) -> Bool { now.isBefore(self.ends) }
    }

    private struct Snapshot: Sendable {
        var keys: [Key] = []
        /// The public keys of ``keys``.
        var names = NameTable([])

        func key(_ publicKey: Span<UInt8>) -> Key? { self.names.index(of: publicKey).map { self.keys[$0] } }

        var applications: [String: ApplicationRecord] = [:]
        /// The pairs that were sealed with a key that this server lacks, and those it lacked when this process began.
        var closed: [String: KeyPairRecord] = [:]
        var lost: Set<String>?
        /// The sealing keys that there were.
        var sealing: Set<[UInt8]> = []

        var lacksKey: Bool { !(self.lost ?? []).isSuperset(of: self.closed.keys) }
    }

    let parts: DomainParts
    let registrations: RegistrationLimits
    package let nonces: NonceGuard
    private let snapshot = Mutex(LatestRead(Snapshot()))
    /// Apart from the snapshot, because every call asks for it and most installations have none.
    private let servers = Atomic<Bool>(false)
    private let clients = BoundedMemory<String, ClientRecord>(bound: 100_000)

    init(_ parts: DomainParts) {
        self.parts = parts
        self.registrations = RegistrationLimits(parts.limits, nodes: parts.nodes)
        self.nonces = NonceGuard(store: parts.store, report: parts.report)
    }

    package func key(_ publicKey: String) -> Key? { self.key(Array(publicKey.utf8)[...]) }

    package func key(_ publicKey: ArraySlice<UInt8>) -> Key? {
        self.snapshot.withLock { $0.value.key(publicKey.span) }
    }

    /// Whether the key pair with this public key is in use, and was sealed with a key that this server lacks.
    package func isClosed(_ publicKey: String, at now: Timestamp) -> Bool {
        self.snapshot.withLock { $0.value.closed[publicKey]?.isActive(at: now) ?? false }
    }

    /// Whether another server seals with a key that this one does not have.
    var lacksSealingKey: Bool { self.snapshot.withLock(\.value.lacksKey) }

    /// Whether there are other sealing keys than when key pairs were found that do not open.
    var mayOpenMore: Bool {
        let sealing = self.snapshot.withLock { $0.value.closed.isEmpty ? nil : $0.value.sealing }
        return sealing.map { $0 != self.keys.seal.ids } ?? false
    }

    /// The application with this software ID, also one that ended.
    package func application(_ softwareID: String) -> ApplicationRecord? {
        self.snapshot.withLock { $0.value.applications[softwareID] }
    }

    /// Whether any credential is that of a programmer's server, which forwards addresses (rest-v1 28.2).
    package var haveServers: Bool { self.servers.load(ordering: .relaxed) }

    static let day: Duration = .seconds(24 * 3600)

    package func activeApplication(_ softwareID: String, at now: Timestamp) -> ApplicationRecord? {
        self.application(softwareID).flatMap { $0.isActive(at: now) ? $0 : nil }
    }

    /// The standing of a client in memory; ``ClientStanding/unknown`` has to be asked of ``client(_:at:)``.
    package func clientInMemory(_ clientID: String, at now: Timestamp) -> ClientStanding {
        self.clients[clientID].map { self.standing(of: $0, at: now) } ?? .unknown
    }

    package func client(_ clientID: String, at now: Timestamp) async throws(EntitlementError) -> ClientStanding {
        if let known = self.clients[clientID] { return self.standing(of: known, at: now) }
        let ticket = self.clients.ticket(for: clientID)
        guard let record = try await stored(await self.store.client(clientID)) else { return .unknown }
        self.clients.remember(record, for: clientID, since: ticket)
        return self.standing(of: record, at: now)
    }

    private func standing(of client: ClientRecord, at now: Timestamp) -> ClientStanding {
        self.activeApplication(client.softwareID, at: now)
            .map { .active(ActiveClient(record: client, application: $0)) } ?? .refused
    }

    func forget(client clientID: String) { self.clients.forget(clientID) }
    func forgetClients() { self.clients.forgetAll() }

    /// The purpose of the seal of a key pair's private half: it opens beside no other public key.
    package static func purpose(of publicKey: String) -> String { "key-pair/\(publicKey)" }

    /// Reads all key pairs and applications again; called when the store's feed says that they changed. A key pair that
    /// opened before, and was sealed anew with a key that this server lacks, goes on as it was opened.
    package func reload() async throws(StoreError) {
        let (number, before) = self.snapshot.withLock { ($0.begin(), $0.value) }
        let (keyPairs, applications) = try await self.store.credentials()
        var fresh = Snapshot(sealing: self.keys.seal.ids)
        for pair in keyPairs {
            let secret = try? self.keys.seal.open(
                pair.sealedPrivateKey, authenticating: Self.purpose(of: pair.publicKey).utf8)
            if !self.keys.seal.haveKey(of: pair.sealedPrivateKey) { fresh.closed[pair.publicKey] = pair }
            let name = pair.publicKey.utf8
            guard let key = secret.map({ HMACKey($0, hash: .sha1) }) ?? before.key(name.span)?.key else { continue }
            fresh.keys.append(
                Key(
                    publicKey: pair.publicKey, mark: pair.publicKey.hashValue, key: key, requestors: pair.requestors,
                    isServerToServer: pair.isServerToServer, ends: pair.ends))
        }
        fresh.names = NameTable(fresh.keys.map { Array($0.publicKey.utf8) })
        fresh.lost = before.lost ?? Set(fresh.closed.keys)
        for application in applications { fresh.applications[application.softwareID] = application }
        let complete = fresh
        let haveServers =
            keyPairs.contains(where: \.isServerToServer) || applications.contains(where: \.isServerToServer)
        self.snapshot.withLock {
            if $0.keep(complete, readAs: number) { self.servers.store(haveServers, ordering: .relaxed) }
        }
        if complete.lacksKey, !before.lacksKey { self.report(.sealingKeyMissing(keyPairs: complete.closed.count)) }
    }
}

package struct ActiveClient: Hashable, Sendable {
    package let record: ClientRecord
    package let application: ApplicationRecord

    /// Whether a token with `scopes` is good for `scope`: the token says so, and its application still may.
    package func grants(_ scope: Scope, toToken scopes: Set<Scope>) -> Bool {
        // The name is what nearly every application has; what several names mean takes longer to find out.
        scopes.contains(scope)
            && (self.application.scopes.contains(scope.rawValue) || self.application.grantedScopes.contains(scope))
    }
}

package enum ClientStanding: Hashable, Sendable {
    case unknown
    case active(ActiveClient)
    /// Registered, but its application is over.
    case refused
}
