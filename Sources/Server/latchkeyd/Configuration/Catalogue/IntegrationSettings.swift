import Clientless
import CommandLineTool
import Entitlement

struct IntegrationSettings: Sendable {
    let integration: Integration
    let platform: PlatformSettings
    /// The provider's logo for this requestor, where that is another.
    let logo: LogoSource?

    /// - Parameter hasCertificate: whether the requestor can be sent anything encrypted.
    /// - Returns: `nil` when it names no provider there is; that is then reported.
    init?(_ section: SettingsSection, providers: ConfiguredProviders, hasCertificate: Bool) {
        let mvpd = section.readRequired("provider", .mvpdID, example: "CableNova", "The ID of one of the providers")
        let isEnabled = section.read("enabled", .flag, default: true, "Whether it can be picked and its sign-ins count")
        let (look, logo) = Self.look(section, regions: providers.regions)
        self.logo = logo
        let lifetimes = section.lifetimes(defaults: mvpd.flatMap { providers.all[$0]?.lifetimes } ?? Integration.usual)
        let isExclusive = section.read(
            "authPerAggregator", .flag, default: false, "Whether a sign-in counts only for this requestor")
        let released = section.readOptionalList(
            "releasedMetadata", of: .metadataKey, example: ["householdID", "maxRating"], atMost: 64,
            "The metadata of viewers that the requestor gets; left out, everything the provider gives")
        let encrypted = section.readList(
            "encryptedMetadata", of: .metadataKey, default: [], atMost: 64,
            "The metadata among them that is encrypted for the requestor's certificate")
        let picker = Self.picker(section)
        self.platform = section.section(
            "platform", "Sign-in with the TV-provider account of a device's operating system; nothing unless enabled",
            PlatformSettings.init)
        Self.check(encrypted, released, hasCertificate: hasCertificate, section)
        guard let mvpd, Self.isKnown(mvpd, providers, section) else { return nil }
        self.integration = Integration(
            mvpd: mvpd, isEnabled: isEnabled, authenticationLifetime: lifetimes.authentication,
            authorizationLifetime: lifetimes.authorization, mediaTokenLifetime: lifetimes.mediaToken,
            authPerAggregator: isExclusive, releasedMetadata: released.map { Set($0) },
            encryptedMetadata: Set(encrypted), picker: picker, look: look, platform: self.platform.boarding)
    }

    private static func isKnown(_ mvpd: MVPDID, _ providers: ConfiguredProviders, _ section: SettingsSection) -> Bool {
        guard providers.all[mvpd] == nil else { return true }
        if !providers.faulty.contains(mvpd.text) {
            let names = providers.all.keys.map(\.text).sorted()
            let hint = nearestName(to: mvpd.text, among: names).map { "; perhaps \"\($0)\" is meant" } ?? ""
            section.fault("provider", "is \"\(mvpd)\", which none of the providers has as its ID\(hint)")
        }
        return false
    }

    /// How the requestor's viewers are shown the provider, where that is not as all viewers are.
    private static func look(
        _ section: SettingsSection, regions known: [Region]
    ) -> (look: ProviderLook, logo: LogoSource?) {
        let name = section.readOptional(
            "name", .label(1...64), example: "Cable Nova Sport",
            "The name that its viewers see; left out, the provider's name")
        let logo = section.readOptional(
            "logo", .logo, example: "cable-nova-sport.svg",
            "The logo they are shown, \(LogoSource.explanation); left out, the provider's")
        let regions = section.readOptionalList(
            "regions", of: .label(1...64), example: ["South"], atMost: 200,
            "The names of the regions that it serves for this requestor; left out, the provider's")
        RegionSettings.check(regions ?? [], known: known, section)
        return (ProviderLook(displayName: name, logoURL: logo?.address, regions: regions.map { Set($0) }), logo)
    }

    private static func picker(_ section: SettingsSection) -> PickerFacts {
        section.section("picker", "The facts for pickers on programmers' pages; this server itself ignores them") {
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
                "Whether the provider recognises a viewer without asking")
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

    /// An encrypted attribute has to be released, and the requestor needs a certificate.
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
