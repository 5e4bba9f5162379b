import Clientless
import Entitlement

// What the library's wire has that the clientless face's tests do without: trials, a sign-in of an hour, a platform.
extension WireFixture {
    /// An hour's sign-in, shorter than a bearer token lasts.
    static let shortProvider = MVPDID("ShortNova")!
    static let trial = MVPDID("TrialNova")!
    static let promotion = MVPDID("PromoNova")!

    static var sdkCatalogue: Catalogue {
        let boarding = PlatformBoarding(
            isEnabled: true, status: .supported, isInPlatformPicker: true, mappingID: "nova",
            issuerMetadata: "issuer")
        let shared = [
            Integration(
                mvpd: provider, releasedMetadata: ["zip", "maxRating", "tokenSource", "mvpd"], platform: boarding),
            Integration(mvpd: otherProvider, authPerAggregator: true),
        ]
        let own = [
            Integration(mvpd: shortProvider, authenticationLifetime: .seconds(3600)), Integration(mvpd: trial),
            Integration(mvpd: promotion),
        ]
        let domains = ["north-sport.example"]
        return Catalogue(
            requestors: [
                Requestor(
                    id: requestor, name: "North Sport", domains: domains, integrations: shared + own,
                    strictness: .compatible),
                Requestor(
                    id: sibling, name: "West Sport", domains: domains,
                    integrations: [
                        Integration(mvpd: provider, encryptedMetadata: ["zip"]),
                        Integration(mvpd: otherProvider, authPerAggregator: true),
                    ], strictness: .compatible, usesEnhancedErrors: true),
                Requestor(id: strict, name: "South Sport", domains: domains, integrations: shared, strictness: .strict),
            ],
            mvpds: [
                MVPD(id: provider, displayName: "Cable Nova"),
                MVPD(id: otherProvider, displayName: "Dish & Nova"),
                MVPD(id: shortProvider, displayName: "Short Nova"),
                MVPD(
                    id: trial, displayName: "Ten free minutes", trial: TrialRules(lifetime: .seconds(600))),
                MVPD(
                    id: promotion, displayName: "Free games",
                    trial: TrialRules(lifetime: .seconds(600), maximumResources: 2, identityKey: "email")),
            ])
    }

    /// Where `sibling` takes the accounts of boxes from the provider, and no other requestor does.
    static var boxAccountCatalogue: Catalogue {
        let catalogue = self.sdkCatalogue
        let requestors = catalogue.requestors.map { requestor in
            var changed = requestor
            guard requestor.id == self.sibling else { return changed }
            changed.integrations[0].platform = PlatformBoarding(
                isEnabled: true, status: .supported, isInPlatformPicker: true, mappingID: "nova", takesBoxAccounts: true
            )
            return changed
        }
        return Catalogue(requestors: requestors, mvpds: catalogue.mvpds)
    }
}
