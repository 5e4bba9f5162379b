import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum CatalogueSettings {
    /// Reads `regions`, `providers` and `requestors`; whatever is not right is reported and left out.
    /// - Returns: the catalogue without what stands in files of its own.
    static func read(
        _ section: SettingsSection
    ) -> (Catalogue, providers: [MVPDID: ConfiguredProvider], requestors: [RequestorID: RequestorSettings]) {
        var providers = ConfiguredProviders(regions: RegionSettings.read(section))
        let mvpds = section.sections("providers", atMost: 10_000, "The TV providers people pick from, in this order") {
            section -> MVPD? in
            guard let provider = Self.read(section, known: providers) else {
                if let id = section.givenText("id") { providers.faulty.insert(id) }
                return nil
            }
            providers.all[provider.mvpd.id] = provider
            return provider.mvpd
        }
        var known: [RequestorID: RequestorSettings] = [:]
        let requestors = section.sections(
            "requestors", atMost: 10_000, "The requestors: channels and applications whose boxes sign in here"
        ) { section -> Requestor? in
            guard let settings = RequestorSettings(section, providers: providers) else { return nil }
            let id = settings.requestor.id
            if let place = known[id]?.place {
                section.fault("id", "is \"\(id)\" again; another requestor has this ID (\(place))")
                return nil
            }
            known[id] = settings
            return settings.requestor
        }
        let catalogue = Catalogue(requestors: requestors, mvpds: mvpds, regions: providers.regions)
        return (catalogue, providers.all, known)
    }

    private static func read(_ section: SettingsSection, known: ConfiguredProviders) -> ConfiguredProvider? {
        let id = section.readRequired(
            "id", .mvpdID, example: "CableNova", "The identifier, as boxes and programmers' pages send it")
        let name = section.readRequired("name", .label(1...64), example: "Cable Nova", "The name that people see")
        let logo = section.readOptional(
            "logo", .logo, example: "cable-nova.svg", "Its logo, \(LogoSource.explanation); left out, its initials")
        let regions = section.readList(
            "regions", of: .label(1...64), default: [], atMost: 200,
            "The names of the regions it serves; when empty, it serves all of them")
        RegionSettings.check(regions, known: known.regions, section)
        let lifetimes = section.lifetimes(defaults: Integration.usual)
        let time = section.readOptional(
            "answerTime", .duration(.milliseconds(100) ... .seconds(60)), example: "10s",
            "How long the server waits for its answer; left out, ten seconds")
        let proxy = section.readOptional(
            "proxy", .mvpdID, example: "NovaProxy",
            "The provider that serves this one's viewers, as tokens and decisions name it; left out, it serves its own")
        let home = HomeSettings.read(section)
        let kind = ProviderKinds.read(section)
        let point = DecisionPointSettings.read(section)
        guard let id, let name else { return nil }
        if let place = known.all[id]?.place {
            section.fault("id", "is \"\(id)\" again; another provider has this ID (\(place))")
        }
        guard let kind, known.all[id] == nil else { return nil }
        guard point == nil || kind.trial == nil else {
            section.fault("authorization", "is set, but a trial asks no provider")
            return nil
        }
        guard home == nil || kind is any RemoteKind else {
            section.fault("home", "is set, but only providers of kind oidc and saml know viewers by their connection")
            return nil
        }
        let mvpd = MVPD(
            id: id, displayName: name, logoURL: logo?.address, regions: Set(regions),
            trial: kind.trial, answerTime: time, home: home, proxy: proxy)
        return ConfiguredProvider(
            mvpd: mvpd, kind: kind, point: point, lifetimes: lifetimes, logo: logo,
            place: section.place(of: "id") ?? "above")
    }
}

struct ConfiguredProvider: Sendable {
    let mvpd: MVPD
    let kind: any ProviderKind
    let point: DecisionPointSettings?
    /// How long what it gives lasts where an integration does not say it.
    let lifetimes: TokenLifetimes
    let logo: LogoSource?
    /// The file and the line of its ID.
    let place: String

    var files: [ProviderFile] { self.kind.files + (self.point?.files ?? []) }
}

struct ConfiguredProviders: Sendable {
    /// The IDs of those that could not be read: what refers to one has no fault of its own.
    var faulty: Set<String> = []
    let regions: [Region]
    var all: [MVPDID: ConfiguredProvider] = [:]
}
