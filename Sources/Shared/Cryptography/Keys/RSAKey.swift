import COpenSSL

/// An RSA private key for RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2; RS256 of RFC 7518).
///
/// Usable from several threads at once. Its public half holds no private material.
package struct RSAPrivateKey: SigningKey, Redacted {
    package let publicKey: RSAPublicKey
    let handle: KeyHandle

    /// Makes a new key of 2048 bits. Takes some tenths of a second.
    /// - Throws: `unusableKey` when libcrypto can make no key.
    package static func generate() throws(CryptographyError) -> RSAPrivateKey {
        unsafe try RSAPrivateKey(KeyHandle(adopting: copenssl_generate_rsa(2048), "no RSA key could be made"))
    }

    /// Reads an unencrypted private key in PEM, PKCS#8 or the older form, of 2048 to 8192 bits.
    /// - Throws: `unusableKey`.
    package init(pem: Secret) throws(CryptographyError) { try self.init(KeyHandle(privatePEM: pem)) }

    private init(_ handle: KeyHandle) throws(CryptographyError) {
        try handle.require(.rsa, "not an RSA key")
        self.handle = handle
        self.publicKey = try RSAPublicKey(pem: handle.publicPEM())
    }

    /// The key as PKCS#8 in PEM, unencrypted.
    /// - Throws: `libraryFailure`.
    package func pem() throws(CryptographyError) -> Secret { try self.handle.privatePEM() }

    /// A signature of the key's length, 256 bytes for 2048 bits. The same message gives the same signature.
    /// - Throws: `signingFailed`.
    package func signature(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        try self.handle.signature(for: message)
    }

    package var bits: Int { Int(unsafe EVP_PKEY_get_bits(self.handle.pointer)) }

    /// Signs what a TLS library has hashed.
    /// - Parameters:
    ///   - hashed: a digest for RSASSA-PSS with a salt of its length (RFC 8446 section 4.2.3), or a `DigestInfo` for
    ///     RSASSA-PKCS1-v1_5 (RFC 8017 section 9.2).
    ///   - pss: which digest it is; `nil` for a `DigestInfo`.
    /// - Throws: `signingFailed`.
    package func signature(
        ofHashed hashed: some Collection<UInt8>, pss: SignatureDigest?
    ) throws(CryptographyError) -> [UInt8] {
        let signature = unsafe RSAContext(self.handle, EVP_PKEY_sign_init, pss: pss)?.transform(hashed, EVP_PKEY_sign)
        guard let signature else { throw .taking(.signingFailed, "EVP_PKEY_sign") }
        return signature
    }

    package var verificationKey: VerificationKey { VerificationKey(self.publicKey) }

    package var description: String { "<RSA private key>" }
}

/// An RSA public key for RSASSA-PKCS1-v1_5. Usable from several threads at once.
package struct RSAPublicKey: Sendable {
    let handle: KeyHandle

    /// Reads a SubjectPublicKeyInfo or an X.509 certificate in PEM, of 2048 to 8192 bits.
    /// - Throws: `unusableKey`.
    package init(pem: String) throws(CryptographyError) { try self.init(KeyHandle(publicPEM: pem.utf8)) }

    init(_ handle: KeyHandle) throws(CryptographyError) {
        try handle.require(.rsa, "not an RSA key")
        self.handle = handle
    }

    /// The modulus and the public exponent, each a big-endian number (RFC 8017 section 3.1).
    /// - Throws: `libraryFailure`.
    package func numbers() throws(CryptographyError) -> (modulus: [UInt8], exponent: [UInt8]) {
        (try self.handle.number(OSSL_PKEY_PARAM_RSA_N), try self.handle.number(OSSL_PKEY_PARAM_RSA_E))
    }

    /// Whether `signature` was made over `message` by the private half. Malformed signatures are not valid.
    package func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>, _ digest: SignatureDigest = .sha256
    ) -> Bool {
        self.handle.isValidSignature(signature, for: message, digest)
    }
}
