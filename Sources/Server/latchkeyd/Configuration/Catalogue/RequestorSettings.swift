import Clientless
import CommandLineTool
import Entitlement

struct RequestorSettings: Sendable {
    /// Without what stands in files of its own.
    let requestor: Requestor
    let certificateFiles: [String]
    /// As many as the requestor has, in its order.
    let integrations: [IntegrationSettings]
    /// How its pages look where that is not as the operator's; `nil` when they are the same.
    let pages: PageSettings?
    /// The file and the line of its ID.
    let place: String

    /// - Returns: `nil` when it has no ID or no name; that is then reported.
    init?(_ section: SettingsSection, providers: ConfiguredProviders) {
        let id = section.readRequired("id", .requestorID, example: "NORTHSPORT", "The identifier, as boxes send it")
        let name = section.readRequired("name", .label(1...64), example: "North Sport", "The name that people see")
        let strictness = section.read(
            "strictness", .choice([.strict, .compatible]), default: Requestor.Strictness.strict,
            "strict for new boxes; compatible for deployed clients, which reuse signatures and sign other paths")
        let (domains, initiated, schemes) = Self.redirects(section)
        let (confirms, readOut, hides, enhanced, limit) = Self.conduct(section)
        let certificates = section.readList(
            "metadataCertificates", of: .file, default: [], atMost: 2,
            "The programmer's certificates in PEM, the one in use first; metadata is encrypted for their keys")
        let activation = section.readOptional(
            "activationURL", .webPage, example: "https://north-sport.example/activate",
            "The page where people enter codes, if it is not this server's")
        let pages = section.section(
            "pages", "The look of the pages for its codes, where it differs from the other pages", PageSettings.init)
        self.integrations = Self.integrations(section, providers, hasCertificate: !certificates.isEmpty)
        guard let id, let name else { return nil }
        self.pages = section.has("pages") ? pages : nil
        self.certificateFiles = certificates
        self.place = section.place(of: "id") ?? "above"
        var requestor = Requestor(
            id: id, name: name, domains: domains, redirectSchemes: schemes,
            integrations: self.integrations.map(\.integration), strictness: strictness, confirmsForeignLogins: confirms,
            hidesDeviceID: hides, usesEnhancedErrors: enhanced, preauthorizationLimit: limit,
            activationURL: activation)
        requestor.mvpdInitiatedDomains = Set(initiated)
        requestor.takesReadOutCodes = readOut
        self.requestor = requestor
    }

    private static func redirects(
        _ section: SettingsSection
    ) -> (domains: [String], initiated: [String], schemes: [String]) {
        (
            section.readList(
                "domains", of: .domain, default: [],
                "Domains that its pages and redirects may have, with their subdomains"),
            section.readList(
                "mvpdInitiatedDomains", of: .domain, default: [],
                "The domains among them whose logins a provider may begin"
            ),
            section.readList(
                "redirectSchemes", of: .redirectScheme, default: [], "Schemes other than https that redirects may have")
        )
    }

    private static func conduct(
        _ section: SettingsSection
    ) -> (confirms: Bool, readOut: Bool, hides: Bool, enhanced: Bool, limit: Int) {
        (
            section.read(
                "confirmsForeignLogins", .flag, default: true,
                "Whether people also confirm the box when the programmer's own page began the login; always true when "
                    + "strict"),
            section.read(
                "takesReadOutCodes", .flag, default: false,
                "Whether an account may confirm a code that someone else read out over the telephone, after a warning"),
            section.read(
                "hidesDeviceID", .flag, default: true,
                "Whether pages get an alias in place of the box's device ID; always true when strict. false is for old "
                    + "pages that need the ID"
            ),
            section.read(
                "enhancedErrors", .flag, default: false,
                "Whether errors have a code and an action for programs; old clients do not know these members"),
            section.read(
                "preauthorizationLimit", .integer(1...500), default: 5,
                "The most channels that one question for locks may name")
        )
    }

    private static func integrations(
        _ section: SettingsSection, _ providers: ConfiguredProviders, hasCertificate: Bool
    ) -> [IntegrationSettings] {
        var used: Set<MVPDID> = []
        return section.sections(
            "integrations", atMost: 10_000, "The providers its viewers may pick, in this order"
        ) { section -> IntegrationSettings? in
            guard let settings = IntegrationSettings(section, providers: providers, hasCertificate: hasCertificate)
            else { return nil }
            let mvpd = settings.integration.mvpd
            guard used.insert(mvpd).inserted else {
                section.fault("provider", "is \"\(mvpd)\" again; the requestor has it already")
                return nil
            }
            return settings
        }
    }
}
