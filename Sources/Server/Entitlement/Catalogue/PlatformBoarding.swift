/// How a provider takes part in platform SSO for a requestor (rest-v1 12, 21).
package struct PlatformBoarding: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable, Codable {
        /// Full platform SSO.
        case supported = "SUPPORTED"
        /// Listed in the platform's picker; the login is done here.
        case picker = "PICKER"
    }

    package var isEnabled: Bool
    package var status: Status?
    package var isInPlatformPicker: Bool
    /// The platform's name of the provider.
    package var mappingID: String?
    /// The fields that the platform has to be asked for.
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
        isEnabled: Bool, status: Status?, isInPlatformPicker: Bool, mappingID: String?,
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
