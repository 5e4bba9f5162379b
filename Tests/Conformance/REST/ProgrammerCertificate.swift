import Cryptography

/// A programmer's key pair, made once.
enum ProgrammerCertificate {
    private static let key = Result { try RSAPrivateKey.generate() }

    static func privateKey() throws -> String {
        try self.key.get().pem().withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// In PEM; empty without a key, which ``privateKey()`` says.
    static let certificate: String = {
        guard let key = try? key.get(), let made = try? SelfSignedCertificate(of: key, name: "programmer.example")
        else { return "" }
        return "-----BEGIN CERTIFICATE-----\n\(Base64.encode(made.der))\n-----END CERTIFICATE-----\n"
    }()
}
