import Clientless
import CommandLineTool
import Entitlement

/// Requestors and TV providers, and which of them work together.
enum CatalogueSettings {
    /// Every default of an integration; its own provider is of no interest.
    private static let defaults: Integration = {
        guard let id = MVPDID("defaults") else { preconditionFailure("'defaults' is of the grammar of provider IDs") }
        return Integration(mvpd: id)
    }()

    /// Reads `providers` and `requestors`; whatever is not right is reported and left out.
    static func read(_ section: SettingsSection) -> Catalogue {
        var providerIDs: Set<MVPDID> = []
        let mvpds = section.sections("providers", atMost: 10_000, "The TV providers people pick from, in this order") {
            Self.mvpd($0, known: &providerIDs)
        }
        var requestorIDs: Set<RequestorID> = []
        let requestors = section.sections(
            "requestors", atMost: 10_000, "The channel brands whose boxes sign in here"
        ) {
            Self.requestor($0, known: &requestorIDs, providers: providerIDs)
        }
        return Catalogue(requestors: requestors.compactMap { $0 }, mvpds: mvpds.compactMap { $0 })
    }

    private static func mvpd(_ section: SettingsSection, known: inout Set<MVPDID>) -> MVPD? {
        let id = section.readRequired(
            "id", .mvpdID, example: "CableNova", "The identifier, as boxes and programmers' pages send it")
        let name = section.readRequired("name", .label(1...120), example: "Cable Nova", "What people see")
        let logo = section.readOptional(
            "logo", .webPage, example: "https://tv.example/cable-nova.png", "A picture of 112 by 33 pixels")
        let kind = section.read(
            "kind", .choice([.local]), default: MVPD.Kind.local,
            "How its viewers sign in; local: with the accounts of 'latchkeyd user'")
        guard let id, let name else { return nil }
        guard known.insert(id).inserted else {
            section.fault("id", "is \"\(id)\" again; another provider has this ID")
            return nil
        }
        return MVPD(id: id, displayName: name, logoURL: logo, kind: kind)
    }

    private static func requestor(
        _ section: SettingsSection, known: inout Set<RequestorID>, providers: Set<MVPDID>
    ) -> Requestor? {
        let id = section.readRequired(
            "id", .requestorID, example: "NORTHSPORT", "The identifier, as boxes send it")
        let name = section.readRequired("name", .label(1...120), example: "North Sport", "What people see")
        let strictness = section.read(
            "strictness", .choice([.strict, .compatible]), default: Requestor.Strictness.strict,
            "strict for new boxes; compatible for deployed clients, which reuse signatures and sign other paths")
        let domains = section.readList(
            "domains", of: .domain, default: [], "Domains that its pages and redirects may have, with their subdomains")
        let schemes = section.readList(
            "redirectSchemes", of: .redirectScheme, default: [], "Schemes other than https that redirects may have")
        let confirms = section.read(
            "confirmsForeignLogins", .flag, default: false,
            "Whether people confirm the box also when the programmer's own page began the login; always when strict")
        let hides = section.read(
            "hidesDeviceID", .flag, default: false,
            "Whether pages get an alias in place of the box's device ID; always when strict")
        let activation = section.readOptional(
            "activationURL", .webPage, example: "https://north-sport.example/activate",
            "The page where people enter codes, when it is not this server's")
        var used: Set<MVPDID> = []
        let integrations = section.sections(
            "integrations", atMost: 10_000, "The providers its viewers may pick, in this order"
        ) {
            Self.integration($0, used: &used, providers: providers)
        }
        guard let id, let name else { return nil }
        guard known.insert(id).inserted else {
            section.fault("id", "is \"\(id)\" again; another requestor has this ID")
            return nil
        }
        return Requestor(
            id: id, name: name, domains: domains, redirectSchemes: schemes,
            integrations: integrations.compactMap { $0 }, strictness: strictness, confirmsForeignLogins: confirms,
            hidesDeviceID: hides, activationURL: activation)
    }

    private static func integration(
        _ section: SettingsSection, used: inout Set<MVPDID>, providers: Set<MVPDID>
    ) -> Integration? {
        let mvpd = section.readRequired(
            "provider", .mvpdID, example: "CableNova", "The ID of one of the providers")
        let isEnabled = section.read("enabled", .flag, default: true, "Whether people may pick it now")
        let authentication = section.read(
            "authenticationLifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)),
            default: Self.defaults.authenticationLifetime,
            "How long a sign-in lasts; with less than a day, clients that renew early never stop renewing")
        let authorization = section.read(
            "authorizationLifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)),
            default: Self.defaults.authorizationLifetime, "How long a permission for one channel lasts")
        let media = section.read(
            "mediaTokenLifetime", .duration(.seconds(1) ... .seconds(3600)),
            default: Self.defaults.mediaTokenLifetime, "How long a media token is valid")
        let isExclusive = section.read(
            "authPerAggregator", .flag, default: false, "Whether a sign-in counts for this requestor alone")
        guard let mvpd else { return nil }
        guard providers.contains(mvpd) else {
            let names = providers.map(\.text).sorted()
            let hint = nearestName(to: mvpd.text, among: names).map { "; perhaps \"\($0)\" is meant" } ?? ""
            section.fault("provider", "is \"\(mvpd)\", which none of the providers has as its ID\(hint)")
            return nil
        }
        guard used.insert(mvpd).inserted else {
            section.fault("provider", "is \"\(mvpd)\" again; the requestor has it already")
            return nil
        }
        return Integration(
            mvpd: mvpd, isEnabled: isEnabled, authenticationLifetime: authentication,
            authorizationLifetime: authorization, mediaTokenLifetime: media, authPerAggregator: isExclusive)
    }
}
