/// How this server takes part in sign-in with the TV-provider accounts of devices' operating systems (rest-v1 21).
package struct PlatformExchangeSettings: Sendable {
    /// This server's SAML entity ID, which assertions have to be made out to; `nil` is the public URL.
    package let entityID: String?
    /// A PEM file; without one, encrypted assertions are refused.
    package let decryptionKeyFile: String?
    package let acceptsSHA1: Bool

    init(_ section: SettingsSection) {
        self.entityID = section.readOptional(
            "entityID", .label(1...1024), example: "https://tv.example/saml",
            "The SAML entity ID that assertions have to be made out to; left out, publicURL")
        self.decryptionKeyFile = section.readOptional(
            "decryptionKey", .file, example: "platform/key.pem",
            "The RSA key whose certificate issuers encrypt for, PEM; left out, encrypted assertions are refused")
        self.acceptsSHA1 = section.read(
            "acceptSHA1", .flag, default: false, "Whether signatures made with SHA-1 are taken, for old issuers")
    }
}
