import Clientless
import CommandLineTool
import Entitlement

/// One requestor with one TV provider.
struct IntegrationSettings {
    /// Every default of an integration; its own provider is of no interest.
    private static let defaults: Integration = {
        guard let id = MVPDID("defaults") else { preconditionFailure("'defaults' is of the grammar of provider IDs") }
        return Integration(mvpd: id)
    }()

    /// `nil` when it names no provider there is; that is then reported.
    let integration: Integration?
    let platformFiles: PlatformSettings.Files

    /// - Parameter hasCertificate: whether the requestor can be sent anything encrypted.
    init(_ section: SettingsSection, providers: [MVPDID: MVPD], hasCertificate: Bool) {
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
        let released = section.readOptionalList(
            "releasedMetadata", of: .metadataKey, example: ["householdID", "maxRating"], atMost: 64,
            "What the requestor is told of viewers; left out, everything the provider gives")
        let encrypted = section.readList(
            "encryptedMetadata", of: .metadataKey, default: [], atMost: 64,
            "What of that leaves encrypted for the requestor's certificate")
        let platform = PlatformSettings(section)
        Self.check(encrypted, released, hasCertificate: hasCertificate, section)
        self.platformFiles = platform.files
        guard let mvpd else {
            self.integration = nil
            return
        }
        guard providers[mvpd] != nil else {
            let names = providers.keys.map(\.text).sorted()
            let hint = nearestName(to: mvpd.text, among: names).map { "; perhaps \"\($0)\" is meant" } ?? ""
            section.fault("provider", "is \"\(mvpd)\", which none of the providers has as its ID\(hint)")
            self.integration = nil
            return
        }
        self.integration = Integration(
            mvpd: mvpd, isEnabled: isEnabled, authenticationLifetime: authentication,
            authorizationLifetime: authorization, mediaTokenLifetime: media, authPerAggregator: isExclusive,
            releasedMetadata: released.map { Set($0) }, encryptedMetadata: Set(encrypted),
            platform: platform.boarding)
    }

    /// What is to be encrypted must be released, and there must be somebody it can be encrypted for.
    private static func check(
        _ encrypted: [String], _ released: [String]?, hasCertificate: Bool, _ section: SettingsSection
    ) {
        if !encrypted.isEmpty, !hasCertificate {
            section.fault("encryptedMetadata", "is set, but the requestor has no metadataCertificates")
        }
        guard let released else { return }
        let withheld = encrypted.filter { !released.contains($0) }
        if !withheld.isEmpty {
            section.fault("encryptedMetadata", "names \(withheld.joined(separator: ", ")), not in releasedMetadata")
        }
    }
}
