import Clientless
import Entitlement

extension Fixture {
    /// Compatible; lists everything below.
    static let requestor = RequestorID("NORTHSPORT")!
    /// Strict; shares sign-ins at `provider` for seven days only.
    static let sibling = RequestorID("SOUTHSPORT")!
    /// Compatible; its operator skips the confirmation of logins that other pages begin.
    static let unasked = RequestorID("OPENSPORT")!
    static let provider = MVPDID("CableNova")!
    /// `sibling` gets the zip code alone from there, encrypted.
    static let otherProvider = MVPDID("DishNova")!
    /// A sign-in there is its obtainer's alone.
    static let perRequestorProvider = MVPDID("SoloNova")!
    /// One hour of everything.
    static let trial = MVPDID("FreeHour")!
    /// One hour of two resources, for one person.
    static let promotion = MVPDID("PromoHour")!
    /// Takes part in platform SSO.
    static let boarded = MVPDID("BoxNova")!
    /// Listed in the platform's picker only.
    static let picked = MVPDID("PickNova")!
    static let trialTime: Duration = .seconds(3600)

    static var catalogue: Catalogue {
        let supported = PlatformBoarding(
            isEnabled: true, status: .supported, isInPlatformPicker: true, mappingID: "box-nova",
            issuerMetadata: "<issuer/>")
        let picker = PlatformBoarding(
            isEnabled: true, status: .picker, isInPlatformPicker: true, mappingID: "pick-nova")
        let common = [
            Integration(mvpd: self.perRequestorProvider, authPerAggregator: true),
            // A minute for sign-ins with accounts does not shorten a trial.
            Integration(mvpd: self.trial, authenticationLifetime: .seconds(60)), Integration(mvpd: self.promotion),
            Integration(mvpd: self.boarded, platform: supported), Integration(mvpd: self.picked, platform: picker),
        ]
        return Catalogue(
            requestors: [
                Requestor(
                    id: self.requestor, name: "North Sport", domains: ["north-sport.example"],
                    integrations: [Integration(mvpd: self.provider), Integration(mvpd: self.otherProvider)] + common,
                    strictness: .compatible),
                Requestor(
                    id: self.sibling, name: "South Sport",
                    integrations: [
                        Integration(mvpd: self.provider, authenticationLifetime: .seconds(7 * 24 * 3600)),
                        Integration(
                            mvpd: self.otherProvider, releasedMetadata: ["zip"], encryptedMetadata: ["zip", "userID"]),
                    ] + common, strictness: .strict, preauthorizationLimit: 50),
                Requestor(
                    id: self.unasked, name: "Open Sport",
                    integrations: [
                        Integration(mvpd: self.provider), Integration(mvpd: self.trial),
                        Integration(mvpd: self.otherProvider, isEnabled: false),
                    ], strictness: .compatible, confirmsForeignLogins: false),
            ],
            mvpds: [
                MVPD(id: self.provider, displayName: "Cable Nova"),
                MVPD(id: self.otherProvider, displayName: "Dish Nova"),
                MVPD(id: self.perRequestorProvider, displayName: "Solo Nova"),
                MVPD(id: self.boarded, displayName: "Box Nova"), MVPD(id: self.picked, displayName: "Pick Nova"),
                MVPD(
                    id: self.trial, displayName: "Free Hour", trial: TrialRules(lifetime: self.trialTime)),
                MVPD(
                    id: self.promotion, displayName: "Promo Hour",
                    trial: TrialRules(lifetime: self.trialTime, maximumResources: 2, identityKey: "email")),
            ])
    }
}
