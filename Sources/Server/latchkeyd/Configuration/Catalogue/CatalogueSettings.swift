import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

/// Requestors and TV providers, and which of them work together.
struct CatalogueSettings: Sendable {
    /// Without what stands in files of its own; ``files`` names those.
    let catalogue: Catalogue
    let files: CatalogueFiles
    /// The kind of each provider of the catalogue.
    let kinds: [MVPDID: any ProviderKind]
    /// The decision points of the providers that have one.
    let decisionPoints: [MVPDID: DecisionPointSettings]
    /// The looks of the pages of some requestors.
    let pages: [RequestorID: PageSettings]
    /// The sources of the providers' logos.
    let logos: [LogoPlace: LogoSource]

    /// Reads `regions`, `providers` and `requestors`; whatever is not right is reported and left out.
    init(_ section: SettingsSection) {
        var providers = ConfiguredProviders(regions: RegionSettings.read(section))
        let mvpds = section.sections("providers", atMost: 10_000, "The TV providers people pick from, in this order") {
            Self.mvpd($0, &providers)
        }
        var logos = providers.logos
        var files = CatalogueFiles()
        var known: [RequestorID: String] = [:]
        var pages: [RequestorID: PageSettings] = [:]
        let requestors = section.sections(
            "requestors", atMost: 10_000, "The requestors: channels and applications whose boxes sign in here"
        ) { section -> Requestor? in
            let settings = RequestorSettings(section, providers: providers)
            guard let requestor = settings.requestor else { return nil }
            if let place = known[requestor.id] {
                section.fault("id", "is \"\(requestor.id)\" again; another requestor has this ID (\(place))")
                return nil
            }
            known[requestor.id] = section.place(of: "id") ?? "above"
            files.add(settings, of: requestor.id)
            pages[requestor.id] = settings.pages
            for (mvpd, logo) in settings.logos { logos[LogoPlace(mvpd, for: requestor.id)] = logo }
            return requestor
        }
        self.catalogue = Catalogue(
            requestors: requestors.compactMap { $0 }, mvpds: mvpds.compactMap { $0 }, regions: providers.regions)
        self.logos = logos
        self.files = files
        self.kinds = providers.kinds
        self.decisionPoints = providers.points
        self.pages = pages
    }

    private static func mvpd(_ section: SettingsSection, _ providers: inout ConfiguredProviders) -> MVPD? {
        let read = Self.read(section, known: providers)
        let point = DecisionPointSettings.read(section)
        guard let (mvpd, kind, lifetimes, logo) = read else {
            if let id = section.givenText("id") { providers.faulty.insert(id) }
            return nil
        }
        guard point == nil || mvpd.trial == nil else {
            section.fault("authorization", "is set, but a trial asks no provider")
            return nil
        }
        providers.mvpds[mvpd.id] = mvpd
        providers.places[mvpd.id] = section.place(of: "id") ?? "above"
        providers.lifetimes[mvpd.id] = lifetimes
        providers.kinds[mvpd.id] = kind
        providers.points[mvpd.id] = point
        providers.logos[LogoPlace(mvpd.id)] = logo
        return mvpd
    }

    private static func read(
        _ section: SettingsSection, known: ConfiguredProviders
    ) -> (MVPD, any ProviderKind, TokenLifetimes, LogoSource?)? {
        let id = section.readRequired(
            "id", .mvpdID, example: "CableNova", "The identifier, as boxes and programmers' pages send it")
        let name = section.readRequired("name", .shownName, example: "Cable Nova", "The name that people see")
        let logo = section.readOptional(
            "logo", .logo, example: "cable-nova.svg", "Its logo, \(LogoSource.explanation); left out, its initials")
        let regions = section.readList(
            "regions", of: .label(1...64), default: [], atMost: 200,
            "The names of the regions it serves; when empty, it serves all of them")
        RegionSettings.check(regions, known: known.regions, section)
        let lifetimes = TokenLifetimes(section, defaults: .usual)
        let time = section.readOptional(
            "answerTime", .duration(.milliseconds(100) ... .seconds(60)), example: "10s",
            "How long the server waits for its answer; left out, ten seconds")
        let proxy = section.readOptional(
            "proxy", .mvpdID, example: "NovaProxy",
            "The provider that serves this one's viewers, as tokens and decisions name it; left out, it serves its own")
        let home = HomeSettings.read(section)
        let kind = ProviderKinds.read(section)
        guard let id, let name else { return nil }
        if let place = known.places[id] {
            section.fault("id", "is \"\(id)\" again; another provider has this ID (\(place))")
        }
        guard let kind, known.places[id] == nil else { return nil }
        return (
            MVPD(
                id: id, displayName: name, logoURL: logo?.address, regions: Set(regions),
                kind: kind.answering(for: id).kind, answerTime: time, home: home, proxy: proxy
            ), kind, lifetimes, logo
        )
    }
}

/// The providers that were read.
struct ConfiguredProviders: Sendable {
    /// The IDs of those that could not be read: what refers to one has no fault of its own.
    var faulty: Set<String> = []
    let regions: [Region]
    var mvpds: [MVPDID: MVPD] = [:]
    /// The file and the line of each ID.
    var places: [MVPDID: String] = [:]
    /// How long what they give lasts where an integration does not say it.
    var lifetimes: [MVPDID: TokenLifetimes] = [:]
    var kinds: [MVPDID: any ProviderKind] = [:]
    var points: [MVPDID: DecisionPointSettings] = [:]
    var logos: [LogoPlace: LogoSource] = [:]

    init(regions: [Region]) {
        self.regions = regions
    }
}
