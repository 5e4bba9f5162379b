import CommandLineTool
import Entitlement

/// How a provider takes part in the TV-provider accounts of devices' operating systems (rest-v1 12, 21).
struct PlatformSettings: Sendable {
    /// `nil` when nothing is agreed. The contents of the files are not read here.
    let boarding: PlatformBoarding?
    let profileRequestFile: String?
    let issuerMetadataFile: String?

    init(_ section: SettingsSection) {
        let isEnabled = section.read("enabled", .flag, default: false, "Whether it may be used now")
        let status =
            section.readOptional(
                "status", .choice([.supported, .picker]), example: "SUPPORTED",
                "SUPPORTED for the whole exchange, PICKER when the device only tells which provider it is")
            as PlatformBoarding.Status?
        let isListed = section.read(
            "inPicker", .flag, default: false, "Whether the platform lists the provider in its own picker")
        let mapping = section.readOptional(
            "mappingID", .label(1...120), example: "cablenova", "The platform's ID for the provider")
        let fields = section.readList(
            "requiredMetadataFields", of: .label(1...64), default: [], atMost: 32,
            "The fields that the device must ask the platform for")
        let enforces = section.read(
            "enforcesPermissions", .flag, default: false, "Whether the viewer must have allowed it on the platform")
        let request = section.readOptional(
            "profileRequest", .file, example: "platform/cable-nova-request.xml", "The SAML request for the platform")
        let issuer = section.readOptional(
            "issuerMetadata", .file, example: "platform/issuer.xml",
            "The SAML metadata of the issuer whose assertions are accepted")
        let takesBoxAccounts = section.read(
            "boxAccounts", .flag, default: false,
            "Whether a box that is signed in with the provider for another requestor may use that to sign in here")
        (self.profileRequestFile, self.issuerMetadataFile) = (request, issuer)
        if takesBoxAccounts, request != nil || issuer != nil {
            section.fault("boxAccounts", "cannot stand beside profileRequest and issuerMetadata")
        }
        if isEnabled, status == .supported, request == nil || issuer == nil, !takesBoxAccounts {
            section.fault("status", "is \"SUPPORTED\", which needs profileRequest and issuerMetadata, or boxAccounts")
        }
        let boarding = PlatformBoarding(
            isEnabled: isEnabled, status: status, isInPlatformPicker: isListed, mappingID: mapping,
            requiredMetadataFields: fields, enforcesPermissions: enforces, takesBoxAccounts: takesBoxAccounts)
        self.boarding = boarding == PlatformBoarding() && request == nil && issuer == nil ? nil : boarding
    }
}
