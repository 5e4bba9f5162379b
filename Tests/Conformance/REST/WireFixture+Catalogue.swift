import Clientless
import Cryptography
import Entitlement
import Providers
import TestSupport

// Who may do what on the server under test.
extension WireFixture {
    /// Deployed clients' rules.
    static let requestor = RequestorID("NORTHSPORT")!
    /// Shares the key pair and the providers of `requestor`.
    static let sibling = RequestorID("WESTSPORT")!
    /// Strict rules; the same key pair.
    static let strict = RequestorID("SOUTHSPORT")!
    /// Compatible; its operator skips the confirmation of logins that other pages begin.
    static let unasked = RequestorID("OPENSPORT")!
    /// Has a key of its own.
    static let foreign = RequestorID("EASTSPORT")!

    static let provider = MVPDID("CableNova")!
    static let otherProvider = MVPDID("DishNova")!

    /// The pair of the published vectors (rest-v1 7.7).
    static let keyPair = KeyPair(publicKey: "P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", privateKey: Secret("k7Qm2vTx9LbN4cRz"))!
    static let foreignKeyPair = KeyPair(
        publicKey: "ForeignForeignForeignForeign1234", privateKey: Secret("0123456789abcdef"))!
    static let revokedKeyPair = KeyPair(
        publicKey: "RevokedRevokedRevokedRevoked1234", privateKey: Secret("fedcba9876543210"))!

    static let application = "2c1d7f10-0000-4000-8000-00000000demo"
    static let sharedApplication = "2c1d7f10-0000-4000-8000-0000000share"
    static let strictApplication = "2c1d7f10-0000-4000-8000-000000strict"
    static let idleApplication = "2c1d7f10-0000-4000-8000-00000000idle"
    static let endedApplication = "2c1d7f10-0000-4000-8000-0000000ended"

    static var catalogue: Catalogue {
        let both = [Integration(mvpd: provider), Integration(mvpd: otherProvider, authPerAggregator: true)]
        let domains = ["north-sport.example"]
        return Catalogue(
            requestors: [
                Requestor(
                    id: requestor, name: "North Sport", domains: domains, redirectSchemes: ["hcplayer"],
                    integrations: both, strictness: .compatible),
                Requestor(
                    id: sibling, name: "West Sport", integrations: both, strictness: .compatible,
                    activationURL: "https://west-sport.example/tv"),
                Requestor(id: strict, name: "South Sport", domains: domains, integrations: both, strictness: .strict),
                Requestor(
                    id: unasked, name: "Open Sport", domains: domains, integrations: both, strictness: .compatible,
                    confirmsForeignLogins: false),
                Requestor(
                    id: foreign, name: "East Sport", integrations: [Integration(mvpd: provider)],
                    strictness: .compatible),
                self.fullRequestor, self.loudRequestor,
            ],
            mvpds: [
                MVPD(
                    id: provider, displayName: "Cable Nova", logoURL: "https://cdn.example.net/cablenova.png"),
                MVPD(id: otherProvider, displayName: "Dish & Nova"),
            ] + self.trials)
    }

    static func saveCredentials(in store: any Store, keys: ServerKeys) async throws {
        let pairs: [(KeyPair, [RequestorID], Timestamp?)] = [
            (keyPair, [requestor, sibling, strict, unasked, full, loud], nil), (foreignKeyPair, [foreign], nil),
            (revokedKeyPair, [requestor], TestClock.start - .seconds(1)), (serverKeyPair, [requestor], nil),
        ]
        for (pair, requestors, ends) in pairs {
            try await store.save(try self.keyPairRecord(pair, requestors, keys: keys, ends: ends), audit: self.audit)
        }
        for record in [
            self.applicationRecord(application, [requestor]),
            self.applicationRecord(sharedApplication, [requestor, sibling]),
            self.applicationRecord(strictApplication, [strict]),
            self.applicationRecord(idleApplication, [requestor], scopes: []),
            self.applicationRecord(endedApplication, [requestor], ends: TestClock.start),
            self.applicationRecord(serverApplication, [requestor], isServerToServer: true),
        ] { try await store.save(record, audit: self.audit) }
    }

    static let audit = AuditEntry(
        time: TestClock.start - .seconds(60), actor: "test", action: "test.prepare", subject: "credentials")

    /// `right`, hashed once: hashing is slow on purpose.
    private static let password = Result { try PasswordHash.make(Secret("right")) }

    /// One viewer with one channel at each provider.
    static func saveAccounts(in store: any Store, of catalogue: Catalogue) async throws {
        for mvpd in catalogue.mvpds where mvpd.trial == nil {
            _ = try await store.insert(
                Account(
                    mvpd: mvpd.id, id: "ada", name: "ada", passwordHash: try self.password.get().text,
                    lineUp: ["North Sport HD"]),
                audit: nil)
        }
    }

    static func keyPairRecord(
        _ pair: KeyPair, _ requestors: [RequestorID], keys: ServerKeys, ends: Timestamp? = nil
    ) throws -> KeyPairRecord {
        KeyPairRecord(
            publicKey: pair.publicKey,
            sealedPrivateKey: try keys.seal.seal(
                pair.privateKey, authenticating: Credentials.purpose(of: pair.publicKey).utf8),
            requestors: requestors, isServerToServer: pair.publicKey == serverKeyPair.publicKey,
            created: TestClock.start - .seconds(60), ends: ends)
    }

    static func applicationRecord(
        _ id: String, _ requestors: [RequestorID], scopes: [String] = ["api:client:v1"],
        isServerToServer: Bool = false, ends: Timestamp? = nil
    ) -> ApplicationRecord {
        ApplicationRecord(
            softwareID: id, name: "Demo Player", version: "1.2.0", requestors: requestors,
            redirectTargets: ["north-sport.example", "hcplayer"], scopes: scopes,
            isServerToServer: isServerToServer, created: TestClock.start - .seconds(60), ends: ends)
    }
}
