import CommandLineTool
import OpenIDConnect
import Providers

/// The agreement of a TV provider with SAML and this server, as the group `saml` says it. While it stays, so does what
/// was fetched.
struct SAMLSettings: Hashable, Sendable {
    static let metadataSetting = "saml.metadataFile"
    static let certificateSetting = "saml.metadataCertificate"

    private enum Binding: String, Equatable {
        case redirect, post
    }

    enum Source: Hashable, Sendable {
        case file
        case address(EndpointAddress, EndpointAddress.Policy)
    }

    private let metadataAddress: String?
    private let metadataFile: String?
    private let certificateFile: String?
    let entityID: String?
    let serviceEntityID: String?
    let keys: [String]
    let binding: SAMLBinding?
    let forcesSignIn: Bool
    let nameFormat: String?
    let takesSignedResponses: Bool
    let acceptsSHA1: Bool
    let logoutPage: String?
    let authorities: String?

    init(_ section: SettingsSection) {
        self.metadataAddress = section.readOptional(
            "metadataAddress", .webPage, example: "https://idp.cable-nova.example/metadata.xml",
            "The address of the provider's metadata; the server fetches them again while it runs")
        self.metadataFile = section.readOptional(
            "metadataFile", .file, example: "cable-nova.xml", "The file with the provider's metadata, in place of that")
        self.certificateFile = section.readOptional(
            "metadataCertificate", .file, example: "federation.pem",
            "The certificate that the metadata must be signed with, in PEM")
        self.entityID = section.readOptional(
            "entityID", .label(1...1024), example: "https://idp.cable-nova.example/saml",
            "The entity ID of the provider in the metadata; needed if they describe several")
        self.serviceEntityID = section.readOptional(
            "serviceEntityID", .label(1...1024), example: "https://tv.example/saml",
            "The provider's name for this server; left out, the address of this server's metadata")
        self.keys = section.readList(
            "keys", of: .file, default: [], atMost: 4,
            "The files with this server's private keys, RSA in PEM: the first signs, all are published, and open what "
                + "is encrypted for them. To exchange a key, add the new one, put it first a day later, then drop the old"
        )
        self.binding = section.readOptional(
            "requestBinding", .choice([Binding.redirect, .post]), example: "redirect",
            "The binding of requests; left out, redirect if the provider supports it"
        ).map { $0 == .post ? .post : .redirect }
        self.forcesSignIn = section.read(
            "forceAuthn", .flag, default: false, "Whether viewers are asked for their password at every sign-in")
        self.nameFormat = section.readOptional(
            "nameIDFormat", .label(1...256), example: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
            "The form of the provider's names for viewers; left out, the provider decides")
        self.takesSignedResponses = section.read(
            "signedResponseSuffices", .flag, default: false,
            "Whether an assertion without its own signature is accepted in a signed response")
        self.acceptsSHA1 = section.read(
            "acceptSHA1", .flag, default: false, "Whether SHA-1 signatures are accepted; they can be forged")
        self.logoutPage = section.readOptional(
            "logoutPage", .webPage, example: "https://tv.example/",
            "The page that browsers go to after a logout at the provider")
        self.authorities = section.readOptional(
            "authorities", .file, example: "cable-nova-ca.pem",
            "The certificate authorities of the provider's addresses; left out, those of the system")
    }

    /// - Returns: `nil` when it is missing or not right, which is then reported.
    func source(_ section: SettingsSection) -> Source? {
        switch (self.metadataAddress, self.metadataFile) {
        case (let address?, nil):
            let policy: EndpointAddress.Policy = address.hasPrefix("http:") ? .secureOrLoopback : .secure
            if let endpoint = EndpointAddress(address, policy: policy) { return .address(endpoint, policy) }
            section.fault("metadataAddress", "must be an https address; http only for a provider on this machine")
        case (nil, _?): return .file
        case (nil, nil):
            if !section.has("metadataAddress"), !section.has("metadataFile") {
                section.fault("metadataAddress", "is missing, and so is metadataFile")
            }
        case (_?, _?): section.fault("metadataFile", "cannot stand beside metadataAddress")
        }
        return nil
    }

    static func keySetting(_ index: Int) -> String { "saml.keys[\(index)]" }

    var files: [ProviderFile] {
        let keys = self.keys.enumerated().map { ProviderFile(Self.keySetting($0), $1, isSecret: true) }
        let others = [
            ProviderFile(Self.certificateSetting, self.certificateFile),
            ProviderFile("saml.authorities", self.authorities),
        ]
        return ([ProviderFile(Self.metadataSetting, self.metadataFile)] + keys + others).compactMap(\.self)
    }
}
