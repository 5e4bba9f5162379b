package import Clientless

/// One requestor with one TV provider: whether it is on, and how long its tokens live (rest-v1 9).
package struct Integration: Sendable {
    package var mvpd: MVPDID
    package var isEnabled: Bool
    /// Life of an AuthN record; 30 days unless configured. More than a day, or clients that renew early loop.
    package var authenticationLifetime: Duration
    /// Life of an AuthZ decision; 24 hours unless configured.
    package var authorizationLifetime: Duration
    /// Life of a media token; 420 seconds unless configured.
    package var mediaTokenLifetime: Duration
    /// A sign-in at this provider belongs to the requestor that obtained it (rest-v1 6.3).
    package var authPerAggregator: Bool
    /// The metadata keys released to the requestor; `nil` releases all the provider gives (rest-v1 19).
    package var releasedMetadata: Set<String>?
    /// The released keys that leave encrypted.
    package var encryptedMetadata: Set<String>
    package var picker: PickerFacts
    package var look: ProviderLook
    package var platform: PlatformBoarding?

    /// How long tokens live unless configured.
    package static let usual = (
        authentication: Duration.seconds(30 * 24 * 3600), authorization: Duration.seconds(24 * 3600),
        mediaToken: Duration.seconds(420)
    )

    package init(
        mvpd: MVPDID, isEnabled: Bool = true, authenticationLifetime: Duration = Self.usual.authentication,
        authorizationLifetime: Duration = Self.usual.authorization,
        mediaTokenLifetime: Duration = Self.usual.mediaToken,
        authPerAggregator: Bool = false, releasedMetadata: Set<String>? = nil, encryptedMetadata: Set<String> = [],
        picker: PickerFacts = PickerFacts(), look: ProviderLook = ProviderLook(), platform: PlatformBoarding? = nil
    ) {
        self.mvpd = mvpd
        self.isEnabled = isEnabled
        self.authenticationLifetime = authenticationLifetime
        self.authorizationLifetime = authorizationLifetime
        self.mediaTokenLifetime = mediaTokenLifetime
        self.authPerAggregator = authPerAggregator
        self.releasedMetadata = releasedMetadata
        self.encryptedMetadata = encryptedMetadata
        self.picker = picker
        self.look = look
        self.platform = platform
    }
}

/// How the viewers of one requestor are shown a provider; what is `nil` is as for all viewers.
package struct ProviderLook: Hashable, Sendable {
    package var displayName: String?
    package var logoURL: String?
    package var regions: Set<String>?

    package init(displayName: String? = nil, logoURL: String? = nil, regions: Set<String>? = nil) {
        self.displayName = displayName
        self.logoURL = logoURL
        self.regions = regions
    }
}

/// Facts of an integration in the provider list, for the picker of a programmer's page (rest-v1 12). Clients act on it;
/// this server does not.
package struct PickerFacts: Hashable, Sendable {
    package var iFrameRequired = false
    /// Pixels; told with `iFrameRequired` alone.
    package var iFrameWidth: Int?
    package var iFrameHeight: Int?
    package var passiveAuthnEnabled = true
    package var authPerBrowserSession = false
    package var foregroundLogout = false
    /// The provider is behind another one.
    package var isProxy = false

    package init() {}
}

/// How viewers are signed in by their home, without a question (rest-v1 26): the provider knows their connection.
package struct HomeRules: Hashable, Sendable {
    /// Of sign-ins that came about so: the metadata that says it, and its value (rest-v1 19).
    static let key = "hba_status"

    /// From where it is tried; empty stands for anywhere.
    package let networks: [NetworkPrefix]
    /// How long such a sign-in lasts at most.
    package let lifetime: Duration

    package init(networks: [NetworkPrefix], lifetime: Duration) {
        self.networks = networks
        self.lifetime = lifetime
    }

    /// Whether the provider is asked to sign a viewer in at `address` without a question.
    func isTried(from address: NetworkAddress) -> Bool {
        self.networks.isEmpty || self.networks.contains { $0.contains(address) }
    }
}

/// How a provider takes part in platform SSO for a requestor (rest-v1 12, 21).
package struct PlatformBoarding: Hashable, Sendable {
    /// The longest response read, in bytes of XML.
    package static let maximumLength = 98_304

    package enum Status: String, Hashable, Sendable, Codable {
        /// Full platform SSO.
        case supported = "SUPPORTED"
        /// Listed in the platform's picker; the login is done here.
        case picker = "PICKER"
    }

    package var isEnabled: Bool
    package var status: Status?
    package var isInPlatformPicker: Bool
    package var mappingID: String?
    package var requiredMetadataFields: [String]
    package var enforcesPermissions: Bool
    /// The SAML request handed to the platform, as bytes; `nil` when no exchange is agreed.
    package var profileRequest: [UInt8]?
    /// The issuer whose assertions are taken: its SAML metadata as XML text.
    package var issuerMetadata: String?
    /// Whether a box that is signed in with the provider for another requestor may sign in here by that. The box's
    /// agent is the platform then, and this server the issuer.
    package var takesBoxAccounts: Bool

    /// Whether devices may sign in with the platform's word.
    package var takesPart: Bool {
        self.isEnabled && self.status == .supported && (self.issuerMetadata != nil || self.takesBoxAccounts)
    }

    package init(
        isEnabled: Bool = false, status: Status? = nil, isInPlatformPicker: Bool = false, mappingID: String? = nil,
        requiredMetadataFields: [String] = [], enforcesPermissions: Bool = false, profileRequest: [UInt8]? = nil,
        issuerMetadata: String? = nil, takesBoxAccounts: Bool = false
    ) {
        self.isEnabled = isEnabled
        self.status = status
        self.isInPlatformPicker = isInPlatformPicker
        self.mappingID = mappingID
        self.requiredMetadataFields = requiredMetadataFields
        self.enforcesPermissions = enforcesPermissions
        self.profileRequest = profileRequest
        self.issuerMetadata = issuerMetadata
        self.takesBoxAccounts = takesBoxAccounts
    }
}
