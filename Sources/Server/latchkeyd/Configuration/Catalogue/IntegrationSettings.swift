import JSON5
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
        let picker = Self.picker(section)
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
            picker: picker, platform: platform.boarding)
    }

    /// What pickers are told.
    private static func picker(_ section: SettingsSection) -> PickerFacts {
        section.section("picker", "What pickers on programmers' pages are told; this server acts on none of it") {
            section in
            var picker = PickerFacts()
            picker.iFrameRequired = section.read(
                "iFrameRequired", .flag, default: picker.iFrameRequired, "Whether the login is made for a frame")
            picker.iFrameWidth = section.readOptional(
                "iFrameWidth", .integer(1...10_000), example: 640, "The frame's width in pixels")
            picker.iFrameHeight = section.readOptional(
                "iFrameHeight", .integer(1...10_000), example: 480, "The frame's height in pixels")
            picker.passiveAuthnEnabled = section.read(
                "passiveAuthnEnabled", .flag, default: picker.passiveAuthnEnabled,
                "Whether the provider knows a viewer again without asking")
            picker.authPerBrowserSession = section.read(
                "authPerBrowserSession", .flag, default: picker.authPerBrowserSession,
                "Whether each browser session signs in anew")
            picker.foregroundLogout = section.read(
                "foregroundLogout", .flag, default: picker.foregroundLogout, "Whether logout needs a visible window")
            picker.isProxy = section.read(
                "isProxy", .flag, default: picker.isProxy, "Whether the provider is behind another one")
            return picker
        }
    }

    /// What is encrypted has to be released, and the requestor needs a certificate.
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
