import COpenSSL

/// A private key on the curve P-256 for ECDSA with SHA-256 (FIPS 186-5; ES256 of RFC 7518).
///
/// Usable from several threads at once. Its public half holds no private material.
package struct ECPrivateKey: SigningKey, Redacted {
    package let publicKey: ECPublicKey
    private let handle: KeyHandle

    /// Makes a new key.
    /// - Throws: `unusableKey` when libcrypto can make no key.
    package static func generate() throws(CryptographyError) -> ECPrivateKey {
        unsafe try ECPrivateKey(KeyHandle(adopting: copenssl_generate_p256(), "no EC key could be made"))
    }

    /// Reads an unencrypted private key in PEM, PKCS#8 or the older form.
    /// - Throws: `unusableKey`, also for a key on another curve.
    package init(pem: Secret) throws(CryptographyError) { try self.init(KeyHandle(privatePEM: pem)) }

    private init(_ handle: KeyHandle) throws(CryptographyError) {
        try handle.require(.p256, "not an EC key on P-256")
        self.handle = handle
        self.publicKey = try ECPublicKey(KeyHandle(publicPEM: handle.publicPEM().utf8))
    }

    /// The key as PKCS#8 in PEM, unencrypted.
    /// - Throws: `libraryFailure`.
    package func pem() throws(CryptographyError) -> Secret { try self.handle.privatePEM() }

    /// A signature in DER (`Ecdsa-Sig-Value` of RFC 3279), as documents carry it. Every signature is different.
    /// - Throws: `signingFailed`.
    package func signature(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        try self.handle.signature(for: message)
    }

    /// A signature as JOSE writes it: r and s, 32 bytes each (RFC 7518 section 3.4).
    /// - Throws: `signingFailed`.
    package func joseSignature(for message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        guard let raw = ECDSASignature.raw(fromDER: try self.signature(for: message)) else {
            throw .taking(.signingFailed, "a DER signature could not be taken apart")
        }
        return raw
    }

    package var verificationKey: VerificationKey { VerificationKey(self.publicKey) }

    package var description: String { "<EC private key>" }
}

/// A public key on the curve P-256 for ECDSA with SHA-256. Usable from several threads at once.
package struct ECPublicKey: Sendable {
    let handle: KeyHandle

    init(_ handle: KeyHandle) throws(CryptographyError) {
        try handle.require(.p256, "not an EC key on P-256")
        self.handle = handle
    }

    /// Whether `signature`, in the form of JOSE, was made over `message` by the private half: exactly 64 bytes, r and s.
    package func isValidJOSESignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>
    ) -> Bool {
        guard let der = ECDSASignature.der(fromRaw: Array(signature)) else { return false }
        return self.handle.isValidSignature(der, for: message)
    }
}
