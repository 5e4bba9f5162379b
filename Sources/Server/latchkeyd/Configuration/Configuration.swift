package import FoundationEssentials
import HTTPServer
package import Entitlement
package import CommandLineTool
package import Clientless
package import ServerAPI

/// The operator's configuration: one part for each component of the server, every setting with its default in place.
package struct Configuration: Sendable {
    /// The longest configuration that is read, in bytes.
    package static let maximumSize = 1 << 20

    /// The folder at which relative paths start: the folder of the configuration itself.
    package let folder: String
    package var server: ServerSettings
    package let log: LogSettings
    package let store: StoreSettings
    package let keys: KeySettings
    package let pairing: Entitlements.Limits
    package let calls: CallSettings
    package let platform: PlatformExchangeSettings
    package let boxes: BoxSettings
    package let console: ConsoleSettings
    /// The operator's own pages. Without the logos, which are files of their own; see ``completeBrands()``.
    let pages: PageSettings
    private let placesFile: String?
    /// Without what stands in files of its own; see ``completeCatalogue()``.
    package let catalogue: Catalogue
    let providers: [MVPDID: ConfiguredProvider]
    let requestors: [RequestorID: RequestorSettings]
    /// The texts it was read from, for the places of faults; `nil` for one that was read from none.
    private var tree: ConfigurationTree?

    /// - Throws: every fault of the text at once. Whether the files it names are there and safe is not looked at here.
    package init(text: Data, _ dropIns: [DropIn] = [], folder: String) throws(ConfigurationFaults) {
        let tree = try ConfigurationTree(
            text: text, dropIns.map { ($0.list.rawValue, $0.name, $0.text) }, limit: Self.maximumSize)
        let report = FaultReport(tree)
        let section = SettingsSection(path: .root, fields: tree.fields, report: report)
        let configuration = Configuration(section, folder: folder)
        section.finish()
        guard let configuration, report.faults.isEmpty else { throw ConfigurationFaults(report.faults) }
        self = configuration
        self.tree = tree
    }

    /// - Returns: `nil` when something without a default is missing or wrong; that is then reported.
    private init?(_ section: SettingsSection, folder: String) {
        let server = section.section("server", "How browsers and boxes reach this server", ServerSettings.init)
        self.log = section.section("log", "The log of the server", LogSettings.init)
        self.store = section.section("store", "The store of codes, sign-ins and accounts", StoreSettings.init)
        self.keys = section.section("keys", "The keys that the server signs and seals with", KeySettings.init)
        self.pairing = section.section("pairing", "Limits on codes, waiting and guessing", Entitlements.Limits.init)
        self.calls = section.section("calls", "The authentication of calls, and their limits", CallSettings.init)
        self.platform = section.section(
            "platform", "Sign-in with the TV-provider accounts of devices' operating systems",
            PlatformExchangeSettings.init)
        self.boxes = section.section(
            "boxes", "The facts that a new box gets with its credential, and the receiver of notices about new boxes",
            BoxSettings.init)
        self.console = section.section("console", "The operator's own pages", ConsoleSettings.init)
        let pages = section.section("pages", "The look and the words of the viewers' pages", PageSettings.operatorsOwn)
        (self.pages, self.placesFile) = pages
        (self.catalogue, self.providers, self.requestors) = CatalogueSettings.read(section)
        guard let server else { return nil }
        if self.console.isReachedFromElsewhere, server.certificateFile == nil {
            section.fault(
                "console",
                "listens beyond this machine, and needs server.certificate: credentials would be sent in clear")
        }
        let taken = self.console.addresses?.first { address in
            address.port != 0
                && server.http.addresses.contains { $0 == address || $0.covers(address) || address.covers($0) }
        }
        if let taken {
            section.fault("console", "listens on \(taken), which is an address of server.listen; give it another port")
        }
        self.server = server
        self.folder = folder
    }

    /// Every setting, with its value in `fields`, right or not, or else its default.
    static func described(_ fields: [String: JSON5Value] = [:]) -> [DescribedSetting] {
        let section = SettingsSection(path: .root, fields: fields, report: FaultReport())
        _ = Configuration(section, folder: "/")
        return section.described
    }

    package var issuer: String {
        self.calls.issuer ?? URLComponents(string: self.server.publicURL)?.host ?? self.server.publicURL
    }

    /// The catalogue with what is in the files it names: certificates, and the documents of platforms.
    /// - Throws: for the first file that is missing or unusable.
    package func completeCatalogue() throws(OperatorError) -> Catalogue {
        try Self.whole { self.filledCatalogue(&$0) }
    }

    /// How the pages look, the operator's and those of channel brands, with the logos in the files it names.
    /// - Throws: for the first file that is missing or unusable.
    package func completeBrands() throws(OperatorError) -> (operatorsOwn: Branding, requestors: [RequestorID: Branding])
    {
        try Self.whole { self.filledBrands(&$0) }
    }

    /// The content that `make` makes of files.
    /// - Throws: for the first fault that it reports.
    static func whole<Content>(_ make: (inout [String]) -> Content) throws(OperatorError) -> Content {
        var faults: [String] = []
        let content = make(&faults)
        guard let first = faults.first else { return content }
        throw OperatorError(
            first, advice: "'latchkeyd check-config' lists everything that is wrong.", exitCode: .configuration)
    }

    /// The faults of those files, as sentences that begin with the setting.
    func catalogueFaults() -> [String] {
        var faults: [String] = []
        let complete = self.filledCatalogue(&faults)
        faults += self.providers.sorted { $0.key.text < $1.key.text }.flatMap { self.fileFaults(of: $0.value) }
        _ = self.filledBrands(&faults)
        faults += self.boxes.newBox?.faults(in: self) ?? []
        if faults.isEmpty { _ = self.platformExchange(for: complete, &faults) }
        return faults
    }

    /// The files that the catalogue and the pages name, as they were configured; of the logos of providers, which nothing
    /// needs, those that are there.
    var catalogueFileNames: [String] {
        let logos = self.logos.values.compactMap(\.file).filter { PrivateFiles.status(self.path($0)) != nil }
        let ofProviders = self.providerFiles.filter { !$0.isSecret }.map(\.name)
        let ofPages = ([self.pages] + self.requestors.values.compactMap(\.pages)).map(\.logoFile)
        let ofRequestors = self.requestors.values.flatMap { requestor in
            requestor.certificateFiles.map(Optional.some)
                + requestor.integrations.flatMap { [$0.platform.profileRequestFile, $0.platform.issuerMetadataFile] }
        }
        return (ofProviders + logos + (ofPages + ofRequestors).compactMap(\.self)).sorted()
    }

    var logoSources: [LogoPlace: LogoSource] { self.logos.mapValues { $0.located(self.path) } }

    private var logos: [LogoPlace: LogoSource] {
        var logos: [LogoPlace: LogoSource] = [:]
        for (id, provider) in self.providers { logos[LogoPlace(id)] = provider.logo }
        for (id, requestor) in self.requestors {
            for one in requestor.integrations { logos[LogoPlace(one.integration.mvpd, for: id)] = one.logo }
        }
        return logos
    }

    var placesPath: String? { self.placesFile.map(self.path) }

    /// The place of a provider's setting, or with `nil` of its entry, for an operator.
    func place(of setting: String?, of mvpd: MVPDID) -> String {
        self.tree?.place(in: DropIn.List.providers.rawValue, id: mvpd.text, of: setting)
            ?? "providers \(mvpd)\(setting.map { ", \($0)" } ?? "")"
    }

    /// A path of the configuration as the system takes it.
    package func path(_ configured: String) -> String {
        configured.hasPrefix("/") ? configured : "\(self.folder)/\(configured)"
    }
}

