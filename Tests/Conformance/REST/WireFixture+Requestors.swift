import Clientless
import Cryptography
import Entitlement

// Requestors that use all there is: trials, platform SSO, metadata, enhanced errors.
extension WireFixture {
    /// Everything, and classic errors.
    static let full = RequestorID("FULLSPORT")!
    /// The same with enhanced errors.
    static let loud = RequestorID("LOUDSPORT")!

    static let freeHour = MVPDID("FreeHour")!
    /// A promotional trial: an hour, two resources, known by `email`.
    static let freePick = MVPDID("FreePick")!

    static let serverKeyPair = KeyPair(
        publicKey: "ServerServerServerServerServer12", privateKey: Secret("abcdef0123456789"))!
    static let serverApplication = "2c1d7f10-0000-4000-8000-00000000serv"

    static let profileRequest = Array("<AuthnRequest ID=\"_1\"/>".utf8)

    static let trials = [
        MVPD(
            id: freeHour, displayName: "Free hour", trial: TrialRules(lifetime: .seconds(3600))),
        MVPD(
            id: freePick, displayName: "Free pick",
            trial: TrialRules(lifetime: .seconds(3600), maximumResources: 2, identityKey: "email")),
    ]

    static let fullRequestor = Requestor(
        id: full, name: "Full Sport", domains: ["north-sport.example", "full-sport.example"],
        integrations: integrations, strictness: .compatible, preauthorizationLimit: 50,
        metadataCertificates: [ProgrammerCertificate.certificate, "not a certificate"])

    static let loudRequestor = Requestor(
        id: loud, name: "Loud Sport", domains: ["north-sport.example"], integrations: integrations,
        strictness: .compatible, usesEnhancedErrors: true, preauthorizationLimit: 3)

    private static let integrations = [
        Integration(
            mvpd: provider,
            releasedMetadata: [
                "channelID", "householdID", "long", "maxRating", "mvpd", "notes", "spaced key", "zip", "tokenSource",
            ],
            encryptedMetadata: ["channelID", "householdID", "long", "maxRating"],
            platform: PlatformBoarding(
                isEnabled: true, status: .supported, isInPlatformPicker: true, mappingID: "cable_nova",
                requiredMetadataFields: ["givenName", "zip"], enforcesPermissions: true,
                profileRequest: profileRequest, issuerMetadata: "issuer")),
        Integration(
            mvpd: otherProvider,
            platform: PlatformBoarding(isEnabled: false, status: .picker, isInPlatformPicker: true, mappingID: nil)),
        Integration(mvpd: freeHour), Integration(mvpd: freePick),
    ]

    /// What the provider says of its viewer, for those tests that want something said.
    static let metadata: [String: MetadataValue] = [
        "householdID": .text("H-3456"), "zip": .list(["12345", "34567"]), "channelID": .list(["north-1", "n\"<2>"]),
        "maxRating": .map([
            NamedText("MPAA", "PG-13"), NamedText("VCHIP", "TV-14"),
            NamedText("URL", "https://provider.example/ratings"),
        ]),
        "long": .text(String(repeating: "é", count: 123)), "notes": .text("a<b>&\"c\""), "spaced key": .text("x"),
        "withheld": .text("never seen"),
    ]
}
