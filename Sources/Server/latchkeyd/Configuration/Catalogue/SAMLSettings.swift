import CommandLineTool
import Entitlement
import JSON5
import OpenIDConnect
import Providers

/// The group `saml` of a TV provider, as it is read; what belongs together is looked at for those of kind saml alone.
struct SAMLSettings {
    static let keySetting = "saml.keys"
    static let metadataSetting = "saml.metadataFile"
    static let certificateSetting = "saml.metadataCertificate"

    /// How requests travel, as settings name it.
    private enum Binding: String, Equatable {
        case redirect, post

        var binding: SAMLBinding {
            switch self {
            case .redirect: .redirect
            case .post: .post
            }
        }
    }

    private let metadataAddress: String?
    private let metadataFile: String?
    private let certificateFile: String?
    private let entityID: String?
    private let serviceEntityID: String?
    private let keys: [String]
    private let binding: Binding?
    private let forcesSignIn: Bool
    private let nameFormat: String?
    private let takesSignedResponses: Bool
    private let acceptsSHA1: Bool
    private let logoutPage: String?
    private let authorities: String?
    private let viewer: String?
    private let channels: [String]
    private let attribute: String?
    let metadata: [MappingSettings]

    init(_ section: SettingsSection) {
        self.metadataAddress = section.readOptional(
            "metadataAddress", .webPage, example: "https://idp.cable-nova.example/metadata.xml",
            "Where the provider's metadata are; they are fetched again while the server runs")
        self.metadataFile = section.readOptional(
            "metadataFile", .file, example: "cable-nova.xml", "The file with the provider's metadata, in place of that")
        self.certificateFile = section.readOptional(
            "metadataCertificate", .file, example: "federation.pem",
            "The certificate that the metadata must be signed with, in PEM")
        self.entityID = section.readOptional(
            "entityID", .label(1...1024), example: "https://idp.cable-nova.example/saml",
            "Which provider of the metadata counts; needed where they are of many")
        self.serviceEntityID = section.readOptional(
            "serviceEntityID", .label(1...1024), example: "https://tv.example/saml",
            "What the provider calls this server; left out, the address of this server's metadata")
        self.keys = section.readList(
            "keys", of: .file, default: [], atMost: 4,
            "The files with this server's private keys, RSA in PEM: the first signs, all are published, and open what "
                + "is encrypted for them. To exchange a key, add the new one, put it first a day later, then drop the old"
        )
        self.binding = section.readOptional(
            "requestBinding", .choice([.redirect, .post]), example: "redirect",
            "How requests travel; left out, redirect where the provider takes it")
        self.forcesSignIn = section.read(
            "forceAuthn", .flag, default: false, "Whether viewers are asked for their password at every sign-in")
        self.nameFormat = section.readOptional(
            "nameIDFormat", .label(1...256), example: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
            "How the provider should name viewers; left out, as it likes")
        self.takesSignedResponses = section.read(
            "signedResponseSuffices", .flag, default: false,
            "Whether an assertion without a signature of its own is taken in a signed response")
        self.acceptsSHA1 = section.read(
            "acceptSHA1", .flag, default: false, "Whether signatures made with SHA-1 are taken; they are broken")
        self.logoutPage = section.readOptional(
            "logoutPage", .webPage, example: "https://tv.example/", "Where browsers go after a logout at the provider")
        self.authorities = section.readOptional(
            "authorities", .file, example: "cable-nova-ca.pem",
            "The certificates that vouch for the provider's addresses; left out, those of the system")
        self.viewer = section.readOptional(
            "viewerAttribute", .label(1...256), example: "uid",
            "The attribute that says who the viewer is; needed where names are transient")
        self.channels = section.readList(
            "lineUp", of: .label(1...512), default: [], atMost: SAMLProvider.Rules.maximumLineUp,
            "The channels that every viewer has, \"*\" for all; without lineUpAttribute")
        self.attribute = section.readOptional(
            "lineUpAttribute", .label(1...256), example: "channels", "The attribute with the channels of a viewer")
        self.metadata = section.sections(
            "metadata", atMost: 128, "What becomes of attributes, which claim names, for requestors",
            MappingSettings.init(_:)
        ).compactMap { $0 }
    }

    /// Whether a setting that has a default is as if it were left out; a commented file may show it so.
    func isDefault(_ name: String) -> Bool {
        switch name {
        case "keys": self.keys.isEmpty
        case "forceAuthn": !self.forcesSignIn
        case "signedResponseSuffices": !self.takesSignedResponses
        case "acceptSHA1": !self.acceptsSHA1
        case "lineUp": self.channels.isEmpty
        case "metadata": self.metadata.isEmpty
        default: false
        }
    }

    /// - Returns: `nil` when something is missing or contradicts itself, which is then reported.
    /// - Parameter isDecidedElsewhere: whether the provider's authorization endpoint says what viewers may play.
    func kind(_ section: SettingsSection, isDecidedElsewhere: Bool) -> SAMLKind? {
        var files: [ProviderFile] = []
        let source: SAMLKind.Source
        switch (self.metadataAddress, self.metadataFile) {
        case (let address?, nil):
            let policy: EndpointAddress.Policy = address.hasPrefix("http:") ? .secureOrLoopback : .secure
            guard let endpoint = EndpointAddress(address, policy: policy) else {
                section.fault(
                    "metadataAddress", "must be an https address; http only for a provider on this machine")
                return nil
            }
            source = .address(endpoint, policy)
        case (nil, let name?):
            files.append(
                ProviderFile(setting: Self.metadataSetting, name: name, isSecret: false, limit: 1 << 20))
            source = .file
        case (nil, nil):
            if !section.has("metadataAddress"), !section.has("metadataFile") {
                section.fault("metadataAddress", "is missing, and so is metadataFile")
            }
            return nil
        case (_?, _?):
            section.fault("metadataFile", "cannot stand beside metadataAddress")
            return nil
        }
        guard !self.keys.isEmpty else {
            if !section.has("keys") { section.fault("keys", "is missing; 'latchkeyd provider make-key' makes one") }
            return nil
        }
        guard
            RemoteSettings.hasOneLineUp(
                section, self.channels, source: "lineUpAttribute", isSourceSet: self.attribute != nil,
                isDecidedElsewhere: isDecidedElsewhere)
        else { return nil }
        for (index, name) in self.keys.enumerated() {
            files.append(ProviderFile(setting: SAMLKind.keySetting(index), name: name, isSecret: true))
        }
        if let name = self.certificateFile {
            files.append(ProviderFile(setting: Self.certificateSetting, name: name, isSecret: false))
        }
        if let name = self.authorities {
            files.append(ProviderFile(setting: "saml.authorities", name: name, isSecret: false, limit: 1 << 20))
        }
        return SAMLKind(
            SAMLKind.Registration(
                source: source, entityID: self.entityID, serviceEntityID: self.serviceEntityID, keys: self.keys.count,
                binding: self.binding?.binding, forcesSignIn: self.forcesSignIn, nameFormat: self.nameFormat,
                takesSignedResponses: self.takesSignedResponses, acceptsSHA1: self.acceptsSHA1,
                authorities: self.authorities),
            files: files, lineUp: self.attribute.map { .attribute($0) } ?? .fixed(self.channels),
            metadata: self.metadata, viewer: self.viewer, logoutPage: self.logoutPage)
    }
}