package struct KeySettings: Sendable {
    package let folder: String
    package let lead: Duration

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFolder = "keys"

    init(_ section: SettingsSection) {
        self.folder = section.read(
            "folder", .file, default: Self.defaultFolder, "The folder of key files, mode 0700, its files 0600")
        self.lead = section.read(
            "lead", .duration(.seconds(0) ... .seconds(30 * 86_400)), default: .seconds(15 * 60),
            "How long a new signing key is published before it signs, so that verifiers can fetch it first. Do not "
                + "shorten it while a new key waits")
    }
}

/// How this server takes part in sign-in with the TV-provider accounts of devices' operating systems (rest-v1 21).
package struct PlatformExchangeSettings: Sendable {
    /// This server's SAML entity ID, which assertions have to be made out to; `nil` is the public URL.
    package let entityID: String?
    package let decryptionKeyFile: String?
    package let acceptsSHA1: Bool

    init(_ section: SettingsSection) {
        self.entityID = section.readOptional(
            "entityID", .label(1...1024), example: "https://tv.example/saml",
            "The SAML entity ID that assertions must name as their audience; left out, publicURL")
        self.decryptionKeyFile = section.readOptional(
            "decryptionKey", .file, example: "platform/key.pem",
            "The RSA key whose certificate issuers encrypt for, PEM; left out, encrypted assertions are refused")
        self.acceptsSHA1 = section.read(
            "acceptSHA1", .flag, default: false, "Whether SHA-1 signatures of old issuers are accepted")
    }
}
