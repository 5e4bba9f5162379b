import Clientless
import Cryptography
import Entitlement
import TestSupport

// Who may do what on the server under test.
extension ManagementFixture {
    static let requestor = RequestorID("NORTHSPORT")!
    static let sibling = RequestorID("WESTSPORT")!
    /// No application but `everything` has it.
    static let foreign = RequestorID("EASTSPORT")!

    static let provider = MVPDID("CableNova")!
    static let trial = MVPDID("FreePreview")!
    /// Of `foreign` alone.
    static let foreignTrial = MVPDID("EastPreview")!

    static let channel = Resource("North Sport HD")!

    /// Every management scope, for `requestor` and `sibling`.
    static let operations = "2c1d7f10-0000-4000-8000-0000000oper"
    /// Every management scope, for every requestor.
    static let everything = "2c1d7f10-0000-4000-8000-00000000all"
    /// A box: no management scope.
    static let box = "2c1d7f10-0000-4000-8000-00000000box"
    /// The older name of the degradation scope, and nothing else.
    static let oldDegradation = "2c1d7f10-0000-4000-8000-0000000olds"
    static let foreignApplication = "2c1d7f10-0000-4000-8000-000000foreig"

    static let keyPair = "P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L"
    /// Speaks for `requestor` and `foreign`.
    static let mixedKeyPair = "MixedMixedMixedMixedMixedMixed12"
    /// Speaks for no requestor, and so is within no caller's reach.
    static let idleKeyPair = "IdleIdleIdleIdleIdleIdleIdleIdle"
    static let idleApplication = "2c1d7f10-0000-4000-8000-00000000idl"

    static var catalogue: Catalogue {
        let integrations = [Integration(mvpd: provider), Integration(mvpd: trial)]
        return Catalogue(
            requestors: [
                Requestor(id: requestor, name: "North Sport", integrations: integrations, strictness: .compatible),
                Requestor(id: sibling, name: "West Sport", integrations: integrations, strictness: .compatible),
                Requestor(
                    id: foreign, name: "East Sport",
                    integrations: [Integration(mvpd: provider), Integration(mvpd: foreignTrial)],
                    strictness: .compatible),
            ],
            mvpds: [
                MVPD(id: provider, displayName: "Cable Nova", kind: .provider),
                MVPD(
                    id: trial, displayName: "Free preview", kind: .trial(TrialRules(lifetime: .seconds(600)))),
                MVPD(
                    id: foreignTrial, displayName: "East preview", kind: .trial(TrialRules(lifetime: .seconds(600)))),
            ])
    }

    static func saveCredentials(in store: any Store, keys: ServerKeys) async throws {
        let audit = AuditEntry(time: TestClock.start - .seconds(60), actor: "fixture", action: "made", subject: "it")
        let scopes = [
            "temporary:passes:owner", "decisions:owner", "devices:owner", "credentials:owner", "analytics:client",
        ]
        let applications: [(String, [RequestorID], [String])] = [
            (operations, [requestor, sibling], scopes), (everything, [requestor, sibling, foreign], scopes),
            (box, [requestor], ["api:client:v1"]), (oldDegradation, [requestor], ["degradation:owner"]),
            (foreignApplication, [foreign], ["api:client:v1"]), (idleApplication, [], scopes),
        ]
        for (id, requestors, scopes) in applications {
            try await store.save(
                ApplicationRecord(
                    softwareID: id, name: "Demo", version: "1", requestors: requestors, redirectTargets: [],
                    scopes: scopes, created: TestClock.start - .seconds(60), ends: nil), audit: audit)
        }
        let pairs = [(keyPair, [requestor]), (mixedKeyPair, [requestor, foreign]), (idleKeyPair, [])]
        for (publicKey, requestors) in pairs {
            let sealed = try keys.seal.seal(
                Secret("k7Qm2vTx9LbN4cRz"), authenticating: Credentials.purpose(of: publicKey).utf8)
            try await store.save(
                KeyPairRecord(
                    publicKey: publicKey, sealedPrivateKey: sealed, requestors: requestors,
                    created: TestClock.start - .seconds(60), ends: nil), audit: audit)
        }
    }
}
