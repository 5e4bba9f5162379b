/// A certificate that vouches for nothing: it carries a public key to where protocols want one as X.509 (RFC 5280).
///
/// The same key and name give the same certificate, on every node and at every start: signatures of RSA are always the
/// same. Its dates say nothing either; when a key is exchanged, the other side learns of it in another way.
package struct SelfSignedCertificate: Hashable, Sendable {
    /// The longest name, in bytes (RFC 5280 appendix A, `ub-common-name`).
    package static let maximumName = 64

    package let der: [UInt8]

    /// - Parameter name: what the certificate is called; what is beyond ``maximumName`` is left out.
    /// - Throws: `libraryFailure`, `signingFailed`.
    package init(of key: RSAPrivateKey, name: String) throws(CryptographyError) {
        let lines = try key.verificationKey.pem().split(separator: "\n").filter { !$0.hasPrefix("-----") }
        guard let publicKey = Base64.decode(lines.joined()) else {
            throw CryptographyError(code: .libraryFailure, libraryCode: 0, detail: "a public key that is no PEM")
        }
        var serial = Array(Digest.sha256(publicKey).prefix(16))
        // Positive, and of full length.
        serial[0] = serial[0] & 0x7F | 0x40
        let commonName = DER.element(0x06, [0x55, 0x04, 0x03]) + DER.element(0x0C, Self.bounded(name))
        let name = DER.element(0x30, DER.element(0x31, DER.element(0x30, commonName)))
        let life = DER.element(0x17, Array("200101000000Z".utf8)) + DER.element(0x17, Array("491231235959Z".utf8))
        let body = DER.element(
            0x30,
            DER.element(0xA0, DER.element(0x02, [2])) + DER.element(0x02, serial) + Self.method + name
                + DER.element(0x30, life) + name + publicKey)
        let signature = try key.signature(for: body)
        self.der = DER.element(0x30, body + Self.method + DER.element(0x03, [0] + signature))
    }

    /// sha256WithRSAEncryption (RFC 8017 appendix C).
    private static let method = DER.element(
        0x30, [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0x00])

    private static func bounded(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            let more = Array(String(scalar).utf8)
            guard bytes.count + more.count <= Self.maximumName else { break }
            bytes += more
        }
        return bytes
    }
}
