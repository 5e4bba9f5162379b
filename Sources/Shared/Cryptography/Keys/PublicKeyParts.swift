import COpenSSL

// Public keys by their numbers, as COSE and JOSE have them. libcrypto reads SubjectPublicKeyInfo (RFC 5280 section 4.1),
// and checks there what a key must be, such as a point that is on its curve.

extension ECPublicKey {
    /// A key on P-256 by its point (RFC 8152 section 13.1.1): two coordinates of 32 bytes.
    /// - Throws: `unusableKey`, also for a point that is not on the curve.
    package init(x: some Collection<UInt8>, y: some Collection<UInt8>) throws(CryptographyError) {
        guard x.count == 32, y.count == 32 else { throw .unusableKey("a coordinate on P-256 has 32 bytes") }
        // An algorithm identifier of ecPublicKey on prime256v1, and an uncompressed point (RFC 5480 section 2).
        let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        try self.init(KeyHandle(publicDER: head + Array(x) + Array(y)))
    }
}

extension RSAPublicKey {
    /// A key by its modulus and exponent, each a big-endian number (RFC 8230 section 4).
    /// - Throws: `unusableKey`, also when the modulus has not 2048 to 8192 bits, or the exponent is even, below 3 (with
    ///   1 anyone signs) or of more than four bytes: a large one makes each check slow.
    package init(modulus: some Collection<UInt8>, exponent: some Collection<UInt8>) throws(CryptographyError) {
        guard (256...1024).contains(modulus.count), exponent.count <= 4,
            case let number = exponent.reduce(0, { $0 << 8 | UInt64($1) }), number >= 3, number % 2 == 1
        else {
            throw .unusableKey("a modulus or an exponent of no use")
        }
        // An algorithm identifier of rsaEncryption, and RSAPublicKey (RFC 8017 appendix A.1.1) in a bit string.
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let numbers = DER.element(0x30, DER.integer(modulus) + DER.integer(exponent))
        try self.init(KeyHandle(publicDER: DER.element(0x30, algorithm + DER.element(0x03, [0] + numbers))))
    }
}

extension VerificationKey {
    /// A key for Ed25519 (RFC 8032).
    /// - Throws: `unusableKey` when `bytes` are not 32.
    package init(ed25519 bytes: some Collection<UInt8>) throws(CryptographyError) {
        guard bytes.count == 32 else { throw .unusableKey("a key for Ed25519 has 32 bytes") }
        // An algorithm identifier of id-Ed25519, and the key (RFC 8410 section 4).
        let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        let handle = try KeyHandle(publicDER: head + Array(bytes))
        try handle.require(.ed25519, "not a key for Ed25519")
        self.init(handle, nil)
    }
}

extension KeyHandle {
    /// Reads a public key: one SubjectPublicKeyInfo and nothing behind it.
    /// - Throws: `unusableKey`.
    convenience init(publicDER bytes: [UInt8]) throws(CryptographyError) {
        let pointer: OpaquePointer? = unsafe withContiguousBytes(of: bytes) { bytes in
            unsafe copenssl_read_public_der(bytes.baseAddress, bytes.count)
        }
        unsafe try self.init(adopting: pointer, "no public key in the DER")
        ERR_clear_error()
    }
}
