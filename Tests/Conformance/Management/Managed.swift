import Clientless
import Cryptography
import Entitlement
import Lending
import ServerAPI
import Testing

/// Who may do what on the server whose management is under test.
enum Managed {
    private static let (requestor, sibling) = (WireFixture.requestor, WireFixture.sibling)
    /// No application but `everything` has it.
    private static let foreign = WireFixture.foreign
    private static let provider = WireFixture.provider
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
                MVPD(id: provider, displayName: "Cable Nova"),
                MVPD(
                    id: trial, displayName: "Free preview", trial: TrialRules(lifetime: .seconds(600))),
                MVPD(
                    id: foreignTrial, displayName: "East preview", trial: TrialRules(lifetime: .seconds(600))),
            ])
    }

    fileprivate static func saveCredentials(in store: any Store, keys: ServerKeys) async throws {
        let scopes = [
            "temporary:passes:owner", "decisions:owner", "devices:owner", "credentials:owner", "analytics:client",
        ]
        for record in [
            WireFixture.applicationRecord(operations, [requestor, sibling], scopes: scopes),
            WireFixture.applicationRecord(everything, [requestor, sibling, foreign], scopes: scopes),
            WireFixture.applicationRecord(box, [requestor]),
            WireFixture.applicationRecord(oldDegradation, [requestor], scopes: ["degradation:owner"]),
            WireFixture.applicationRecord(foreignApplication, [foreign]),
            WireFixture.applicationRecord(idleApplication, [], scopes: scopes),
        ] { try await store.save(record, audit: WireFixture.audit) }
        for (publicKey, requestors) in [
            (WireFixture.keyPair.publicKey, [requestor]), (mixedKeyPair, [requestor, foreign]), (idleKeyPair, []),
        ] {
            let pair = KeyPair(publicKey: publicKey, privateKey: WireFixture.keyPair.privateKey)!
            try await store.save(try WireFixture.keyPairRecord(pair, requestors, keys: keys), audit: WireFixture.audit)
        }
    }
}

extension Trait where Self == Lending<WireFixture> {
    static var management: Self { .management() }

    static func management(settings change: @escaping @Sendable (inout APISettings) -> Void = { _ in }) -> Self {
        Lending(WireFixture.$current) {
            try await WireFixture.serve(
                settings: change, catalogue: Managed.catalogue, credentials: Managed.saveCredentials, $0)
        }
    }
}
